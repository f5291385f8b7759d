"""No work that is done because of the time leads to a yes: only people's taps do, and what admins delegated.

The grants themselves are weighed elsewhere; here it is where in the code one can be made at all, and from where
that place can be got to.
"""

import pytest

from bot.worker.kinds import KINDS
from tests.architecture.ways import makers, reached, ways

BOT = ("bot", "policies")
HOUSE = ("bot", "handlers", "connectors", "policies")
TAP, DELEGATION = "bot.worker.deciding._count", "bot.worker.delegating._granted"
LISTED = "bot.batches.decide_all"
#: work → where a yes can be made that it may get to; nothing is written for `intake` but what arrived
LEADS = {"intake": {TAP}, "plan": {DELEGATION}}


def start(kind: str) -> str:
    """Where this work begins."""
    work = KINDS[kind]
    return f"{work.__module__}.{work.__qualname__}"  # type: ignore[attr-defined]


def test_a_grant_is_made_where_a_tap_is_counted_or_a_delegation_and_nowhere_else() -> None:
    every = ways(*HOUSE)
    assert makers("ApprovalGranted", every, *HOUSE) == {TAP, DELEGATION}
    assert makers("DecisionMade", every, *HOUSE) == {TAP, DELEGATION}
    assert makers("Decision", every, *HOUSE) == {
        "bot.worker.deciding._decision",
        "policies.autonomy.alone.decisions",
    }


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_work_gets_to_no_other_yes_than_its_own(kind: str) -> None:
    among = ways(*BOT)
    assert start(kind) in among
    assert reached(start(kind), among) & {TAP, DELEGATION} == LEADS.get(kind, set())


def test_no_work_makes_a_tap_or_answers_a_list_of_them() -> None:
    """A `Decide` comes from Slack or from a page that somebody opened, never from a row."""
    every = ways(*HOUSE)
    taps = makers("Decide", every, *HOUSE)
    assert {name.partition(".")[0] for name in taps} == {"handlers"}
    for kind in KINDS:
        assert LISTED not in reached(start(kind), ways(*BOT))
