"""What changed is told line by line: neither more nor less than what makes another digest."""

from dataclasses import replace

import pytest

from policies import escalation
from policies import events as e
from policies.approval import Void, changed, less_reach
from policies.checks import Check
from policies.difference import Difference, differences
from policies.lifecycle import advance, open_incident
from policies.plan import Step, digest
from tests.building import NOW, a_diagnosis, a_plan, a_radius, a_request, a_step, opened
from tests.policies.test_escalation import DOMAIN

STEP = a_step(code_version="v1")
REACH = (("raw_sessions",), ("raw_sessions",))
GATE = Check(name="rows", kind="rows_match_source", says="rows match", params={})
CHANGES = [
    {"code_version": "v2"},
    {"params": {"job": "growth_rollups_job", "partition": "2026-09-28"}},
    {"undo": "drop it"},
    {"diff": "+ x"},
    {"connection": "other"},
    {"doer": "person"},
    {"after": ("backfill",)},
    {"gate": (GATE,)},
    {"title": "another title"},
    {"why": "another reason"},
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: next(iter(change)))
def test_there_is_a_line_exactly_where_there_is_another_digest(change: dict[str, object]) -> None:
    other = replace(STEP, **change)  # type: ignore[arg-type]
    lines = differences((STEP,), (other,), REACH)
    assert bool(lines) == (digest((STEP,), REACH[0]) != digest((other,), REACH[0]))
    assert len(lines) <= 1


def test_a_line_tells_what_it_was_and_what_it_is() -> None:
    lines = differences((STEP,), (replace(STEP, code_version="v2"),), REACH)
    assert lines == (Difference(step="Run rollups", what="code version", was="v1", now="v2"),)


def test_a_parameter_that_is_new_was_none_before() -> None:
    other = replace(STEP, params={**STEP.params, "partition": "2026-09-28"})
    assert differences((STEP,), (other,), REACH) == (
        Difference(step="Run rollups", what="partition", was="none", now="2026-09-28"),
    )


def test_a_larger_reach_is_named_and_a_smaller_one_too() -> None:
    lines = differences((STEP,), (STEP,), (("a", "b"), ("b", "c")))
    assert [(one.what, one.was, one.now) for one in lines] == [
        ("also reaches", "", "c"),
        ("does not reach any more", "a", ""),
    ]


def test_steps_that_came_and_went_are_told() -> None:
    lines = differences((STEP,), (a_step("other"),), REACH)
    assert [(one.step, one.what) for one in lines] == [
        ("Run rollups", "is not in the plan any more"),
        ("Run other", "is new"),
    ]


def test_a_void_verdict_tells_its_lines_only_where_it_knows_what_was_shown() -> None:
    plan = a_plan(STEP)
    request = a_request(plan)
    now = a_plan(replace(STEP, code_version="v2"))
    void = changed(request, now, (STEP,))
    assert isinstance(void, Void)
    assert [(one.was, one.now) for one in void.lines] == [("v1", "v2")]
    guess = changed(request, now, (a_step("other"),))
    assert isinstance(guess, Void)
    assert guess.lines == ()


def test_a_smaller_reach_keeps_the_yes_and_is_named() -> None:
    request = a_request(a_plan(STEP, reach=("a", "b")))
    smaller = a_plan(STEP, reach=("b",))
    assert changed(request, smaller, (STEP,)) is None
    assert less_reach(request, smaller) == ("a",)


def asked_again(then: Step) -> tuple[Difference, ...]:
    """What the second request says, after the first one is void."""
    incident = open_incident("DW-1", opened(), NOW)
    plan = a_plan(STEP)
    (first,) = escalation.requests(incident, plan, DOMAIN, NOW)
    for fact in (
        e.Diagnosed(diagnosis=a_diagnosis()),
        e.RadiusDrawn(radius=a_radius()),
        e.Planned(plan=plan),
        e.ApprovalRequested(request=first),
        e.RequestVoided(request_id=first.id, why="changed"),
    ):
        incident = advance(incident, fact, NOW)
    (second,) = escalation.requests(incident, a_plan(then, version=2), DOMAIN, NOW)
    return second.changed


def test_the_new_request_says_what_changed_since_the_void_one() -> None:
    lines = asked_again(replace(STEP, code_version="v2"))
    assert [(one.what, one.was, one.now) for one in lines] == [("code version", "v1", "v2")]
    assert asked_again(STEP) == ()
