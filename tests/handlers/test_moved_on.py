"""Whoever slept through their turn reads in one line whose it is now, and whether a late answer still counts."""

from dataclasses import replace

import pytest

from bot.desk import Status
from bot.ports import DueStats, Showing
from handlers import views
from handlers.views.notes import moved_on, still_counts
from handlers.views.tab import Mine
from policies import events as e
from policies.incident import RequestState
from tests.handlers import story

QUIET = Status(open=[], stats=DueStats(waiting=0, oldest_seconds=0, poisoned=()), stops=[], held=[])


def cleos_turn(*, late_counts: bool) -> tuple[Showing, RequestState]:
    """It has moved on from Ana to Cleo."""
    showing = next(
        s for s in story.stages() if _asks(s.entries[-1].event, "U0CLEO") and s.stopped is None
    )
    (state,) = showing.incident.requests.values()
    rule = replace(state.request.rule, late_counts=late_counts)
    state = replace(state, request=replace(state.request, rule=rule))
    incident = replace(showing.incident, requests={state.request.id: state})
    return replace(showing, incident=incident, name=f"dm:{state.request.id}:U0ANA"), state


def _asks(event: e.Event, person: str) -> bool:
    return isinstance(event, e.PeopleAsked) and event.people == (person,)


@pytest.mark.parametrize(
    ("late_counts", "says", "preview"),
    [
        (True, "Your yes or no still counts until somebody decides.", "your answer still counts"),
        (False, "Your answer no longer counts", "nothing to do"),
    ],
)
def test_their_message_says_first_whose_it_is_now_and_whether_a_late_answer_counts(
    says: str,
    preview: str,
    *,
    late_counts: bool,
) -> None:
    showing, state = cleos_turn(late_counts=late_counts)
    said = views.request(showing, state, for_dm=True)
    where, first = (str(block) for block in said.blocks[:2])
    assert "DW-3" in where
    assert "*It has moved on,* because nobody decided in time." in first
    assert says in first
    assert "Now asked: <@U0CLEO>" in first
    assert f"DW-3: moved on to the next, {preview}" in said.text
    assert ("Approve" in str(said.blocks)) is late_counts
    assert still_counts(state, "U0ANA") is late_counts


@pytest.mark.parametrize("late_counts", [True, False])
def test_the_home_tab_says_it_too(*, late_counts: bool) -> None:
    showing, state = cleos_turn(late_counts=late_counts)
    theirs = [(showing.incident, state)]
    mine = Mine("U0ANA", theirs) if late_counts else Mine("U0ANA", [], theirs)
    tab = str(views.home_tab(mine, QUIET, []))
    assert "*It has moved on,*" in tab
    assert "Now asked: <@U0CLEO>" in tab
    assert ("Approve" in tab) is late_counts


def test_a_list_of_many_says_it_too_and_has_no_buttons_when_they_would_not_count() -> None:
    for late_counts in (True, False):
        showing, state = cleos_turn(late_counts=late_counts)
        other = replace(showing.incident, id="DW-4")
        listed = replace(showing, together=((showing.incident, state), (other, state)))
        said = views.together(listed, state)
        assert "*It has moved on,*" in str(said.blocks[0])
        assert "2 requests moved on to the next" in said.text
        assert ("Look at one" in str(said.blocks)) is late_counts


def test_whoever_is_asked_now_is_told_nothing_of_the_kind() -> None:
    showing, state = cleos_turn(late_counts=True)
    assert moved_on(showing.incident, state, "U0CLEO") == ""
    cleos = replace(showing, name=f"dm:{state.request.id}:U0CLEO")
    assert "moved on" not in str(views.request(cleos, state, for_dm=True))
