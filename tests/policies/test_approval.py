"""A verdict comes from decisions of entitled people for exactly what was shown, and from nothing else."""

import copy
import pickle
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policies.approval import (
    Approved,
    Ban,
    Expired,
    ForgedApproval,
    NotApproved,
    Pending,
    Refused,
    Void,
    weigh,
)
from policies.people import Grant, Seat, Seated
from policies.standing import Refusal, entitle
from tests.building import (
    ANA,
    BO,
    ELI,
    NOW,
    a_decision,
    a_person,
    a_plan,
    a_request,
    a_step,
    approved,
)

PLAN = a_plan()
REQUEST = a_request(PLAN)
UNTIL = NOW + timedelta(hours=12)
SEAT = Seat(kind="person", ref="ana@example.com", because="owner of raw_sessions")
SEATED = [(0, Seated(seat=SEAT, people=(a_person(ANA),)))]


def test_one_yes_of_the_owner_is_an_approval_that_names_them() -> None:
    verdict = weigh(REQUEST, [a_decision(REQUEST)], PLAN, until=UNTIL)
    assert isinstance(verdict, Approved)
    assert [d.person for d in verdict.because] == [ANA]


def test_silence_is_pending_and_then_expired_and_never_a_yes() -> None:
    assert weigh(REQUEST, [], PLAN, until=UNTIL) == Pending(missing=1)
    assert weigh(REQUEST, [], PLAN, until=UNTIL, expired_at=NOW) == Expired(at=NOW)


def test_silence_is_no_yes_even_for_a_quorum_of_none() -> None:
    nobody = replace(REQUEST, rule=replace(REQUEST.rule, quorum=0))
    assert isinstance(weigh(nobody, [], PLAN, until=UNTIL), Pending)


def test_one_person_does_not_fill_a_quorum_of_two() -> None:
    two = replace(REQUEST, rule=replace(REQUEST.rule, quorum=2))
    twice = [a_decision(two), a_decision(two, key="again", where="dm")]
    assert weigh(two, twice, PLAN, until=UNTIL) == Pending(missing=1)
    assert isinstance(weigh(two, [*twice, a_decision(two, BO)], PLAN, until=UNTIL), Approved)


def test_an_entitled_no_refuses() -> None:
    verdict = weigh(REQUEST, [a_decision(REQUEST, choice="no")], PLAN, until=UNTIL)
    assert isinstance(verdict, Refused)


def test_a_yes_for_another_digest_does_not_count() -> None:
    stale = a_decision(REQUEST, digest="sha256:old")
    assert weigh(REQUEST, [stale], PLAN, until=UNTIL) == Pending(missing=1)


def test_a_decision_by_somebody_elses_right_does_not_count() -> None:
    borrowed = a_decision(REQUEST, grant=Grant(person=BO, because="owner", hop=0))
    assert weigh(REQUEST, [borrowed], PLAN, until=UNTIL) == Pending(missing=1)


@pytest.mark.parametrize(
    "step",
    [
        a_step(params={"job": "growth_rollups_job", "partition": "2026-09-29"}),
        a_step(code_version="other"),
        a_step(undo="none"),
        a_step(diff="+ x"),
        a_step(connection="other"),
    ],
)
def test_what_changed_after_the_click_voids_the_request(step: object) -> None:
    changed = a_plan(step)  # type: ignore[arg-type]
    assert isinstance(weigh(REQUEST, [a_decision(REQUEST)], changed, until=UNTIL), Void)


def test_a_larger_reach_voids_and_says_what_is_new() -> None:
    larger = replace(PLAN, reach=("raw_sessions", "stripe"))
    verdict = weigh(REQUEST, [a_decision(REQUEST)], larger, until=UNTIL)
    assert isinstance(verdict, Void)
    assert verdict.why == "it now reaches more: stripe"


def test_a_smaller_reach_keeps_the_yes() -> None:
    wide = replace(PLAN, reach=("a", "raw_sessions"))
    request = a_request(wide)
    assert isinstance(weigh(request, [a_decision(request)], PLAN, until=UNTIL), Approved)


