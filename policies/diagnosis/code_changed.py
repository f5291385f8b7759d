"""The failed run used other code than the last good one."""

from policies.diagnosis import changes, code, step_error
from policies.evidence import Cause, Finding
from policies.facts import Facts
from policies.rules import Rules

NAME = "code_changed"
_LIKELY, _WITH_ERROR, _RULED_OUT = 0.5, 0.75, 0.05


def rank(facts: Facts, _rules: Rules) -> Cause | None:
    """Likelier when a step also raised an exception; ruled out when nothing changed."""
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
        for_=(*_changed(facts, compared.finding), *((error,) if error else ())),
    )


def _changed(facts: Facts, otherwise: Finding) -> tuple[Finding, ...]:
    """The commits, where a repository tells them; else that the versions differ."""
    known = changes.read(facts)
    return changes.findings(facts, known) if known else (otherwise,)
