"""Who may sit where, as dw.yml writes it: rotas, bans, what says that somebody is away; and who sits when."""

from datetime import date
from typing import Annotated, Literal
from zoneinfo import available_timezones

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from policies.people import Seat, SeatKind
from policies.rota import Rota, moment

#: what stands before the name of a schedule
ON_CALL: dict[str, SeatKind] = {
    "rota": "rota",
    "pagerduty": "pagerduty",
    "opsgenie": "opsgenie",
}


def on_call(who: str) -> tuple[SeatKind, str] | None:
    """`rota:data` → (`rota`, `data`); None for what names no schedule."""
    prefix, colon, name = who.partition(":")
    return (ON_CALL[prefix], name) if colon and name and prefix in ON_CALL else None


def seat_of(who: str, because: str) -> Seat:
    """`rota:…` and its like are schedules, `@handle` and `S…` user groups, everything else a person."""
    scheduled = on_call(who)
    if scheduled:
        return Seat(kind=scheduled[0], ref=who, because=because)
    group = who.startswith("@") or (who.startswith("S") and who.isalnum() and "@" not in who)
    return Seat(kind="group" if group else "person", ref=who, because=because)


def _handoff(value: str) -> str:
    if moment(value) is None:
        msg = f'{value!r} is no moment of the week → write it as "monday 09:00", or "09:00" for every day'
        raise ValueError(msg)
    return value


def _zone(value: str) -> str:
    if value not in available_timezones():
        msg = f"{value!r} is no time zone → write it as Europe/Berlin"
        raise ValueError(msg)
    return value


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RotaRule(_Model):
    """People who take turns at being on call; `rota:<name>` names whoever's turn it is."""

    people: list[str] = Field(
        min_length=1, description="emails or Slack ids, in the order of their turns"
    )
    handoffs: list[Annotated[str, AfterValidator(_handoff)]] = Field(
        min_length=1,
        description='when the next one takes over: "monday 09:00", or "09:00" for every day',
    )
    starts: date = Field(description="the day on which the first of them takes over, YYYY-MM-DD")
    tz: Annotated[str, AfterValidator(_zone)] = Field(
        "UTC", description="the time zone of the handoffs, such as Europe/Berlin"
    )

    def rota(self) -> Rota:
        """As `policies.rota` knows it."""
        return Rota(
            people=tuple(self.people),
            handoffs=tuple(self.handoffs),
            starts=self.starts,
            tz=self.tz,
        )


class Bans(_Model):
    """Who may not decide, even from the right seat. Bots and deactivated accounts never may."""

    asker: bool = Field(default=True, description="who asked for the change")
    planner: bool = Field(default=True, description="who wrote the plan")
    author: bool = Field(
        default=True,
        description="who wrote the change that broke it, where the evidence names them",
    )
    unmatched_author: Literal["by_name", "two_people"] = Field(
        "by_name",
        description="an author whom Slack does not know by the address in git: keep out whoever is called so,"
        " or, besides, let no one decide alone",
    )
    guests: bool = Field(default=True, description="guests of the workspace")
    outsiders: bool = Field(default=True, description="people of other workspaces")

    def allowed(self) -> tuple[str, ...]:
        """The kinds of people whose ban is lifted."""
        return tuple(kind for kind in ("guests", "outsiders") if not getattr(self, kind))


class AwayRule(_Model):
    """What in somebody's Slack status says that they are away: it is told to whoever is asked."""

    words: list[str] = Field(
        default=["away", "vacation", "holiday", "ooo", "out of office", "out sick", "on leave"],
        description="words of the status",
    )
    emoji: list[str] = Field(
        default=[":palm_tree:", ":face_with_thermometer:", ":airplane:", ":no_entry:"],
        description="emoji of the status",
    )
    do_not_disturb: bool = Field(default=True, description="so do paused notifications")
