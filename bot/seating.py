"""Who sits in a seat now: rotas and schedules become people, and whoever is away has a delegate.

Wraps the directory of Slack, which knows persons and user groups. What can't be read holds nobody.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from bot.clock import Clock
from bot.ports import Absences, Directory
from connectors.errors import ConnectorError
from policies.absence import delegate_of
from policies.people import Delegate, Person, Seat, Seated
from policies.rota import on_call
from policies.rules import Rules


class Schedule(Protocol):
    """A system that knows who is on call. Raises `ConnectorError`."""

    async def on_call(self, schedule: str, at: datetime) -> Sequence[str]:
        """Their email addresses; empty when nobody is."""
        ...


@dataclass(frozen=True, kw_only=True)
class Seating:
    """`bot.ports.Directory`, with all that dw.yml and people themselves say about seats.

    `schedules` are by kind of seat: `pagerduty`, `opsgenie`.
    """

    slack: Directory
    rules: Rules
    clock: Clock
    absences: Absences
    schedules: Mapping[str, Schedule]

    async def person(self, slack_id: str, *, fresh: bool = False) -> Person | None:
        """One person, as Slack knows them."""
        return await self.slack.person(slack_id, fresh=fresh)

    async def someone(self, ref: str) -> Person | None:
        """One person by Slack id or email."""
        return await self.slack.someone(ref)

    async def quiet_until(self, slack_id: str) -> datetime | None:
        """Until when their notifications are paused."""
        return await self.slack.quiet_until(slack_id)

    async def seated(self, seat: Seat, *, fresh: bool = False) -> Seated:
        """Who sits there now, who of them is away, and who decides for these."""
        found = await self._sitting(seat, fresh=fresh)
        known = await self.absences.absences(self.clock.now())
        absent = tuple(known[p.id] for p in found.people if p.id in known)
        delegates: list[Delegate] = []
        for absence in absent:
            named = delegate_of(known, absence.person)
            person = await self.slack.person(named, fresh=fresh) if named else None
            if person is not None:
                delegates.append(
                    Delegate(person=person, for_person=absence.person, until=absence.until)
                )
        return replace(found, absent=absent, delegates=tuple(delegates))

    async def _sitting(self, seat: Seat, *, fresh: bool) -> Seated:
        if seat.kind in ("person", "group"):
            return await self.slack.seated(seat, fresh=fresh)
        try:
            emails = await self._on_call(seat)
        except ConnectorError as error:
            return Seated(seat=seat, problem=f"{seat.ref} can't be read now: {error}")
        except KeyError:
            return Seated(seat=seat, problem=f"dw.yml describes no {seat.ref}")
        if not emails:
            return Seated(seat=seat, problem=f"nobody is on call for {seat.ref}")
        return await self._people(seat, emails, fresh=fresh)

    async def _on_call(self, seat: Seat) -> Sequence[str]:
        name, now = seat.ref.partition(":")[2], self.clock.now()
        if seat.kind == "rota":
            return (on_call(self.rules.rotas[name].rota(), now),)
        return await self.schedules[seat.kind].on_call(name, now)

    async def _people(self, seat: Seat, emails: Sequence[str], *, fresh: bool) -> Seated:
        people: list[Person] = []
        problems: list[str] = []
        for email in dict.fromkeys(emails):
            one = Seat(kind="person", ref=email, because=seat.because)
            found = await self.slack.seated(one, fresh=fresh)
            people += found.people
            problems += [found.problem] if found.problem else []
        problem = "; ".join(problems) if problems and len(problems) == len(set(emails)) else None
        return Seated(seat=seat, people=tuple(people), problem=problem)
