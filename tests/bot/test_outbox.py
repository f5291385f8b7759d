"""Every copy that a fact makes untrue is wished for again, in the transaction of the fact."""

from bot.outbox import refresh, shows
from bot.ports import Lane
from policies import events as e
from policies.incident import Incident
from tests.building import NOW
from tests.handlers import story

REQUEST = {"request:DW-3-R1", "dm:DW-3-R1:U0ANA", "dm:DW-3-R1:U0CLEO"}


def at(kind: type[e.Event]) -> tuple[Incident, e.Event]:
    """How things stood before the first fact of this kind, and the fact."""
    before: Incident | None = None
    for incident, entries in story.standing(story.the_night()):
        if isinstance(entries[-1].event, kind) and before is not None:
            return before, entries[-1].event
        before = incident
    raise AssertionError(kind)


def wished(kind: type[e.Event]) -> set[str]:
    incident, event = at(kind)
    return {row.payload["name"] for row in shows(incident, [event], NOW)}


def test_a_decision_is_shown_on_the_card_in_the_thread_and_in_every_direct_message() -> None:
    assert wished(e.ApprovalGranted) >= {"card", *REQUEST}


def test_whoever_is_asked_gets_a_direct_message() -> None:
    assert "dm:DW-3-R1:U0ANA" in wished(e.PeopleAsked)


def test_a_run_that_starts_and_ends_is_shown_on_the_request_too() -> None:
    for kind in (e.RunStarted, e.StepDone, e.StepHeld):
        assert wished(kind) >= {"card", *REQUEST}


def test_copies_of_a_request_go_before_status_and_noise() -> None:
    incident, event = at(e.ApprovalGranted)
    lanes = {row.payload["name"]: row.lane for row in shows(incident, [event], NOW)}
    assert {lanes[name] for name in REQUEST} == {Lane.APPROVALS}


def test_a_restart_looks_at_the_card_and_at_every_copy_of_every_request() -> None:
    incident, _ = at(e.VerificationStarted)
    assert {row.payload["name"] for row in refresh(incident, NOW)} == {"card", *REQUEST}
