"""Who is asked, by which right, and by the name that Slack gives them."""

from dataclasses import replace

import pytest

from handlers import views
from handlers.views import phrases
from policies.approval import Hop
from policies.plan import Plan
from policies.playbook import draft
from policies.seats import seat_of
from tests.handlers import story
from tests.policies import night


def shown(view: object) -> str:
    return str(view)


def test_card_and_request_mention_whom_slack_knows_with_the_right_they_have() -> None:
    showing = story.asked_stage()
    (state,) = showing.incident.requests.values()
    said = "<@U0ANA> (owner of raw_sessions, from dw.yml) until"
    card = views.card(showing).words()
    assert said in card
    assert "part of <@U0ANA>" in card
    assert "<@U0ANA> does this by hand" in views.request(showing, state, for_dm=False).words()
    assert "ana@example.com" not in card


def test_who_is_not_asked_yet_is_named_as_dw_yml_names_them() -> None:
    showing = story.showing(story.planned_incident())
    assert "part of ana@example.com" in views.card(showing).words()


def test_an_owner_says_where_the_naming_came_from() -> None:
    lineage = night.lineage(raw_sessions="ana@example.com")
    told = {**lineage.assets}
    told["raw_sessions"] = replace(told["raw_sessions"], owner_said_by="dbt meta")
    start = night.with_radius(night.diagnosed())
    known = night.rules_for(owners={"stg_*": "bo@example.com"})
    plan = draft(start, known, replace(lineage, assets=told), {})
    assert isinstance(plan, Plan)
    assert plan.steps[0].owner_because == "owner of raw_sessions, from dbt meta"


@pytest.mark.parametrize(
    ("chain", "says"),
    [
        ("rota:nights", "next in the chain: rota:nights"),
        ("pagerduty:PSCHED1", "next in the chain: pagerduty:PSCHED1"),
        ("@data-oncall", "next in the chain: @data-oncall"),
    ],
)
def test_whoever_is_next_is_mentioned_with_the_seat_they_sit_in(chain: str, says: str) -> None:
    showing = story.asked_stage()
    (state,) = showing.incident.requests.values()
    seat = seat_of(chain, says)
    rule = replace(state.request.rule, chain=(Hop(seat=seat, seconds=300),))
    there = replace(state, request=replace(state.request, rule=rule), asked=(("U0CLEO", 0),))
    assert phrases.asked(showing.incident, there).startswith(f"<@U0CLEO> ({says}) until")


def test_a_draft_names_its_code_owner_and_where_that_came_from() -> None:
    said = str([views.reply(s, s.entries[-1]) for s in story.stages()])
    assert "For bo@example.com (code owner of pipelines/raw_sessions.py, from dw.yml)" in said
