"""The failed run used other code than the last good one."""

from policies.diagnosis import code, step_error
from policies.evidence import Cause
from policies.facts import Facts
from policies.rules import Rules

NAME = "code_changed"
_LIKELY, _WITH_ERROR, _RULED_OUT = 0.5, 0.75, 0.05


def rank(facts: Facts, _rules: Rules) -> Cause | None:
    """Likelier when a step also raised an exception; ruled out when the versions are equal."""
    compared = code.same(facts)
    if compared is None:
        return None
    says = f"the code of {facts.job or 'the run'} changed"
    if compared.unchanged:
        return Cause(name=NAME, says=says, confidence=_RULED_OUT, against=(compared.finding,))
    error = step_error.finding(facts)
    return Cause(
        name=NAME,
        says=says,
        confidence=_WITH_ERROR if error else _LIKELY,
        for_=(compared.finding, error) if error else (compared.finding,),
    )