def test_a_step_that_left_the_plan_voids() -> None:
    other = a_plan(a_step("another"))
    assert isinstance(weigh(REQUEST, [a_decision(REQUEST)], other, until=UNTIL), Void)


def test_the_owner_may_decide_and_the_right_is_named() -> None:
    assert entitle(REQUEST, a_person(ANA), SEATED) == Grant(
        person=ANA, because="owner of raw_sessions", hop=0
    )


def test_somebody_else_is_told_why_and_who_may() -> None:
    refusal = entitle(REQUEST, a_person(ELI), SEATED)
    assert isinstance(refusal, Refusal)
    assert refusal.who_may == (ANA,)


@pytest.mark.parametrize("flag", ["bot", "deactivated", "guest", "external"])
def test_bots_leavers_guests_and_strangers_never_decide(flag: str) -> None:
    barred = a_person(ANA, **{flag: True})
    seated = [(0, Seated(seat=SEAT, people=(barred,)))]
    refusal = entitle(REQUEST, barred, seated)
    assert isinstance(refusal, Refusal)
    assert refusal.who_may == ()


def test_a_banned_person_may_not_decide_even_from_the_seat() -> None:
    banned = replace(
        REQUEST, rule=replace(REQUEST.rule, banned=(Ban(who=ANA, because="you wrote this plan"),))
    )
    assert isinstance(entitle(banned, a_person(ANA), SEATED), Refusal)


def test_a_seat_that_cannot_be_resolved_holds_nobody_and_says_why() -> None:
    broken = [(0, Seated(seat=SEAT, problem="Slack did not answer"))]
    refusal = entitle(REQUEST, a_person(ANA), broken)
    assert isinstance(refusal, Refusal)
    assert "Slack did not answer" in refusal.why


def test_an_approval_covers_exactly_its_steps_until_its_time() -> None:
    verdict = approved(PLAN)
    verdict.check(PLAN.steps[0], NOW)
    with pytest.raises(NotApproved):
        verdict.check(a_step("other"), NOW)
    with pytest.raises(NotApproved):
        verdict.check(replace(PLAN.steps[0], params={"job": "drop_all"}), NOW)
    with pytest.raises(NotApproved):
        verdict.check(PLAN.steps[0], NOW + timedelta(hours=13))


def test_an_approval_cannot_be_forged_widened_or_stored() -> None:
    verdict = approved(PLAN)
    with pytest.raises(ForgedApproval):
        Approved(
            object(),
            request_id="r",
            digest="d",
            steps=(),
            because=(a_decision(REQUEST),),
            until=UNTIL,
        )
    with pytest.raises(ForgedApproval):
        verdict.steps = ()
    with pytest.raises(ForgedApproval):
        copy.copy(verdict)
    with pytest.raises(ForgedApproval):
        pickle.dumps(verdict)


@given(
    st.lists(
        st.tuples(
            st.sampled_from([ANA, BO, ELI]),
            st.sampled_from(["yes", "no"]),
            st.sampled_from([REQUEST.digest, "sha256:old"]),
        )
    ),
    st.integers(min_value=0, max_value=3),
)
def test_no_list_of_clicks_approves_without_a_quorum_of_people_for_the_digest(
    clicks: list[tuple[str, str, str]], quorum: int
) -> None:
    request = replace(REQUEST, rule=replace(REQUEST.rule, quorum=quorum))
    decisions = [a_decision(request, p, c, digest=d) for p, c, d in clicks]  # type: ignore[arg-type]
    verdict = weigh(request, decisions, PLAN, until=UNTIL)
    counting = {p for p, c, d in clicks if c == "yes" and d == REQUEST.digest}
    refused = any(c == "no" and d == REQUEST.digest for _, c, d in clicks)
    assert isinstance(verdict, Approved) == (
        bool(counting) and len(counting) >= quorum and not refused
    )
