"""Any order of taps, crashes, changes and hours, over the real desk, worker and store of both databases.

Bounded here, and the same each time; what is against the law is told as it was found. A long campaign, which
also tells it as short as it can be: `pytest tests/machine --hypothesis-profile=long`.
"""

import asyncio
import itertools
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from structlog.testing import capture_logs

from policies.incident import StepPhase
from policies.run import RunState
from tests.bot.worker.world import a_world
from tests.clock import FakeClock
from tests.databases import emptied
from tests.machine.law import Law
from tests.machine.mortal import Died, Fate, Restless, mortal_worker
from tests.machine.moves import SCOPES, Moves

_QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck)}
hypothesis.settings.register_profile(
    "long", max_examples=400, stateful_step_count=40, print_blob=True, **_QUIET
)
_BOUNDED = settings(
    max_examples=8,
    stateful_step_count=7,
    derandomize=True,
    phases=(Phase.generate,),
    **_QUIET,
)
_DRAIN = 8

people = st.sampled_from(("U0ANA", "U0CLEO", "U0ANA", "U0DEE", "U0BO", "U0ELI"))
changes = st.sampled_from(("nothing", "nothing", "code", "reach", *SCOPES))
seconds = st.sampled_from((1, 5, 12, 61, 95, 170, 290, 301, 1200, 4000, 50_000))


