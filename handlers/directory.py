"""Who people are, as Slack says it now: asked again after a minute, and nobody when it can't be known.

"There is no such person or group" is an answer (nobody sits there, and the reason is told). A rate limit
or an outage is not: it raises `RetryAfter`, so that a click waits a moment instead of being refused.
A scope that the app lacks is an answer too: no waiting mends it.
"""

from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import structlog
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.clock import Clock
from bot.ports import Undeliverable
from handlers import refusals
from policies.people import Person, Seat, Seated

_log = structlog.get_logger(__name__)
T = TypeVar("T")
_FRESH = timedelta(seconds=60)
_MISSING = frozenset({"users_not_found", "user_not_found", "user_not_visible"})
#: so many are asked for one by one; of more, everybody is read page by page, which is fewer calls
_ONE_BY_ONE = 20
_PAGE = 200
_PAGES = 100


class SlackDirectory:
    """`bot.ports.Directory` over users and user groups of one workspace."""

    def __init__(
        self, client: AsyncWebClient, clock: Clock, team: str, *, fresh: timedelta = _FRESH
    ) -> None:
        self._client, self._clock, self._team, self._fresh = client, clock, team, fresh
        self._known: dict[str, tuple[datetime, Any]] = {}

    async def person(self, slack_id: str, *, fresh: bool = False) -> Person | None:
        """One person; None when Slack knows nobody by this id. Raises `RetryAfter`."""

        async def ask() -> Person | None:
            answer = await self._client.users_info(user=slack_id)
            return person_of(answer["user"], self._team)

        try:
            return await self._remembered(f"person:{slack_id}", ask, fresh=fresh)
        except Undeliverable:
            return None

    async def someone(self, ref: str) -> Person | None:
        """One person by Slack id or email, asked now. Raises `RetryAfter`."""
        try:
            found = await self._one(Seat(kind="person", ref=ref, because="named"), fresh=True)
        except Undeliverable:
            return None
        return found[0] if found else None

    async def quiet_until(self, slack_id: str) -> datetime | None:
        """Until when their notifications are paused. Only ever told, so no answer is no news."""
        try:
            answer = await self._client.dnd_info(user=slack_id)
        except refusals.TROUBLE as error:
            _log.info("not known whether somebody is disturbed", error=refusals.code(error))
            return None
        return paused_until(answer.data, self._clock.now())

    async def seated(self, seat: Seat, *, fresh: bool = False) -> Seated:
        """Who sits in a seat now, with the problem when nobody does. Raises `RetryAfter`.

        With `fresh` the membership is asked now; what its members are is at most a minute old.
        """
        look = self._group if seat.kind == "group" else self._one
        try:
            people = await look(seat, fresh=fresh)
        except Undeliverable as error:
            return Seated(seat=seat, problem=str(error))
        if not people:
            return Seated(seat=seat, problem=f"nobody is found for {seat.ref}")
        able = [person for person in people if person.barred() is None]
        barred = None if able else f"{seat.ref}: {people[0].barred()}"
        called = await self._handle(seat.ref) if seat.kind == "group" else people[0].name
        return Seated(seat=seat, people=people, problem=barred, called=called)

    async def _one(self, seat: Seat, *, fresh: bool) -> tuple[Person, ...]:
        async def ask() -> Person | None:
            answer = await self._client.users_lookupByEmail(email=seat.ref)
            return person_of(answer["user"], self._team)

        if "@" in seat.ref:
            found = await self._remembered(f"email:{seat.ref.lower()}", ask, fresh=fresh)
        else:
            found = await self.person(seat.ref, fresh=fresh)
        return (found,) if found else ()

    async def _group(self, seat: Seat, *, fresh: bool) -> tuple[Person, ...]:
        group = await self._group_of(seat.ref)

        async def ask() -> list[str]:
            answer = await self._client.usergroups_users_list(usergroup=group)
            return list(answer["users"])

        members = await self._remembered(f"members:{group}", ask, fresh=fresh) or []
        if len([member for member in members if not self._fresh_enough(member)]) > _ONE_BY_ONE:
            await self._everybody()
        people = [await self.person(member) for member in members]
        return tuple(person for person in people if person)

    def _fresh_enough(self, member: str) -> bool:
        at, _ = self._known.get(f"person:{member}", (None, None))
        return at is not None and self._clock.now() - at < self._fresh

    async def _everybody(self) -> None:
        """Read the whole workspace; Slack gives the members of a group at once, but only by their ids."""
        now, cursor = self._clock.now(), ""
        for _ in range(_PAGES):
            answer = await self._page(cursor)
            for user in answer["members"]:
                self._known[f"person:{user['id']}"] = (now, person_of(user, self._team))
            cursor = (answer.get("response_metadata") or {}).get("next_cursor") or ""
            if not cursor:
                return

    async def _page(self, cursor: str) -> AsyncSlackResponse:
        try:
            return await self._client.users_list(limit=_PAGE, cursor=cursor or None)
        except refusals.TROUBLE as error:
            raise refusals.translated(error, "looking up who sits in a group") from error

    async def _handle(self, ref: str) -> str:
        """What people type to mention this group."""
        groups = await self._remembered("groups", self._groups) or {}
        group = groups.get(ref.lstrip("@").lower(), {})
        return f"@{group['handle']}" if group.get("handle") else ""

    async def _group_of(self, ref: str) -> str:
        groups = await self._remembered("groups", self._groups) or {}
        group = groups.get(ref.lstrip("@").lower())
        if group is None:
            raise Undeliverable(f"there is no user group {ref}")
        if group.get("date_delete"):
            raise Undeliverable(f"the user group {ref} is switched off")
        return str(group["id"])

    async def _groups(self) -> dict[str, Mapping[str, Any]]:
        answer = await self._client.usergroups_list(include_disabled=True)
        found = answer["usergroups"] or []
        return {str(g[key]).lower(): g for g in found for key in ("id", "handle") if g.get(key)}

    async def _remembered(
        self, key: str, ask: Callable[[], Awaitable[T]], *, fresh: bool = False
    ) -> T | None:
        now = self._clock.now()
        at, value = self._known.get(key, (None, None))
        if not fresh and at is not None and now - at < self._fresh:
            return value
        try:
            value = await ask()
        except refusals.TROUBLE as error:
            if refusals.code(error) in refusals.UNASKABLE:
                raise Undeliverable(_unaskable(refusals.code(error))) from error
            if refusals.code(error) not in _MISSING:
                raise refusals.translated(error, "looking up who somebody is") from error
            value = None
        self._known[key] = (now, value)
        return value


