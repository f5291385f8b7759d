"""Whom the rule keeps out: said in the request by name, and under Who else, without calling anybody."""

from dataclasses import replace

from bot.sandbox.workspace.blocks.surface import block_problems
from handlers import views
from handlers.views.kept_out import kept_out
from handlers.views.request import request_blocks
from policies.approval import Ban
from policies.incident import RequestState
from policies.people import Seated
from tests.building import ANA, a_person
from tests.handlers import story

BROKE = "you wrote the change that broke it (bbbbbbb)"
KNOWN = Ban(who=ANA, because=BROKE, name="Ana Ortiz")
UNKNOWN = Ban(who="kim@old.example.com", because=BROKE, name="Kim <!here> *Roe*", by_name=True)
PLANNER = Ban(who="U0BO", because="you wrote this plan")


def test_the_request_names_them_and_calls_nobody() -> None:
    rule = replace(_state().request.rule, banned=(KNOWN, UNKNOWN, PLANNER))
    assert kept_out(rule, {"U0BO": "Bo Lind"}).split("\n") == [
        "*May not decide*",
        "• Ana Ortiz: wrote the change that broke it (bbbbbbb)",
        f"• Kim &lt;!here&gt; Roe: {BROKE.removeprefix('you ')} (Slack does not know who that is: kept out by the name)",
        "• Bo Lind: wrote this plan",
    ]
    assert kept_out(replace(rule, banned=()), {}) == ""
    assert kept_out(replace(rule, banned=(KNOWN,) * 9), {}).endswith("… and 4 more")


def test_a_request_with_them_is_what_slack_takes() -> None:
    state = _state()
    rule = replace(state.request.rule, banned=(KNOWN, UNKNOWN) * 100)
    banned = replace(state, request=replace(state.request, rule=rule))
    blocks = [block for block in request_blocks(story.asked_stage().incident, banned) if block]
    assert block_problems(blocks, "message") == []
    assert "May not decide" in str(blocks)


def test_who_else_says_why_each_may_not_and_once_for_whoever_sits_there() -> None:
    state = _state()
    rule = replace(state.request.rule, banned=(KNOWN, UNKNOWN))
    seats = [(0, Seated(seat=state.request.turn.seat, people=(a_person(ANA),)))]
    shown = str(
        views.who_may(story.asked_stage().incident, replace(state.request, rule=rule), seats)[
            "blocks"
        ]
    )
    assert shown.count(f"{a_person(ANA).name}: wrote the change that broke it") == 1
    assert "Kim &lt;!here&gt;" in shown
    assert "kim@old.example.com" not in shown


def _state() -> RequestState:
    (state,) = story.asked_stage().incident.requests.values()
    return state
