"""Questions of people, answered from what is stored: the same for `/dw`, for mentions and for modals."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

from bot.clock import Clock
from bot.commands import Answer, LiftStop, StopAll
from bot.desk import Desk
from bot.ports import Directory
from handlers import ids, views
from handlers.autonomy import Autonomy
from handlers.blocks import Message, View
from handlers.leave import Leave
from handlers.senders import Senders
from handlers.views.tab import Waiting
from policies.approval import ApprovalRequest
from policies.autonomy.levels import KIND
from policies.events import ReceiptIssued
from policies.people import Seated
from policies.standing import standing

_RECEIPTS = 10
_INCIDENTS = 15
Verb = Callable[[str, str], Awaitable[Message]]


class Answerer:
    """Answers in words. The worker gets one for mentions, the listeners use the same."""

    def __init__(self, desk: Desk, directory: Directory, clock: Clock, home: str = "") -> None:
        self._desk, self._directory, self._clock = desk, directory, clock
        leave = Leave(desk, directory, clock)
        self._verbs: dict[str, Verb] = {
            "help": self._help,
            "status": self._status,
            "incidents": self._incidents,
            "why": self._why,
            "approvals": self._approvals,
            "waiting": self._approvals,
            "receipts": self._receipts,
            "receipt": self._receipts,
            "connections": self._connections,
            "stop": self._stop,
            "resume": self._resume,
            "away": leave.away,
            "back": leave.back,
            "who-can": self._who_can,
            "autonomy": Autonomy(desk, directory).say,
            "sources": Senders(desk, directory, home).say,
        }

    async def answer(self, command: Answer) -> str:
        """The text to post in the thread where somebody mentioned us."""
        if _verb(command.text) == "resume" and await self._stopped_since(command.at):
            return "Nothing was lifted: a stop came after these words. Say it again if you mean that one too."
        if _verb(command.text) == "stop" and await self._desk.lifted_since(command.at):
            return "Nothing was stopped: a stop was lifted after these words. Say it again if you mean it still."
        here = await self._here(command)
        return (await self.say(here or command.text, command.person, free=True)).words()

    async def _here(self, command: Answer) -> str | None:
        """Asked why without a name, in an incident's thread, that incident is meant."""
        verb, _, rest = command.text.strip().partition(" ")
        if _verb(verb) != "why" or rest.strip(" ?"):
            return None
        found = await self._desk.spoken_of(command.channel, command.thread_ts)
        return f"why {found.id}" if found else None

    async def _stopped_since(self, at: datetime) -> bool:
        """These words may have waited for long, or are answered once more after a crash."""
        return any(stop.at > at for stop in await self._desk.stops())

    async def say(self, words: str, person: str, *, free: bool = False) -> Message:
        """The answer to typed words. With `free`, words that are no command are looked up."""
        rest = words.strip().partition(" ")[2]
        known = self._verbs.get(_verb(words) or "help")
        if known:
            return await known(rest.strip(), person)
        incident = await self._desk.about(words) if free else None
        return views.explain(incident, words) if incident else views.unknown(words)

    async def waiting_for(self, person: str) -> Waiting:
        """The open requests that this person may decide now."""
        return (await self.theirs(person))[0]

    async def theirs(self, person: str) -> tuple[Waiting, Waiting]:
        """The open requests that this person may decide now; and those they were asked, and may not any more."""
        waiting, passed = [], []
        for incident, state in await self._desk.waiting():
            if await self._sits(state.request, person):
                waiting.append((incident, state))
            elif person in dict(state.asked):
                passed.append((incident, state))
        return waiting, passed

    async def who_may(self, tag: ids.Tag) -> View:
        """Who may decide a request, as a modal."""
        found = await self._desk.look(tag.incident)
        state = found[0].requests.get(tag.request) if found else None
        if found is None or state is None:
            return views.shown("Not found", views.unknown(tag.request or tag.incident))
        return views.who_may(found[0], state.request, await self._seats(state.request))

    async def receipt_view(self, number: str) -> View:
        """A receipt's JSON, as a modal."""
        found = await self._desk.receipt(int(number)) if number.isdecimal() else None
        if found is None:
            return views.shown("Not found", views.unknown(f"receipt {number}"))
        return views.receipt_json(found)

    async def halt(self, command: StopAll) -> Message:
        """Stop, and tell what that holds; or why nothing was stopped."""
        known = await self._directory.person(command.person)
        came = await self._desk.stop(command, known)
        if isinstance(came, str):
            return views.not_stopped(came)
        return views.stopped(came, await self._desk.held())

    async def _seats(self, request: ApprovalRequest) -> Sequence[tuple[int, Seated]]:
        return [(hop, await self._directory.seated(seat)) for hop, seat in request.seats()]

    async def _sits(self, request: ApprovalRequest, person: str) -> bool:
        return person in standing(request.rule, await self._seats(request)).who()

    async def _help(self, _rest: str, _person: str) -> Message:
        return views.help_text()

    async def _status(self, _rest: str, _person: str) -> Message:
        return views.status(await self._desk.status())

    async def _incidents(self, _rest: str, _person: str) -> Message:
        lines = await self._desk.incidents(open_only=False, limit=_INCIDENTS)
        return views.incident_list(lines)

    async def _why(self, rest: str, _person: str) -> Message:
        return views.explain(await self._desk.about(rest) if rest else None, rest or "nothing")

    async def _who_can(self, rest: str, _person: str) -> Message:
        found = await self._desk.rule_of(rest)
        if found is None:
            return views.nobody_owns(rest or "nothing")
        rule, hops = found
        seats = [(hop, await self._directory.seated(rule.chain[hop].seat)) for hop in hops]
        return views.who_can(rest, rule, seats)

    async def _approvals(self, _rest: str, person: str) -> Message:
        return views.approvals(await self.waiting_for(person))

    async def _receipts(self, rest: str, _person: str) -> Message:
        if not rest.isdecimal():
            return views.receipt_list(await self._desk.receipts(_RECEIPTS))
        found = await self._desk.receipt(int(rest))
        if found is not None and found.body.get("kind") == KIND:
            return views.level_receipt(found)
        whole = await self._desk.look(found.incident_id) if found else None
        if found is None or whole is None:
            return views.unknown(f"receipt {rest}")
        return views.receipt(whole[0], ReceiptIssued(number=found.number, hash=found.hash))

    async def _connections(self, _rest: str, _person: str) -> Message:
        return views.connections(await self._desk.connections())

    async def _stop(self, rest: str, person: str) -> Message:
        scope, reason = self._desk.scope(rest)
        return await self.halt(
            StopAll(person=person, reason=reason, at=self._clock.now(), scope=scope)
        )

    async def _resume(self, rest: str, person: str) -> Message:
        known = await self._directory.person(person)
        if known is None:
            return views.stranger()
        scope, _ = self._desk.scope(rest)
        lift = LiftStop(person=person, at=self._clock.now(), scope=scope)
        return views.lifted(await self._desk.lift(lift, known))


def _verb(words: str) -> str:
    return words.strip().partition(" ")[0].lower().rstrip("?:,")
