"""A step raised an exception: quoted with its type, to the end of its chain of causes."""

from policies.answers import Answer, records, text
from policies.evidence import Cause, Evidence, Finding, Json
from policies.facts import Facts
from policies.figures import quoted
from policies.rules import Rules

NAME = "step_error"
#: what Dagster raises when a blocking check fails: the check speaks for itself
CHECK_FAILED = "DagsterAssetCheckFailedError"
_LIKELY, _WHEN_A_CHECK_FAILED = 0.7, 0.3
_DEEPEST = 20


def rank(facts: Facts, _rules: Rules) -> Cause | None:
    """The first failed step whose failure is not just a failed check; and what the run says of itself."""
    found = tuple(one for one in (finding(facts), _of_run(facts)) if one)
    if not found:
        return None
    confidence = _WHEN_A_CHECK_FAILED if facts.failed_check else _LIKELY
    return Cause(name=NAME, says=found[0].says, confidence=confidence, for_=found)


def finding(facts: Facts) -> Finding | None:
    """What the step raised, in its own words."""
    run, step = facts.answer("run_failure"), _step(facts)
    if run is None or step is None:
        return None
    return _raised(run, step)


def _of_run(facts: Facts) -> Finding | None:
    """What the run as a whole says besides its steps."""
    run, told = facts.answer("run_failure"), text(facts.run.get("error"))
    return Finding(evidence_id=run.id, says=quoted(told)) if run and told else None


def chain(error: Json) -> tuple[str, ...]:
    """An error and its causes, outermost first, each as `Type: message` on one line."""
    told: list[str] = []
    while isinstance(error, dict) and len(told) < _DEEPEST:
        kind = text(error.get("class")) or text(error.get("className"))
        words = quoted(text(error.get("message")) or "")
        told.append(f"{kind}: {words}" if kind and not words.startswith(kind) else words)
        error = error.get("cause")
    if isinstance(error, str):
        told.append(quoted(error))
    return tuple(words for words in told if words)


def _step(facts: Facts) -> Answer | None:
    steps = [s for s in records(facts.run.get("steps_failed")) if not _is_check(s, facts)]
    return steps[0] if steps else None


def _is_check(step: Answer, facts: Facts) -> bool:
    own = f"{facts.asset}_{facts.check}".replace("/", "__")
    return step.get("step") == own or any(CHECK_FAILED in e for e in chain(step.get("error")))


def _raised(run: Evidence, step: Answer) -> Finding:
    name, told = text(step.get("step")) or "a step", chain(step.get("error"))
    if not told:
        return Finding(evidence_id=run.id, says=f"step {name} failed and left no exception")
    outer = f" (wrapped in {told[0]})" if len(told) > 1 else ""
    return Finding(evidence_id=run.id, says=f"step {name} raised {told[-1]}{outer}")
