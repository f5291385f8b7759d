"""The moments in which something could go wrong, each driven to on purpose: luck is not waited for.

Every night of the state machine begins with one of them, and each is a test of its own.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from policies.incident import StepPhase
from policies.run import RunState
from tests.machine.mortal import Fate
from tests.machine.night import Night

_ALREADY = ("code", "sql", "reach")
S = StepPhase


async def asked(night: Night) -> None:
    """An alert came, and the owner is asked."""
    await night.do(night.moves.alert(1), night.work())


async def nobody_entitled_taps(night: Night) -> None:
    """Outsiders, forged buttons, a stop, a database or a Slack that can't tell, people who left."""
    await asked(night)
    await night.tap("U0ELI")
    await night.tap("U0ANA", forged=True)
    for scope in ("*", "domain:growth"):
        await night.do(night.changes.stop(scope), night.moves.decide("U0ANA"), night.work())
        await night.do(night.changes.lift(scope))
    night.changes.directory(answers=False)
    await night.tap("U0ANA")
    night.changes.directory(answers=True)
    night.changes.trouble("look-up", 0)
    night.changes.who_is_who("U0ANA", guest=True)
    await night.tap("U0ANA")
    await night.later(6)
    night.changes.who_is_who("U0ANA", deactivated=True)
    await night.tap("U0ANA")
    night.changes.who_is_who("U0ANA")
    assert not await decided(night)


async def the_database_is_away_while_stopped(night: Night) -> None:
    """Whoever can't tell whether it is stopped decides nothing."""
    await asked(night)
    await night.do(night.changes.stop("*"), night.moves.decide("U0ANA"))
    await night.dies(Fate(left=1, at="stopped", gone=True))
    await night.later(1)
    assert not await decided(night)


async def it_is_decided_only_once(night: Night) -> None:
    """Handed over, decided, delivered again, and tapped again by both: none of these is left without an end."""
    await asked(night)
    await night.do(night.moves.hand_over("U0ANA", "U0BO"), night.work())
    await night.tap("U0ANA")
    assert not await decided(night)
    await night.tap("U0BO")
    await night.do(night.moves.redeliver(2), night.work())
    for person, choice in (("U0BO", "yes"), ("U0BO", "no"), ("U0ANA", "no")):
        await night.tap(person, choice)
    await night.goes_well(4)
    assert len(night.world.runs.started) == 1


async def it_is_taken_back(night: Night) -> None:
    """Of two that are needed the first one is taken back: the second alone is not enough."""
    await asked(night)
    await night.tap("U0ANA")
    await night.do(night.moves.until_deadline(1), night.work())
    await night.do(night.moves.revoke("U0ANA"), night.work())
    await night.tap("U0CLEO")
    assert not await decided(night)
    await night.tap("U0ANA")
    assert await decided(night)


async def something_changes_before_it_starts(night: Night) -> None:
    """After the yes and before the gate opens: each change is asked for again, but not a smaller reach."""
    await asked(night)
    await at_the_gate(night)
    for what in _ALREADY:
        await night.changes.one(what)
        await gate_opens(night)
        assert not night.world.runs.started
        night.changes.gate(says=False)
        await night.tap("U0ANA")
        await night.later(12)
    night.changes.reach(wide=False)
    await gate_opens(night)
    assert len(night.world.runs.started) == 1


async def it_is_stopped_before_it_starts(night: Night) -> None:
    """At the gate, and again when it was about to start; and a gate that can't be read holds."""
    await asked(night)
    await at_the_gate(night)
    night.changes.trouble("reader", 2)
    await night.later(12)
    await night.do(night.changes.stop("connection:dagster"))
    await gate_opens(night)
    await night.do(night.changes.lift("connection:dagster"))
    await night.later(12, times=2)
    await night.do(night.moves.decide("U0ANA"))
    await night.dies(Fate(left=1, at="lineage"))
    assert await night.moves.stands("bot", S.READY)
    await night.do(night.changes.stop("*"))
    await night.later(12, times=2)
    assert not night.world.runs.started


async def it_dies_when_it_has_started(night: Night) -> None:
    """The run is there, nobody knows, and the orchestrator shows it late."""
    await asked(night)
    await at_the_gate(night)
    night.changes.gate(says=True)
    night.clock.advance(seconds=12)
    await night.dies(Fate(left=1, done=True, at="act"))
    night.world.actuator.hidden = True
    await night.later(1, times=2)
    night.world.actuator.hidden = False
    await night.later(6, times=6)
    assert len(night.world.runs.started) == 1