def _unaskable(word: str) -> str:
    return (
        f"Slack does not let me look up who somebody is ({word}). Nobody can be asked or believed until "
        "the app is installed again with the scopes of manifest.yml"
    )


def person_of(user: Mapping[str, Any], team: str) -> Person:
    """A person from Slack's user object, seen from workspace `team`."""
    profile = user.get("profile") or {}
    teams = (user.get("enterprise_user") or {}).get("teams") or []
    theirs = user.get("team_id") or profile.get("team")
    elsewhere = bool(theirs) and theirs != team and team not in teams
    return Person(
        id=str(user["id"]),
        name=profile.get("display_name") or profile.get("real_name") or user.get("name") or "",
        email=profile.get("email"),
        team=theirs,
        tz=user.get("tz") or "UTC",
        bot=bool(user.get("is_bot") or user.get("is_workflow_bot")),
        deactivated=bool(user.get("deleted")),
        guest=bool(user.get("is_restricted") or user.get("is_ultra_restricted")),
        external=bool(user.get("is_stranger")) or elsewhere,
        status=str(profile.get("status_text") or ""),
        emoji=str(profile.get("status_emoji") or ""),
        full_name=str(profile.get("real_name") or user.get("real_name") or ""),
    )


def paused_until(told: Any, now: datetime) -> datetime | None:
    """When paused notifications go on again, by `dnd.info`: a snooze first, else the usual quiet hours."""
    held = told if isinstance(told, Mapping) else {}
    snoozed = held.get("snooze_endtime") if held.get("snooze_enabled") else None
    begin, end = held.get("next_dnd_start_ts"), held.get("next_dnd_end_ts")
    usual = isinstance(begin, int | float) and begin <= now.timestamp()
    for until in (snoozed, end if held.get("dnd_enabled") and usual else None):
        if isinstance(until, int | float) and until > now.timestamp():
            return datetime.fromtimestamp(until, UTC)
    return None
