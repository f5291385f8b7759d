"""What must hold of every journal, judged by this file's own reading of the rules and not by the code's.

Each fact is judged in the moment it appears, against the world as it is in that moment.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from policies import events as e
from policies.approval import ApprovalRequest, Decision
from policies.incident import Incident
from policies.lifecycle import replay
from policies.receipt import Receipt, body, verify
from tests.bot.worker.world import World
from tests.machine.trust import Trust

_JUDGED = (e.DecisionMade, e.ApprovalGranted, e.StepReady, e.ActionStarted)
JOB = "growth_rollups_job"


@dataclass
class Law:
    """Judges what is new in the database. `away` is who said so: person → who decides for them."""

    world: World
    away: dict[str, str | None] = field(default_factory=dict)
    stops: set[str] = field(default_factory=set)
    judged: dict[str, int] = field(default_factory=dict)
    keys: dict[str, tuple[Incident, str]] = field(default_factory=dict)
    started: int = 0
    sealed: int = 0

    def __post_init__(self) -> None:
        self.trust = Trust(self.world)

    async def judge(self) -> None:
        """Raise `AssertionError` with what is against the law."""
        store = self.world.store
        for line in await store.incidents(open_only=False, limit=99):
            entries = await store.entries(line.id)
            if len(entries) > self.judged.get(line.id, 0):
                incident = await store.load(line.id)
                assert incident is not None
                assert incident == replay(line.id, entries)
                assert line.phase is incident.phase
                await self._journal(incident, entries)
        self._outside()
        await self._receipts(await store.receipts())
        await self.trust.seen()

    async def _journal(self, incident: Incident, entries: Sequence[e.Entry]) -> None:
        begun = [x.event for x in entries if isinstance(x.event, e.ActionStarted)]
        twice = Counter(event.step_id for event in begun)
        assert max(twice.values(), default=0) <= 1, f"two actions for one step: {twice}"
        for entry in entries[self.judged.get(incident.id, 0) :]:
            if isinstance(entry.event, _JUDGED):
                await self._fact(entries[: entry.seq - 1], entry)
        self.judged[incident.id] = len(entries)
        self.keys |= {event.key: (incident, event.step_id) for event in begun}

    def _outside(self) -> None:
        """What ran was written down before, ran once, as it was shown, and did not begin during a stop."""
        ran = self.world.runs.started
        assert len(set(ran)) == len(ran), f"started twice: {ran}"
        assert set(ran) <= set(self.keys), f"started without being written down: {ran}"
        for key in ran[self.started :]:
            assert not self._stopped("connection:dagster"), "sent during a stop"
            self._as_shown(*self.keys[key])
        self.started = len(ran)

    async def _fact(self, told: Sequence[e.Entry], entry: e.Entry) -> None:
        before = replay("", told)
        match entry.event:
            case e.DecisionMade(request_id=name, decision=decision):
                assert before.requests[name].open, "a decided request was decided"
                self._decided(before.requests[name].request, decision)
                if decision.where == "delegation":
                    await self.trust.holds({decision.person}, "decided")
            case e.ApprovalGranted(request_id=name):
                self._granted(before.requests[name].request, told)
            case e.StepReady() as event:
                self._ready(before, event)
            case e.ActionStarted() as event:
                await self._begun(before, told, entry, event)
            case _:
                pass

    def _decided(self, asked: ApprovalRequest, decision: Decision) -> None:
        assert decision.digest == asked.digest, "decided on another screen"
        assert not self._stopped(), "decided during a stop"
        if decision.where != "delegation":
            assert decision.at <= asked.deadline, "decided after the deadline"
            assert decision.person in self._may(asked), f"{decision.person} may not"

    def _ready(self, before: Incident, event: e.StepReady) -> None:
        step = before.step(event.step_id)
        assert not self._stopped(f"connection:{step.connection}"), "got ready during a stop"
        assert len(event.results) == len(step.gate), "a gate was left out"
        assert all(result.passed is True for result in event.results), "its gate does not pass"
        assert self._gate_passes() or not step.gate, "its gate can't be read as passed"

    async def _begun(
        self, before: Incident, told: Sequence[e.Entry], entry: e.Entry, event: e.ActionStarted
    ) -> None:
        state = before.request_of(event.step_id)
        assert state is not None, "nobody was asked"
        assert state.outcome == "approved", f"started although {state.outcome}"
        assert state.decided_at is not None
        assert entry.at <= state.decided_at + timedelta(hours=12), "started on a yes that lapsed"
        assert event.digest == state.request.digest, "started by another digest"
        people = self._granted(state.request, told)
        assert set(event.approved_by) == people, "started in the name of others"
        if any(decision.where == "delegation" for decision in state.decisions):
            await self.trust.holds(people, "started")
        assert not self._stopped("connection:dagster"), "started during a stop"
        self._as_shown(before, event.step_id)

    def _granted(self, asked: ApprovalRequest, told: Sequence[e.Entry]) -> set[str]:
        """By enough people, each a vote of their own; what was taken back counts no more."""
        made: dict[str, Decision] = {}
        for event in (entry.event for entry in told):
            if isinstance(event, e.DecisionMade) and event.request_id == asked.id:
                made[event.decision.key] = event.decision
            elif isinstance(event, e.DecisionRevoked):
                made.pop(event.key, None)
        counting = [d for d in made.values() if d.digest == asked.digest]
        said = [d for d in counting if d.choice == "yes"]
        people = {d.person for d in said}
        votes = min(len(people), len({d.grant.for_person or d.person for d in said}))
        assert votes >= asked.rule.quorum, "granted without enough people"
        assert not [d for d in counting if d.choice == "no"], "granted against a no"
        return people

    def _as_shown(self, before: Incident, step_id: str) -> None:
        """The code, its parameters and the reach of this moment are those that were on the screen."""
        state = before.request_of(step_id)
        assert state is not None
        shown = next(step for step in state.shown if step.id == step_id)
        dagster = self.world.systems["dagster"]
        assert shown.code_version == dagster.version, "other code"  # type: ignore[attr-defined]
        job = self.world.context.rules.connections["dagster"].jobs[str(shown.params["job"])]
        assert shown.params.get("config", {}) == job.config, "other SQL"
        assert "fct_new" not in dagster.graph.assets or "fct_new" in state.request.reach, "reach"  # type: ignore[attr-defined]

    def _gate_passes(self) -> bool:
        said = self.world.systems["dagster"].values["asset_check"]
        return not isinstance(said, Exception) and said.get("passed") is True

    def _may(self, asked: ApprovalRequest) -> set[str]:
        """Who sits in a seat that counts now, or decides for somebody there who is away."""
        if self.world.people.problem:
            return set()
        first = 0 if asked.rule.late_counts else asked.hop
        links = [link for link in asked.rule.chain[first : asked.hop + 1] if not link.handed_on]
        seats = self.world.people.seats
        able = {p for link in links for p in seats.get(link.seat.ref, (link.seat.ref,))}
        able = {person for person in able if self.trust.able(person)}
        for person in tuple(able):
            at, seen = self.away.get(person), {person}
            while at is not None and at not in seen:
                seen.add(at)
                able |= {at} if at not in self.away and self.trust.able(at) else set()
                at = self.away.get(at)
        return able

    def _stopped(self, *more: str) -> bool:
        return bool(self.stops & {"*", "domain:growth", *more})

    async def _receipts(self, receipts: Sequence[Receipt]) -> None:
        if len(receipts) == self.sealed:
            return
        self.sealed = len(receipts)
        assert verify(receipts) is None
        for receipt in receipts:
            if not receipt.incident_id.startswith("level:"):
                await self._receipt(receipt)

    async def _receipt(self, receipt: Receipt) -> None:
        entries = await self.world.store.entries(receipt.incident_id)
        issued = next(x for x in entries if isinstance(x.event, e.ReceiptIssued))
        assert (issued.event.number, issued.event.hash) == (receipt.number, receipt.hash)  # type: ignore[union-attr]
        told = entries[: issued.seq - 1]
        assert receipt.body == body(replay(receipt.incident_id, told), told)
        said = {one["person"] for one in receipt.body["decisions"]}
        assert said >= {
            d.event.decision.person for d in told if isinstance(d.event, e.DecisionMade)
        }