async def it_dies_just_before_it_starts(night: Night) -> None:
    """Nothing was sent; and when somebody looks again, other code would run."""
    await asked(night)
    await at_the_gate(night)
    night.changes.gate(says=True)
    night.clock.advance(seconds=12)
    await night.dies(Fate(left=1, at="act"))
    await night.changes.one("code")
    await night.later(6, times=6)
    assert not night.world.runs.started


async def nobody_answers(night: Night) -> None:
    """Taps from before, in a chain where being late does not count; too few; and then silence."""
    await asked(night)
    await night.do(night.moves.until_deadline(30))
    await night.tap("U0ANA")
    await night.tap("U0ANA")
    night.clock.advance(seconds=-90)
    await night.tap("U0CLEO")
    night.changes.group("U0BO")
    await night.tap("U0CLEO", "no")
    await night.do(night.moves.until_deadline(1), night.work())
    await night.tap("U0BO")
    await night.do(night.moves.until_deadline(700))
    await night.tap("U0DEE")
    assert not await decided(night)


async def somebody_decides_for_another(night: Night) -> None:
    """One vote, whoever of the two says it, or both; the next in the chain is the second."""
    await night.do(night.changes.leave("U0ANA", "U0BO"))
    await asked(night)
    await night.tap("U0BO")
    await night.tap("U0ANA")
    assert not await decided(night)
    await night.do(night.moves.until_deadline(1), night.work())
    await night.tap("U0CLEO")
    await night.goes_well(4)
    assert len(night.world.runs.started) == 1


async def trust_ends_before_it_starts(night: Night) -> None:
    """A delegation that is lowered while it waits at the gate."""
    await trusted(night)
    await night.do(night.moves.level("U0DEE", "L2"), night.work())
    await gate_opens(night)
    assert not night.world.runs.started
    await night.do(night.moves.level("U0DEE", "L4"), night.work())
    await night.tap("U0ANA")
    await night.goes_well(2)
    assert len(night.world.runs.started) == 1


async def who_gave_trust_leaves_before_it_starts(night: Night) -> None:
    """Nothing goes on in the name of somebody who is not there any more."""
    await trusted(night)
    night.changes.who_is_who("U0DEE", deactivated=True)
    await gate_opens(night)
    assert not night.world.runs.started


async def trust_is_lost_by_a_bad_end(night: Night) -> None:
    """It goes on alone, the run fails, the class falls, and the next time somebody is asked."""
    await trusted(night)
    await gate_opens(night)
    assert len(night.world.runs.started) == 1
    night.moves.runs_end(RunState.FAILED)
    await night.later(12, times=2)
    await night.do(night.moves.alert(2), night.work())
    await night.tap("U0ANA")
    found = await night.moves.incident()
    assert found is not None
    assert not [d for r in found.requests.values() for d in r.decisions if d.where == "delegation"]


async def trusted(night: Night) -> None:
    """What the bot runs was delegated, and it waits at its gate."""
    await night.do(night.moves.level("U0ELI", "L4"), night.moves.level("U0DEE", "L4"), night.work())
    await night.do(night.moves.alert(1), night.work())
    await at_the_gate(night)


async def at_the_gate(night: Night) -> None:
    """What comes first is done, and the check before the bot's own step does not pass yet."""
    await night.until("person", S.READY)
    night.world.launch()
    night.changes.gate(says=False)
    await night.later(12, times=2)
    assert await night.moves.stands("person", S.DONE)
    assert await night.moves.stands("bot", S.APPROVED)


async def gate_opens(night: Night) -> None:
    """The check passes from now on."""
    night.changes.gate(says=True)
    await night.later(12, times=2)


async def decided(night: Night) -> bool:
    """Whether any request of the newest incident was granted."""
    found = await night.moves.incident()
    return found is not None and any(r.outcome == "approved" for r in found.requests.values())


@dataclass(frozen=True)
class Moment:
    """What happens, and what dw.yml says of the domain in that night."""

    happens: Callable[[Night], Awaitable[None]]
    terms: Mapping[str, Any] = field(default_factory=dict)


MOMENTS: Final[Mapping[str, Moment]] = {
    one.happens.__name__: one
    for one in (
        Moment(nobody_entitled_taps),
        Moment(the_database_is_away_while_stopped),
        Moment(it_is_decided_only_once),
        Moment(it_is_taken_back, {"quorum": 2}),
        Moment(something_changes_before_it_starts),
        Moment(it_is_stopped_before_it_starts),
        Moment(it_dies_when_it_has_started),
        Moment(it_dies_just_before_it_starts),
        Moment(nobody_answers, {"late_counts": False, "quorum": 2, "dee": True}),
        Moment(somebody_decides_for_another, {"quorum": 2}),
        Moment(trust_ends_before_it_starts),
        Moment(who_gave_trust_leaves_before_it_starts),
        Moment(trust_is_lost_by_a_bad_end),
        Moment(trusted),
    )
}
