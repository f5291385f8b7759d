"""What must hold of every journal, judged by this file's own reading of the rules and not by the code's.

Each fact is judged in the moment it appears, against the world as it is in that moment.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from policies import events as e
from policies.approval import ApprovalRequest
from policies.incident import Incident
from policies.lifecycle import replay
from policies.receipt import Receipt, body, verify
from tests.bot.worker.world import World

_JUDGED = (e.DecisionMade, e.ApprovalGranted, e.ActionStarted)


@dataclass
class Law:
    """Judges what is new in the database. `away` is who said so: person → who decides for them."""

    world: World
    away: dict[str, str | None] = field(default_factory=dict)
    stops: set[str] = field(default_factory=set)
    judged: dict[str, int] = field(default_factory=dict)
    started: int = 0

    async def judge(self) -> None:
        """Raise `AssertionError` with what is against the law."""
        store = self.world.store
        keys: dict[str, tuple[Incident, str]] = {}
        lines = await store.incidents(open_only=False, limit=99)
        for line in lines:
            entries = await store.entries(line.id)
            incident = await store.load(line.id)
            assert incident is not None
            assert incident == replay(line.id, entries)
            assert line.phase is incident.phase
            self._once(entries)
            for entry in entries[self.judged.get(line.id, 0) :]:
                if isinstance(entry.event, _JUDGED):
                    self._fact(replay(line.id, entries[: entry.seq - 1]), entry)
            self.judged[line.id] = len(entries)
            begun = [x.event for x in entries if isinstance(x.event, e.ActionStarted)]
            keys |= {event.key: (incident, event.step_id) for event in begun}
        self._outside(keys)
        await self._receipts(await store.receipts())

    def _once(self, entries: Sequence[e.Entry]) -> None:
        """Never two actions for one step."""
        begun = [x.event.step_id for x in entries if isinstance(x.event, e.ActionStarted)]
        assert max(Counter(begun).values(), default=0) <= 1, begun

    def _outside(self, keys: dict[str, tuple[Incident, str]]) -> None:
        """What ran was written down before, ran once, as it was shown, and did not begin during a stop."""
        ran = self.world.runs.started
        assert len(set(ran)) == len(ran), ran
        assert set(ran) <= set(keys), (ran, keys)
        for key in ran[self.started :]:
            assert not self._stopped("connection:dagster"), "sent during a stop"
            self._as_shown(*keys[key])
        self.started = len(ran)

    def _fact(self, before: Incident, entry: e.Entry) -> None:
        match entry.event:
            case e.DecisionMade(request_id=name, decision=decision):
                state = before.requests[name]
                asked = state.request
                assert state.open, "a decided request was decided"
                assert decision.digest == asked.digest, "decided on another screen"
                assert decision.at <= asked.deadline, "decided after the deadline"
                assert decision.person in self._may(asked), f"{decision.person} may not"
                assert not self._stopped(), "decided during a stop"
            case e.ApprovalGranted(request_id=name):
                self._granted(before, name)
            case e.ActionStarted(step_id=step_id, digest=digest, approved_by=people):
                state_of = before.request_of(step_id)
                assert state_of is not None, "nobody was asked"
                assert state_of.outcome == "approved"
                assert digest == state_of.request.digest
                assert set(people) == self._granted(before, state_of.request.id)
                assert not self._stopped("connection:dagster"), "started during a stop"
                self._as_shown(before, step_id)
            case _:
                pass

    def _granted(self, before: Incident, name: str) -> set[str]:
        state = before.requests[name]
        counting = [d for d in state.decisions if d.digest == state.request.digest]
        yes = {d.person for d in counting if d.choice == "yes"}
        assert len(yes) >= state.request.rule.quorum, "granted without enough people"
        assert not [d for d in counting if d.choice == "no"], "granted against a no"
        return yes

    def _as_shown(self, before: Incident, step_id: str) -> None:
        """The code and the reach of this moment are those that were on the screen."""
        state = before.request_of(step_id)
        assert state is not None
        shown = next(step for step in state.shown if step.id == step_id)
        dagster = self.world.systems["dagster"]
        assert shown.code_version == dagster.version  # type: ignore[attr-defined]
        assert "fct_new" not in dagster.graph.assets or "fct_new" in state.request.reach  # type: ignore[attr-defined]

    def _may(self, asked: ApprovalRequest) -> set[str]:
        """Who sits in a seat that counts now, or decides for somebody there who is away."""
        first = 0 if asked.rule.late_counts else asked.hop
        links = [link for link in asked.rule.chain[first : asked.hop + 1] if not link.handed_on]
        seats = self.world.people.seats
        able = {p for link in links for p in seats.get(link.seat.ref, (link.seat.ref,))}
        able = {person for person in able if self._able(person)}
        for person in tuple(able):
            at, seen = self.away.get(person), {person}
            while at is not None and at not in seen:
                seen.add(at)
                able |= {at} if at not in self.away and self._able(at) else set()
                at = self.away.get(at)
        return able

    def _able(self, slack_id: str) -> bool:
        person = self.world.people.people.get(slack_id)
        return person is not None and not (person.deactivated or person.guest or person.bot)

    def _stopped(self, *more: str) -> bool:
        return bool(self.stops & {"*", "domain:growth", *more})

    async def _receipts(self, receipts: Sequence[Receipt]) -> None:
        assert verify(receipts) is None
        for receipt in receipts:
            entries = await self.world.store.entries(receipt.incident_id)
            issued = next(x for x in entries if isinstance(x.event, e.ReceiptIssued))
            assert (issued.event.number, issued.event.hash) == (receipt.number, receipt.hash)  # type: ignore[union-attr]
            told = entries[: issued.seq - 1]
            assert receipt.body == body(replay(receipt.incident_id, told), told)
            said = {one["person"] for one in receipt.body["decisions"]}
            assert said >= {
                d.event.decision.person for d in told if isinstance(d.event, e.DecisionMade)
            }
