"""Any order of taps, crashes, changes and hours, over the real desk, worker and store of both databases.

Bounded here, and the same each time; what is against the law is told as it was found. A long campaign, which
also tells it as short as it can be: `pytest tests/machine --hypothesis-profile=long --timeout=0`.
"""

import asyncio
import itertools
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from policies.autonomy.levels import Level
from policies.incident import StepPhase
from policies.run import RunState
from tests.databases import emptied
from tests.machine.changes import FAULTS, SCOPES
from tests.machine.moments import MOMENTS, Moment, asked
from tests.machine.mortal import Fate
from tests.machine.night import Night

_QUIET: dict[str, Any] = {"deadline": None, "suppress_health_check": list(HealthCheck)}
_BOUNDED = settings(
    max_examples=3, stateful_step_count=7, derandomize=True, phases=(Phase.generate,), **_QUIET
)

people = st.sampled_from(("U0ANA", "U0CLEO", "U0ANA", "U0DEE", "U0BO", "U0ELI"))
changes = st.sampled_from(("nothing", "nothing", "code", "sql", "reach", *SCOPES))
seconds = st.sampled_from((1, 5, 12, 61, 95, 170, 290, 301, 1200, 4000, 50_000))
troubles = st.sampled_from(
    ("before", "after", "slack", "refused", "reader", "runs", "directory", "look-up")
)
faults = st.integers(0, len(FAULTS) - 1)