class Machine(RuleBasedStateMachine):
    """One night in which anything may happen, and at whose end time simply passes."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url, self.runner, self.stack = url, asyncio.Runner(), AsyncExitStack()
        self.fate = Fate()

    def do(self, work: Coroutine[Any, Any, Any]) -> None:
        """In the one loop of this night; then everything new is judged."""
        self.runner.run(work)
        self.runner.run(self.law.judge())

    @initialize(
        quorum=st.sampled_from((1, 1, 2)),
        dee=st.booleans(),
        first=st.sampled_from(("changes", "late", "dies", "asked")),
        what=st.sampled_from(("code", "reach", "*", "connection:dagster")),
        done=st.booleans(),
    )
    def begins(self, quorum: int, dee: bool, first: str, what: str, done: bool) -> None:
        """Somebody is asked, others tap; and in most nights, one of the moments that matter comes at once."""
        self.runner.run(self._open(quorum, dee=dee))
        self.do(self._work())
        self.do(self.moves.decide("U0ELI", "yes", old=False, forged=False))
        self.do(self.moves.decide("U0ANA", "yes", old=False, forged=True))
        self.do(self._work())
        if first == "changes":
            self._change_after_the_yes(what)
        elif first == "dies":
            self._die_at_a_start(Fate(left=1, done=done, at="act"), "nothing")
        elif first == "late":
            self._tap_at_the_end("U0ANA", 30)

    async def _open(self, quorum: int, *, dee: bool) -> None:
        chain = [{"who": "owner", "within": "5m"}, {"who": "@data-oncall", "within": "3m"}]
        chain += [{"who": "dee@example.com", "within": "3m"}] if dee else []
        domain: dict[str, object] = {"chain": chain, "quorum": quorum}
        self.stack.enter_context(
            capture_logs()
        )  # to render what went wrong takes longer than the night
        self.world = await self.stack.enter_async_context(a_world(self.url, FakeClock(), **domain))
        self.law = Law(self.world)
        self.moves = Moves(self.world, self.law)
        await self.moves.alert(1)

    async def _work(self, rounds: int = 2) -> None:
        """Do what is due, also what is put off by a moment; a death leaves the rest to who comes next."""
        worker = mortal_worker(self.world.context, self.fate)
        try:
            for _ in range(rounds):
                await worker.once()
                self.world.clock.advance(seconds=1)
        except Restless:
            raise AssertionError("the work that is due never ends") from None
        except Died:
            pass
        self.fate = Fate(turn=self.fate.turn + 1)

    @rule(after=seconds, turn=st.integers(0, 5))
    def time_passes(self, after: int, turn: int) -> None:
        self.world.clock.advance(seconds=after)
        self.fate.turn = turn
        self.do(self._work())

    @rule(back=st.sampled_from((3, 90, 3700)))
    def the_clock_is_set_back(self, back: int) -> None:
        self.world.clock.advance(seconds=-back)
        self.do(self._work())

    @rule(calls=st.integers(1, 40), done=st.booleans(), first=st.booleans())
    def it_dies(self, calls: int, done: bool, first: bool) -> None:
        """At one of its awaits, in the middle of what happens next; another goes on after the lease."""
        if first:
            self.do(self.moves.goes_well())
        self.fate = Fate(left=calls, done=done)
        self.do(self._work())
        self.world.clock.advance(seconds=61)
        self.do(self._work())

    @rule(
        person=people,
        choice=st.sampled_from(("yes", "yes", "no")),
        old=st.booleans(),
        lag=st.booleans(),
    )
    def somebody_taps(self, person: str, choice: str, old: bool, lag: bool) -> None:
        self.do(self.moves.decide(person, choice, old=old, forged=False))
        if not lag:
            self.do(self._work())

    @rule(person=st.sampled_from(("U0ANA", "U0CLEO")), late=st.sampled_from((1, -1, 30, 700)))
    def somebody_taps_while_nobody_works(self, person: str, late: int) -> None:
        """Around the end of a turn: in time, or too late."""
        self._tap_at_the_end(person, late)

    def _tap_at_the_end(self, person: str, late: int) -> None:
        self.do(self.moves.until_deadline(late))
        self.do(self.moves.decide(person, "yes", old=False, forged=False))
        self.do(self._work())

    @rule(person=people)
    def a_button_is_forged(self, person: str) -> None:
        self.do(self.moves.decide(person, "yes", old=False, forged=True))
        self.do(self._work())

    @rule(which=st.integers(0, 20), number=st.integers(1, 3), alert=st.booleans())
    def slack_repeats_itself(self, which: int, number: int, alert: bool) -> None:
        self.do(self.moves.alert(number) if alert else self.moves.redeliver(which))

    @rule(times=st.integers(1, 3))
    def it_goes_well(self, times: int) -> None:
        self._goes_well(times)

    def _goes_well(self, times: int) -> None:
        for _ in range(times):
            self.do(self.moves.goes_well())
            self.do(self._work())
            self.world.clock.advance(seconds=12)
            self.do(self._work())

    @rule(
        done=st.booleans(),
        at=st.sampled_from(("act", "commit")),
        left=st.integers(1, 3),
        what=changes,
    )
    def it_dies_as_it_starts_something(self, done: bool, at: str, left: int, what: str) -> None:
        """Between a yes and a run; and while nobody works, something may change."""
        self._die_at_a_start(Fate(left=1 if at == "act" else left, done=done, at=at), what)

    def _die_at_a_start(self, fate: Fate, what: str) -> None:
        for _ in range(5):
            if self.runner.run(self.moves.stands("person", StepPhase.READY)):
                break
            self._goes_well(1)
        self.do(self.moves.goes_well())
        self.fate = fate
        self.do(self._work())
        self.do(self.moves.change(what))
        self.world.clock.advance(seconds=61)
        for _ in range(5):
            self.do(self._work())
            self.world.clock.advance(seconds=12)

    @rule(what=changes)
    def something_changes_before_it_starts(self, what: str) -> None:
        """After the yes, and before what must come first has ended."""
        self._change_after_the_yes(what)

    def _change_after_the_yes(self, what: str) -> None:
        for _ in range(5):
            if self.runner.run(self.moves.stands("bot", StepPhase.APPROVED)):
                break
            self._goes_well(1)
        self.do(self.moves.change(what))
        self._goes_well(3)

    @rule(person=people, to=people, what=st.sampled_from(("revoke", "hand", "done")))
    def somebody_changes_their_mind(self, person: str, to: str, what: str) -> None:
        """A decision is taken back, a seat handed over, a step called done."""
        moves = {
            "revoke": lambda: self.moves.revoke(person),
            "hand": lambda: self.moves.hand_over(person, to),
            "done": lambda: self.moves.mark_done(person),
        }
        self.do(moves[what]())
        self.do(self._work())

    @rule(person=people, what=st.sampled_from(("left", "guest", "fine", "fine")))
    def slack_says_otherwise(self, person: str, what: str) -> None:
        self.moves.who_is_who(person, deactivated=what == "left", guest=what == "guest")

    @rule(members=st.sampled_from((("U0CLEO",), (), ("U0ELI",), ("U0CLEO", "U0BO"))))
    def the_group_changes(self, members: tuple[str, ...]) -> None:
        self.moves.group(*members)

    @rule(person=people, delegate=st.one_of(st.none(), people), back=st.booleans())
    def somebody_is_away(self, person: str, delegate: str | None, back: bool) -> None:
        self.do(self.moves.come_back(person) if back else self.moves.leave(person, delegate))

    @rule(scope=st.sampled_from(SCOPES), up=st.booleans())
    def it_is_stopped_or_lifted(self, scope: str, up: bool) -> None:
        self.do(self.moves.lift(scope) if up else self.moves.stop(scope))

    @rule(version=st.sampled_from(("v1", "v2")), wide=st.booleans())
    def what_would_run_changes(self, version: str, wide: bool) -> None:
        self.moves.code(version)
        self.moves.reach(wide=wide)

    @rule(state=st.sampled_from((RunState.SUCCEEDED, RunState.FAILED)))
    def what_runs_ends(self, state: RunState) -> None:
        self.moves.runs_end(state)

    @rule(what=st.sampled_from(("before", "after", "slack", "refused")), which=st.integers(0, 2))
    def something_is_down(self, what: str, which: int) -> None:
        self.moves.trouble(what, which)

    def teardown(self) -> None:
        """Time passes and nobody says anything: everything must come to an end."""
        try:
            if hasattr(self, "law"):
                self.do(self._drain())
        finally:
            self.runner.run(self.stack.aclose())
            self.runner.close()

    async def _drain(self) -> None:
        for scope in SCOPES:
            await self.moves.lift(scope)
        self.world.actuator.before.clear()
        for _ in range(_DRAIN):
            self.moves.runs_end(RunState.SUCCEEDED)
            self.world.clock.advance(seconds=4000)
            await self._work()
        assert await self._asked() == [], "a request never ended"

    async def _asked(self) -> list[str]:
        lines = await self.world.store.incidents(open_only=True, limit=99)
        known = [await self.world.store.load(line.id) for line in lines]
        return [state.request.id for one in known if one for state in one.open_requests()]


def test_whatever_happens_nothing_acts_without_a_yes_and_every_request_ends(
    url: str, tmp_path: Path
) -> None:
    numbers = itertools.count()

    def night() -> Machine:
        return Machine(emptied(url, tmp_path / str(next(numbers))))

    chosen = _BOUNDED
    if settings.get_current_profile_name() == "long":
        chosen = settings.get_profile("long")
    run_state_machine_as_test(night, settings=chosen)
