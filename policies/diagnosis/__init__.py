"""From questions and answers to ranked causes: a generator that never touches the world itself.

To add a cause: one module with `rank(facts, rules)`, and its name in `CAUSES`.
"""

from collections.abc import Callable, Generator

from policies.diagnosis import (
    asset_stale,
    code_changed,
    run_absent,
    source_incomplete,
    source_replica_behind,
    step_error,
)
from policies.diagnosis.questions import ROUNDS
from policies.diagnosis.unknown import not_known
from policies.evidence import Cause, Diagnosis, Evidence, Probe
from policies.facts import Facts
from policies.incident import Incident
from policies.rules import Rules

Rank = Callable[[Facts, Rules], Cause | None]

#: what is less likely than this is no answer to "why"
LEAST = 0.3

#: in the order in which equal confidence is ranked
CAUSES: tuple[Rank, ...] = (
    source_replica_behind.rank,
    source_incomplete.rank,
    code_changed.rank,
    step_error.rank,
    asset_stale.rank,
    run_absent.rank,
)


def diagnose(
    incident: Incident, rules: Rules
) -> Generator[tuple[Probe, ...], tuple[Evidence, ...], Diagnosis]:
    """Yields probes, takes one evidence for each (answered or not), returns the ranked causes.

    Starts afresh each time: evidence that is stored already is not used, for it may be old.
    """
    facts = Facts(incident=incident)
    for questions in ROUNDS:
        probes = questions(facts, rules)
        if probes:
            facts = facts.knowing((yield probes))
    return conclude(facts, rules)


def conclude(facts: Facts, rules: Rules) -> Diagnosis:
    """The causes that fit, best first, then those that were ruled out; none when nothing fits."""
    found = [cause for rank in CAUSES if (cause := rank(facts, rules))]
    ranked = sorted(found, key=lambda cause: (not _fits(cause), -cause.confidence))
    fits = any(_fits(cause) for cause in ranked)
    return Diagnosis(causes=tuple(ranked) if fits else (), unknown=not_known(facts, rules))


def _fits(cause: Cause) -> bool:
    return bool(cause.for_) and cause.confidence >= LEAST
