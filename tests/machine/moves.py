"""What people do to the bot: each move is small, and any may come at any time.

What arrives is only stored here; the worker takes it up in its own time.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from bot.commands import Decide, HandOn, MarkDone, Received, Revoke, SetLevel
from policies.autonomy.levels import Level
from policies.incident import Incident, RequestState, StepPhase
from policies.run import RunState
from tests.bot.worker.world import World

ANSWERS = "http://127.0.0.1/response"
Said = TypeVar("Said", Decide, HandOn, MarkDone, Revoke, SetLevel)


class Moves:
    """Over one world, in its newest incident."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.sent: list[Received] = []

    async def alert(self, number: int) -> None:
        """The same few messages again and again: Slack repeats itself."""
        await self.world.receive(f"Ev{number}")

    async def incident(self) -> Incident | None:
        """The newest."""
        lines = await self.world.store.incidents(open_only=False, limit=1)
        return await self.world.store.load(lines[0].id) if lines else None

    async def decide(
        self, person: str, choice: str = "yes", *, old: bool = False, forged: bool = False
    ) -> None:
        """A tap on the newest request, or on the first; `forged` carries another digest than was shown."""
        found = await self.request(old=old)
        if found is not None:
            await self.tap(found, person, choice, "sha256:0" if forged else None)

    async def tap(
        self,
        found: tuple[Incident, RequestState],
        person: str,
        choice: str = "yes",
        digest: str | None = None,
    ) -> None:
        """On a request that somebody sees."""
        await self._say(
            Decide,
            **_about(found),
            person=person,
            name=person.title(),
            team="T0DEMO",
            choice="yes" if choice == "yes" else "no",
            digest=digest or found[1].request.digest,
            where="thread",
        )

    async def redeliver(self, which: int) -> None:
        """Slack delivers something once more."""
        if self.sent:
            await self.world.desk.receive(self.sent[which % len(self.sent)])

    async def revoke(self, person: str) -> None:
        """The newest request: a decision is taken back."""
        found = await self.request()
        if found is not None:
            await self._say(Revoke, **_about(found), person=person)

    async def hand_over(self, person: str, to: str) -> None:
        """The newest request: a seat is given away."""
        found = await self.request()
        if found is not None:
            await self._say(HandOn, **_about(found), person=person, to=to)

    async def mark_done(self, person: str) -> None:
        """Somebody says that the backfill is done."""
        incident = await self.incident()
        about = {"incident_id": incident.id if incident else "DW-1", "step_id": "backfill"}
        await self._say(MarkDone, **about, person=person)

    async def level(self, person: str, level: Level) -> None:
        """Somebody confirms a level of what the bot runs."""
        about = {"domain": "growth", "change_class": "run_job", "reason": "clean runs"}
        await self._say(SetLevel, **about, person=person, level=level)

    async def goes_well(self) -> None:
        """The next thing that must happen for the night to end well."""
        incident = await self.incident()
        if incident is None:
            return await self.alert(1)
        for state in incident.open_requests():
            return await self._yes(incident, state)
        if await self.stands("person", StepPhase.READY):
            self.world.launch()
            self.world.clock.advance(seconds=15)
        return self.runs_end(RunState.SUCCEEDED)

    async def _yes(self, incident: Incident, state: RequestState) -> None:
        """The owner's, and then that of the next in the chain, once it is their turn."""
        if "U0ANA" not in {decision.person for decision in state.decisions}:
            return await self.tap((incident, state), "U0ANA")
        if state.request.hop == 0:
            self.world.clock.advance(seconds=301)
            return None
        return await self.tap((incident, state), "U0CLEO")

    async def until_deadline(self, more: int) -> None:
        """So many seconds after the end of the turn that the newest request is in, or before it."""
        found = await self.request()
        if found is not None:
            wait = found[1].request.deadline - self.world.clock.now()
            self.world.clock.advance(seconds=max(0, wait.total_seconds() + more))

    async def stands(self, doer: str, *phases: StepPhase) -> bool:
        """Whether a step of a person, or of the bot, is in one of these phases."""
        incident = await self.incident()
        steps = incident.plan.steps if incident and incident.plan else ()
        return incident is not None and any(
            incident.steps[step.id].phase in phases for step in steps if step.doer == doer
        )

    def runs_end(self, state: RunState) -> None:
        """Whatever runs in the orchestrator ends."""
        for run in tuple(self.world.runs.runs.values()):
            if not run.state.ended:
                self.world.runs.end(run.id, state)

    async def request(self, *, old: bool = False) -> tuple[Incident, RequestState] | None:
        """The newest request, or the first; one that waits goes before one that is decided."""
        incident = await self.incident()
        if incident is None or not incident.requests:
            return None
        everything = list(incident.requests.values())
        newest = [*everything, *incident.open_requests()][-1]
        return incident, everything[0] if old else newest

    async def _say(self, make: Callable[..., Said], **words: Any) -> None:
        key, now = f"said-{len(self.sent)}", self.world.clock.now()
        command = make(key=key, at=now, respond_to=ANSWERS, **words)
        item = Received(key=key, command=command, raw="{}", at=now)
        self.sent.append(item)
        await self.world.desk.receive(item)


def _about(found: tuple[Incident, RequestState]) -> dict[str, str]:
    return {"incident_id": found[0].id, "request_id": found[1].request.id}
