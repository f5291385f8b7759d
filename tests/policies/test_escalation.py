"""Who is asked, until when, and that a timer only ever leads to a no."""

from dataclasses import replace
from datetime import timedelta

from policies import escalation
from policies.lifecycle import open_incident
from policies.rules import Domain
from tests.building import NOW, a_backfill, a_plan, a_step, opened

DOMAIN = Domain.model_validate(
    {
        "channels": ["#data-alerts"],
        "assets": ["raw_sessions"],
        "chain": [
            {"who": "owner", "within": "5m"},
            {"who": "@data-oncall", "within": "3m"},
            {"who": "dee@example.com", "within": "3m"},
        ],
    }
)
INCIDENT = open_incident("DW-1", opened(), NOW)


def ask(*steps):  # type: ignore[no-untyped-def]
    return escalation.requests(INCIDENT, a_plan(*steps), DOMAIN, NOW)


def test_one_request_per_owner_carries_that_owners_steps() -> None:
    asked = ask(a_backfill(), a_step(), a_step("mart", owner="bo@example.com"))
    assert [(r.owner, r.step_ids) for r in asked] == [
        ("ana@example.com", ("backfill", "rollups")),
        ("bo@example.com", ("mart",)),
    ]
    assert [r.id for r in asked] == ["DW-1-R1", "DW-1-R2"]


def test_a_follow_up_is_not_asked_for() -> None:
    assert ask(a_step(follow_up=True)) == ()


def test_the_owner_comes_first_and_then_the_chain() -> None:
    (request,) = ask(a_step())
    assert [hop.seat.ref for hop in request.rule.chain] == [
        "ana@example.com",
        "@data-oncall",
        "dee@example.com",
    ]
    assert request.turn.seat.because == "owner of raw_sessions, from dw.yml"


def test_an_owner_who_is_also_in_the_chain_stands_there_once() -> None:
    (request,) = ask(a_step(owner="dee@example.com"))
    assert [hop.seat.ref for hop in request.rule.chain] == ["dee@example.com", "@data-oncall"]


def test_a_handle_or_group_id_is_a_group_and_an_email_or_person_id_is_not() -> None:
    kinds = {
        who: escalation.seat_of(who, "").kind
        for who in ("@oncall", "S0ONCALL", "a@b.example", "U0ANA")
    }
    assert kinds == {
        "@oncall": "group",
        "S0ONCALL": "group",
        "a@b.example": "person",
        "U0ANA": "person",
    }


def test_the_reminder_comes_at_half_time() -> None:
    (request,) = ask(a_step())
    assert escalation.reminder_at(request) == NOW + timedelta(minutes=2, seconds=30)


def test_every_expiry_moves_one_hop_on_and_the_last_one_ends_it() -> None:
    (request,) = ask(a_step())
    first = escalation.next_hop(request, NOW)
    assert first is not None
    assert (first.hop, first.to.ref) == (1, "@data-oncall")
    assert first.deadline == NOW + timedelta(minutes=3)
    last = escalation.next_hop(_at(request, 2), NOW)
    assert last is None


def _at(request, hop):  # type: ignore[no-untyped-def]
    return replace(request, hop=hop)
