"""Every stage of the night, in every view: within Slack's limits, never silent where it must speak."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.desk import Status
from bot.outbox import SPOKEN
from bot.ports import DueStats, IncidentLine, Showing
from bot.sandbox.workspace.blocks.surface import block_problems
from handlers import ids, views
from handlers.blocks import Message
from handlers.mrkdwn import units
from handlers.views.tab import Mine
from policies import events as e
from policies.incident import Phase, StepPhase
from policies.people import Seated
from policies.receipt import GENESIS, seal
from tests.building import ANA, NOW, a_person
from tests.handlers import story

STAGES = story.stages()
IDLE = DueStats(waiting=0, oldest_seconds=0)


def messages(showing: Showing) -> Iterator[Message]:
    yield views.card(showing)
    for state in showing.incident.requests.values():
        yield views.request(showing, state, for_dm=True)
        yield views.request(showing, state, for_dm=False)
    replies = (views.reply(showing, entry) for entry in showing.entries)
    yield from (said for said in replies if said)
    yield views.explain(showing.incident, "raw_sessions")


def words(said: Message) -> str:
    return said.text + str(said.blocks)


def test_the_story_passes_through_every_phase_and_every_fact() -> None:
    assert {s.incident.phase for s in STAGES} == set(Phase)
    assert {type(s.entries[-1].event) for s in STAGES} == set(e.Event.__args__)  # type: ignore[attr-defined]
    steps = {state.phase for s in STAGES for state in s.incident.steps.values()}
    assert steps == set(StepPhase)


@pytest.mark.parametrize("stage", range(len(STAGES)))
def test_every_view_of_every_stage_is_what_slack_takes(stage: int) -> None:
    for said in messages(STAGES[stage]):
        assert block_problems(list(said.blocks), "message") == []
        assert 0 < units(said.text) <= 4000


def test_every_fact_has_its_line_and_what_is_wished_for_is_mostly_said() -> None:
    assert set(views.SAYS) == set(e.Event.__args__)  # type: ignore[attr-defined]
    silent = {kind for kind in SPOKEN if views.SAYS[kind].__name__ == "_silent"}
    assert silent == {e.AlertMatched, e.RadiusDrawn, e.Planned, e.ReceiptIssued}


def test_an_open_request_shows_all_that_counts_before_its_buttons() -> None:
    showing = story.asked_stage()
    (state,) = showing.incident.requests.values()
    said = views.request(showing, state, for_dm=True)
    row = next(b for b in said.blocks if b["type"] == "actions")
    shown = str(said.blocks[: said.blocks.index(row)])
    for step in showing.incident.plan.steps:  # type: ignore[union-attr]
        if not step.follow_up:
            assert all(word in shown for word in (step.title, step.action, step.undo, step.risk))
    for word in ("Hex: Growth standup", "09:30 UTC", "<@U0ANA>", "@data-oncall", story.DAY):
        assert word in shown
    labels = [x["text"]["text"] for x in row["elements"] if x["type"] == "button"]
    assert labels == ["Approve", "Reject", "Ask", "Who else?", "Hand over to…"]


def test_every_button_carries_the_digest_that_is_on_the_screen() -> None:
    showing = story.asked_stage()
    (state,) = showing.incident.requests.values()
    row = next(
        b for b in views.request(showing, state, for_dm=False).blocks if b["type"] == "actions"
    )
    options = [option["value"] for x in row["elements"] for option in x.get("options", [])]
    values = [x["value"] for x in row["elements"] if "value" in x]
    tags = [ids.decode(value) for value in (*values, *options)]
    assert len(options) == len(ids.REASONS) + 1
    assert {tag.digest for tag in tags} == {state.request.digest}
    assert all(len(value) <= 150 for value in options)


def test_a_decided_request_has_no_buttons_that_decide() -> None:
    for showing in STAGES:
        for state in showing.incident.requests.values():
            said = str(views.request(showing, state, for_dm=False).blocks)
            assert (ids.APPROVE in said) is state.open
            assert (ids.REJECT in said) is state.open


def test_a_persons_own_step_gets_its_button_only_while_it_waits_for_them() -> None:
    for showing in STAGES:
        for state in showing.incident.requests.values():
            said = str(views.request(showing, state, for_dm=False).blocks)
            own = [s for s in showing.incident.plan.steps if s.doer == "person" and not s.follow_up]  # type: ignore[union-attr]
            waits = showing.incident.steps[own[0].id].phase in (StepPhase.APPROVED, StepPhase.READY)
            assert (ids.DONE in said) is (waits and state.outcome == "approved")


def test_a_step_too_long_to_be_shown_whole_can_not_be_approved() -> None:
    showing = story.asked_stage()
    (state,) = showing.incident.requests.values()
    plan = showing.incident.plan
    assert plan is not None
    long = replace(plan.steps[1], params={"config": "x" * 5000})
    steps = (plan.steps[0], long, *plan.steps[2:])
    incident = replace(showing.incident, plan=replace(plan, steps=steps))
    said = views.request(replace(showing, incident=incident), state, for_dm=False)
    assert ids.APPROVE not in str(said.blocks)
    assert ids.REJECT in str(said.blocks)
    assert "can't be approved" in str(said.blocks)


def test_the_card_says_stopped_while_it_is_and_not_when_it_is_over() -> None:
    for showing in STAGES:
        says = "STOPPED" in words(views.card(showing))
        assert says is (showing.stopped is not None and not showing.incident.phase.closed)


def test_drafts_are_posted_once_however_often_the_plan_is_drafted_again() -> None:
    told = story.the_night()
    planned = next(x for x in told if isinstance(x, e.Planned))
    again = replace(planned, plan=replace(planned.plan, version=2))
    at = told.index(planned)
    *_, (incident, entries) = story.standing([*told[: at + 1], again])
    showing = story.showing(incident, entries)
    assert "+guard()" in words(views.reply(showing, entries[-2]))  # type: ignore[arg-type]
    assert views.reply(showing, entries[-1]) is None


def test_the_receipt_has_cause_repair_yes_run_numbers_reach_and_undo() -> None:
    showing = next(s for s in STAGES if s.incident.phase is Phase.RESOLVED)
    entry = next(x for x in showing.entries if isinstance(x.event, e.ReceiptIssued))
    said = views.reply(showing, entry)
    assert said is not None
    for word in ("replica was behind", "growth_rollups_job", "<@U0ANA>", "beef5678", "28,300 rows"):
        assert word in words(said)
    for word in ("before: 23,100 rows", "stg_sessions", "*Undo*", "JSON", "sha256:"):
        assert word in words(said)


def test_the_home_tab_holds_requests_and_stays_within_its_limits() -> None:
    showing = story.asked_stage()
    waiting = [(showing.incident, state) for state in showing.incident.requests.values()] * 9
    item = IncidentLine(
        id="DW-3",
        phase=Phase.OPEN,
        title="<!channel>",
        domain="growth",
        channel="C0ALERTS",
        opened_at=NOW,
        updated_at=NOW,
    )
    receipt = seal(1, "DW-3", GENESIS, {"title": "x & y"})
    assert showing.incident.plan is not None
    held = [(showing.incident, step) for step in showing.incident.plan.steps]
    status = Status(open=[item] * 40, stats=IDLE, stops=[story.STOP] * 9, held=held * 40)
    tab = views.home_tab(Mine("U0ANA", waiting), status, [receipt] * 40)
    assert block_problems(tab["blocks"], "home") == []
    assert "<!channel>" not in str(tab)
    empty = views.home_tab(Mine("U0ANA", []), Status(open=[], stats=IDLE, stops=[], held=[]), [])
    assert block_problems(empty["blocks"], "home") == []


def test_modals_are_what_slack_takes() -> None:
    incident = story.asked_stage().incident
    (state,) = incident.requests.values()
    seats = [(0, Seated(seat=state.request.turn.seat, people=(a_person(ANA),)))]
    receipt = seal(1, "DW-3", GENESIS, {"text": "`<!channel>`" * 20_000})
    shown = [
        views.ask_form(ids.Tag(incident="DW-3", request="DW-3-R1")),
        views.who_may(incident, state.request, seats),
        views.receipt_json(receipt),
        views.shown("Open incidents", views.status(Status(open=[], stats=IDLE, stops=[], held=[]))),
        views.stop_form(["*", "domain:growth", "connection:dagster"]),
    ]
    for view in shown:
        assert block_problems(view["blocks"], "modal") == []
        assert "<!channel>" not in str(view)
    assert "owner of raw_sessions" in str(shown[1])
