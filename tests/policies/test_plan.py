"""A digest is what was shown, whole: whatever a person read before they tapped is part of it."""

from dataclasses import replace

import pytest

from policies.checks import Check
from policies.plan import digest
from tests.building import a_step

STEP = a_step(code_version="v1")
GATE = Check(
    name="rows", kind="rows_match_source", says="as many rows", params={"tolerance": 0.005}
)
OTHERS = {
    "id": replace(STEP, id="other"),
    "action": replace(STEP, action="backfill"),
    "doer": replace(STEP, doer="person"),
    "connection": replace(STEP, connection="other"),
    "params": replace(STEP, params={"job": "growth_rollups_job", "partition": "2026-09-29"}),
    "after": replace(STEP, after=("backfill",)),
    "gate": replace(STEP, gate=(GATE,)),
    "undo": replace(STEP, undo="none"),
    "diff": replace(STEP, diff="+ x"),
    "code_version": replace(STEP, code_version="v2"),
}


@pytest.mark.parametrize("part", OTHERS)
def test_another_part_of_a_step_is_another_digest(part: str) -> None:
    assert digest([OTHERS[part]], ()) != digest([STEP], ())


def test_another_tolerance_of_a_gate_is_another_digest() -> None:
    looser = replace(GATE, params={"tolerance": 0.5})
    gates = [replace(STEP, gate=(gate,)) for gate in (GATE, looser)]
    assert digest([gates[0]], ()) != digest([gates[1]], ())


def test_another_reach_is_another_digest_and_its_order_is_none() -> None:
    assert digest([STEP], ("a", "b")) != digest([STEP], ("a",))
    assert digest([STEP], ("a", "b")) == digest([STEP], ("b", "a"))


def test_another_order_of_the_steps_is_another_digest() -> None:
    one, two = a_step("one"), a_step("two")
    assert digest([one, two], ()) != digest([two, one], ())
