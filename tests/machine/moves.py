"""What people and the outside world do to the bot: each move is small, and any may come at any time."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

from bot.commands import Decide, HandOn, MarkDone, Received, Revoke
from bot.ports import RetryAfter, Stop, Undeliverable
from connectors.errors import Broken, ConnectorError, TooSlow, Unreachable
from policies.incident import Incident, RequestState, StepPhase
from policies.lineage import Asset
from policies.people import Absence
from policies.run import RunState
from tests.bot.worker.world import World
from tests.building import a_person
from tests.machine.law import Law

SCOPES = ("*", "domain:growth", "connection:dagster")
FAULTS: tuple[ConnectorError, ...] = (TooSlow(), Broken(), Unreachable())


class Moves:
    """Over one world. What arrives is only stored here; the worker takes it up in its own time."""

    def __init__(self, world: World, law: Law) -> None:
        self.world, self.law = world, law
        self.sent: list[Received] = []

    async def alert(self, number: int) -> None:
        """The same few messages again and again: Slack repeats itself."""
        await self.world.receive(f"Ev{number}")

    async def decide(self, person: str, choice: str, *, old: bool, forged: bool) -> None:
        """A tap on the newest request, or on the first; `forged` carries another digest than was shown."""
        found = await self._request(old=old)
        if found is not None:
            await self._tap(found, person, choice, "sha256:0" if forged else None)

    async def _tap(
        self, found: tuple[Incident, RequestState], person: str, choice: str, digest: str | None
    ) -> None:
        incident, state = found
        number, now = len(self.sent), self.world.clock.now()
        command = Decide(
            key=f"tap-{number}",
            incident_id=incident.id,
            request_id=state.request.id,
            person=person,
            name=person.title(),
            team="T0DEMO",
            choice="yes" if choice == "yes" else "no",
            digest=digest or state.request.digest,
            where="thread",
            at=now,
            respond_to="http://127.0.0.1/response",
        )
        await self._send(Received(key=command.key, command=command, raw="{}", at=now))

    async def redeliver(self, which: int) -> None:
        """Slack delivers something once more."""
        if self.sent:
            await self.world.desk.receive(self.sent[which % len(self.sent)])

    async def revoke(self, person: str) -> None:
        found = await self._request(old=False)
        if found is not None:
            about = {"incident_id": found[0].id, "request_id": found[1].request.id}
            key, now = f"back-{len(self.sent)}", self.world.clock.now()
            command = Revoke(key=key, person=person, at=now, **about)
            await self._send(Received(key=key, command=command, raw="{}", at=now))

    async def hand_over(self, person: str, to: str) -> None:
        found = await self._request(old=False)
        if found is not None:
            about = {"incident_id": found[0].id, "request_id": found[1].request.id}
            key, now = f"hand-{len(self.sent)}", self.world.clock.now()
            command = HandOn(key=key, person=person, to=to, at=now, **about)
            await self._send(Received(key=key, command=command, raw="{}", at=now))

    async def mark_done(self, person: str) -> None:
        key, now = f"done-{len(self.sent)}", self.world.clock.now()
        command = MarkDone(key=key, incident_id="DW-1", step_id="backfill", person=person, at=now)
        await self._send(Received(key=key, command=command, raw="{}", at=now))

    async def goes_well(self) -> None:
        """The next thing that must happen for the night to end well."""
        incident = await self.world.store.load("DW-1")
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
            return await self._tap((incident, state), "U0ANA", "yes", None)
        if state.request.hop == 0:
            self.world.clock.advance(seconds=301)
            return None
        return await self._tap((incident, state), "U0CLEO", "yes", None)

    async def until_deadline(self, more: int) -> None:
        """So many seconds after the end of the turn that the newest request is in, or before it."""
        found = await self._request(old=False)
        if found is not None:
            wait = found[1].request.deadline - self.world.clock.now()
            self.world.clock.advance(seconds=max(0, wait.total_seconds() + more))

    async def stands(self, doer: str, *phases: StepPhase) -> bool:
        """Whether a step of a person, or of the bot, is in one of these phases."""
        incident = await self.world.store.load("DW-1")
        steps = incident.plan.steps if incident and incident.plan else ()
        return incident is not None and any(
            incident.steps[step.id].phase in phases for step in steps if step.doer == doer
        )

    async def change(self, what: str) -> None:
        """Something that must keep what was approved from starting; or nothing."""
        if what == "code":
            self.code("v2")
        elif what == "reach":
            self.reach(wide=True)
        elif what in SCOPES:
            await self.stop(what)

    def runs_end(self, state: RunState) -> None:
        """Whatever runs in the orchestrator ends."""
        for run in tuple(self.world.runs.runs.values()):
            if not run.state.ended:
                self.world.runs.end(run.id, state)

    async def stop(self, scope: str) -> None:
        now = self.world.clock.now()
        await self.world.store.stop(Stop(by="U0DEE", at=now, reason="drill", scope=scope))
        self.law.stops.add(scope)

    async def lift(self, scope: str) -> None:
        await self.world.store.lift(scope, "U0DEE", self.world.clock.now())
        self.law.stops.discard(scope)

    async def leave(self, person: str, delegate: str | None) -> None:
        now = self.world.clock.now()
        wish = Absence(person=person, until=now + timedelta(days=999), delegate=delegate)
        if await self.world.desk.leave(wish) is None:
            self.law.away[person] = delegate

    async def come_back(self, person: str) -> None:
        await self.world.desk.come_back(person)
        self.law.away.pop(person, None)

    def who_is_who(self, person: str, **now: bool) -> None:
        """Slack says something else of somebody: deactivated, a guest, or in order again."""
        self.world.people.people[person] = a_person(person, **now)

    def group(self, *people: str) -> None:
        """The members of the user group are these now."""
        self.world.people.seats["@data-oncall"] = people

    def code(self, version: str) -> None:
        self.world.systems["dagster"].version = version  # type: ignore[attr-defined]

    def reach(self, *, wide: bool) -> None:
        """Something new is built from the rollups, or is no more."""
        system = self.world.systems["dagster"]
        graph = system.graph  # type: ignore[attr-defined]
        assets = {name: one for name, one in graph.assets.items() if name != "fct_new"}
        edges = {edge for edge in graph.edges if "fct_new" not in edge}
        if wide:
            assets["fct_new"] = Asset(key="fct_new", said_by="dagster")
            edges |= {("agg_weekly_engagement", "fct_new")}
        system.graph = replace(graph, assets=assets, edges=frozenset(edges))  # type: ignore[attr-defined]

    def trouble(self, what: str, which: int) -> None:
        """The next call of something goes wrong."""
        fault = FAULTS[which % len(FAULTS)]
        troubles: dict[str, Callable[[], None]] = {
            "before": lambda: self.world.actuator.before.append(fault),
            "after": lambda: self.world.actuator.after.append(fault),
            "slack": lambda: self.world.slack.fail.append(RetryAfter(5, "busy")),
            "refused": lambda: self.world.slack.fail.append(Undeliverable("not in channel")),
        }
        troubles[what]()

    async def _request(self, *, old: bool) -> tuple[Incident, RequestState] | None:
        incident = await self.world.store.load("DW-1")
        if incident is None or not incident.requests:
            return None
        return incident, list(incident.requests.values())[0 if old else -1]

    async def _send(self, item: Received) -> None:
        self.sent.append(item)
        await self.world.desk.receive(item)


Move = Callable[[], Awaitable[None]]