class Machine(RuleBasedStateMachine):
    """One night in which anything may happen, and at whose end time simply passes."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url, self.runner = url, asyncio.Runner()

    def do(self, *works: Awaitable[None]) -> None:
        """In the one loop of this night; after each, everything new is judged."""
        self.runner.run(self.night.do(*works))

    @initialize(
        quorum=st.sampled_from((1, 1, 2)),
        dee=st.booleans(),
        late=st.sampled_from((True, True, False)),
        quiet=st.booleans(),
        first=st.sampled_from(("asked", "asked", *MOMENTS)),
    )
    def begins(self, quorum: int, dee: bool, late: bool, quiet: bool, first: str) -> None:
        """Somebody is asked; or the night begins with one of the moments that matter."""
        moment = MOMENTS.get(first, Moment(asked, {"quorum": quorum, "late_counts": late}))
        terms = {"dee": dee, **moment.terms}
        self.night = self.runner.run(Night(self.url, quiet=quiet, **terms).__aenter__())
        self.runner.run(moment.happens(self.night))

    @rule(after=seconds, turn=st.integers(0, 5))
    def time_passes(self, after: int, turn: int) -> None:
        self.night.clock.advance(seconds=after)
        self.night.fate.turn = turn
        self.do(self.night.work())

    @rule(back=st.sampled_from((3, 90, 3700)))
    def the_clock_is_set_back(self, back: int) -> None:
        self.night.clock.advance(seconds=-back)
        self.do(self.night.work())

    @rule(calls=st.integers(1, 40), done=st.booleans(), first=st.booleans(), gone=st.booleans())
    def it_dies(self, calls: int, done: bool, first: bool, gone: bool) -> None:
        """At one of its calls, in the middle of what happens next; another goes on after the lease.

        Or it lives, and at that call the database is away.
        """
        if first:
            self.do(self.night.moves.goes_well())
        self.runner.run(self.night.dies(Fate(left=calls, done=done, gone=gone)))
        self.do(self.night.work())

    @rule(awaits=st.integers(1, 300), first=st.booleans())
    def it_dies_at_any_await(self, awaits: int, first: bool) -> None:
        """Anywhere in its own code, down to each statement."""
        if first:
            self.do(self.night.moves.goes_well())
        self.runner.run(self.night.dies(Fate(awaits=awaits)))
        self.do(self.night.work())

    @rule(
        person=people,
        choice=st.sampled_from(("yes", "yes", "no")),
        old=st.booleans(),
        forged=st.sampled_from((False, False, False, True)),
        lag=st.booleans(),
    )
    def somebody_taps(self, person: str, choice: str, old: bool, forged: bool, lag: bool) -> None:
        self.do(self.night.moves.decide(person, choice, old=old, forged=forged))
        if not lag:
            self.do(self.night.work())

    @rule(person=st.sampled_from(("U0ANA", "U0CLEO")), late=st.sampled_from((1, -1, 30, 700)))
    def somebody_taps_while_nobody_works(self, person: str, late: int) -> None:
        """Around the end of a turn: in time, or too late."""
        self.do(self.night.moves.until_deadline(late))
        self.do(self.night.moves.decide(person), self.night.work())

    @rule(which=st.integers(0, 20), number=st.integers(1, 3), alert=st.booleans())
    def slack_repeats_itself(self, which: int, number: int, alert: bool) -> None:
        moves = self.night.moves
        self.do(moves.alert(number) if alert else moves.redeliver(which))

    @rule(times=st.integers(1, 3))
    def it_goes_well(self, times: int) -> None:
        self.runner.run(self.night.goes_well(times))

    @rule(
        done=st.booleans(),
        at=st.sampled_from(("act", "commit", "lineage")),
        left=st.integers(1, 3),
        what=changes,
        hidden=st.booleans(),
    )
    def it_dies_as_it_starts_something(
        self, done: bool, at: str, left: int, what: str, hidden: bool
    ) -> None:
        """Between a yes and a run; and while nobody works, something may change."""
        self.runner.run(self.night.until("person", StepPhase.READY))
        self.do(self.night.moves.goes_well())
        fate = Fate(left=left if at == "commit" else 1, done=done, at=at)
        self.runner.run(self.night.dies(fate))
        self.do(self.night.changes.one(what))
        self.night.world.actuator.hidden = hidden
        self.runner.run(self.night.later(1))
        self.night.world.actuator.hidden = False
        self.runner.run(self.night.later(12, times=4))

    @rule(what=changes)
    def something_changes_before_it_starts(self, what: str) -> None:
        """After the yes, and before what must come first has ended."""
        self.runner.run(self.night.until("bot", StepPhase.APPROVED))
        self.do(self.night.changes.one(what))
        self.runner.run(self.night.goes_well(3))

    @rule(person=people, to=people, what=st.sampled_from(("revoke", "hand", "done")))
    def somebody_changes_their_mind(self, person: str, to: str, what: str) -> None:
        """A decision is taken back, a seat handed over, a step called done."""
        moves = {
            "revoke": lambda: self.night.moves.revoke(person),
            "hand": lambda: self.night.moves.hand_over(person, to),
            "done": lambda: self.night.moves.mark_done(person),
        }
        self.do(moves[what](), self.night.work())

    @rule(
        person=st.sampled_from(("U0DEE", "U0DEE", "U0ANA")),
        level=st.sampled_from(("L2", "L3", "L4")),
    )
    def somebody_sets_a_level(self, person: str, level: Level) -> None:
        self.do(self.night.moves.level(person, level))

    @rule(person=people, what=st.sampled_from(("left", "guest", "fine", "fine")))
    def slack_says_otherwise(self, person: str, what: str) -> None:
        now = {"deactivated": what == "left", "guest": what == "guest"}
        self.night.changes.who_is_who(person, **now)

    @rule(members=st.sampled_from((("U0CLEO",), (), ("U0ELI",), ("U0CLEO", "U0BO"))))
    def the_group_changes(self, members: tuple[str, ...]) -> None:
        self.night.changes.group(*members)

    @rule(person=people, delegate=st.one_of(st.none(), people), back=st.booleans())
    def somebody_is_away(self, person: str, delegate: str | None, back: bool) -> None:
        world = self.night.changes
        self.do(world.come_back(person) if back else world.leave(person, delegate))

    @rule(scope=st.sampled_from(SCOPES), up=st.booleans())
    def it_is_stopped_or_lifted(self, scope: str, up: bool) -> None:
        world = self.night.changes
        self.do(world.lift(scope) if up else world.stop(scope))

    @rule(version=st.sampled_from(("v1", "v2")), wide=st.booleans(), sql=st.integers(0, 1))
    def what_would_run_changes(self, version: str, wide: bool, sql: int) -> None:
        self.night.changes.code(version)
        self.night.changes.reach(wide=wide)
        self.night.changes.sql(f"select {sql}")

    @rule(state=st.sampled_from((RunState.SUCCEEDED, RunState.FAILED)), gate=st.booleans())
    def what_runs_ends(self, state: RunState, gate: bool) -> None:
        self.night.moves.runs_end(state)
        self.night.changes.gate(says=gate)

    @rule(what=troubles, which=faults, heals=st.booleans())
    def something_is_down(self, what: str, which: int, heals: bool) -> None:
        """While it is, work goes on; and it is mended at once, or with the next that is mended."""
        self.night.changes.trouble(what, which)
        self.do(self.night.work())
        if heals:
            self.do(self.night.changes.heal())

    def teardown(self) -> None:
        """Time passes and nobody says anything: everything must come to an end."""
        try:
            if hasattr(self, "night"):
                self.runner.run(self.night.__aexit__(None, None, None))
        finally:
            self.runner.close()


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
