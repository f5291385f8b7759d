"""Where somebody's turn has gone is said to them, and buttons that would not count are not shown."""

from dataclasses import replace
from typing import Any

from bot.ports import Showing
from handlers import views
from policies import events as e
from policies.deadline import Deadline
from policies.incident import RequestState
from tests.building import ANA, NOW
from tests.handlers import story
from tests.handlers.room import entry


def stage(kind: type[e.Event]) -> tuple[Showing, RequestState]:
    """How it stands after the last asking of this kind, as Ana's direct message shows it."""
    found = [s for s in story.stages() if isinstance(s.entries[-1].event, kind) and not s.stopped]
    showing = found[-1]
    (state,) = showing.incident.requests.values()
    return replace(showing, name=f"dm:{state.request.id}:{ANA}"), state


def moved() -> tuple[Showing, RequestState]:
    found = [s for s in story.stages() if isinstance(s.entries[-1].event, e.PeopleAsked)]
    showing = next(s for s in found if s.entries[-1].event.hop == 1 and not s.stopped)  # type: ignore[union-attr]
    (state,) = showing.incident.requests.values()
    return replace(showing, name=f"dm:{state.request.id}:{ANA}"), state


def buttons(said: Any) -> list[str]:
    rows = [block for block in said.blocks if block["type"] == "actions"]
    return [x["text"]["text"] for row in rows for x in row["elements"] if x["type"] == "button"]


def test_whose_turn_is_over_reads_where_it_went_and_that_they_may_still_answer() -> None:
    showing, state = moved()
    said = views.request(showing, state, for_dm=True)
    assert "It has moved on" in said.words()
    assert "<@U0CLEO>" in said.words()
    assert "Your yes or no still counts until somebody decides." in said.words()
    assert "Approve" in buttons(said)


def test_a_late_answer_that_does_not_count_has_no_buttons() -> None:
    showing, state = moved()
    rule = replace(state.request.rule, late_counts=False)
    late = replace(state, request=replace(state.request, rule=rule))
    said = views.request(showing, late, for_dm=True)
    assert "Your answer no longer counts" in said.words()
    assert buttons(said) == []
    cleos = replace(showing, name=f"dm:{state.request.id}:U0CLEO")
    assert "Approve" in buttons(views.request(cleos, late, for_dm=True))


def test_half_time_is_a_line_of_its_own_and_silence_once_it_is_decided() -> None:
    showing, _ = stage(e.Reminded)
    reminded = entry(showing, e.Reminded)
    said = views.note(showing, reminded)
    assert said is not None
    assert "Half of the time is gone" in said.words()
    decided, _ = stage(e.ApprovalGranted)
    assert views.note(decided, reminded) is None


def test_a_reminder_that_stands_there_says_what_became_of_it_and_none_is_posted_late() -> None:
    showing, _ = stage(e.Reminded)
    reminded = entry(showing, e.Reminded)
    name = f"note:{reminded.seq}:U0ANA"
    there = replace(story.CARD, name=name, channel="D0ANA")
    for kind, says in (
        (e.Escalated, "*It has moved on,*"),
        (e.ApprovalGranted, "*Approved* by <@U0ANA>"),
        (e.RequestRefused, "*Rejected* by <@U0ANA>"),
        (e.RequestExpired, "*Nobody decided in time: that is a no*"),
        (e.RequestVoided, "*No longer valid*"),
    ):
        after, _ = stage(kind)
        assert views.note(replace(after, name=name), reminded) is None
        said = views.note(replace(after, name=name, copy=there), reminded)
        assert said is not None
        assert says in said.words(), kind
        assert "still waits" not in said.words()


def test_whoever_is_the_last_to_be_asked_hears_that_silence_is_a_no() -> None:
    showing, state = stage(e.Reminded)
    rule = replace(state.request.rule, chain=state.request.rule.chain[:1])
    last = replace(state, request=replace(state.request, rule=rule))
    incident = replace(showing.incident, requests={state.request.id: last})
    said = views.note(replace(showing, incident=incident), entry(showing, e.Reminded))
    assert said is not None
    assert "*Last call.* `DW-3` still waits for your yes or no" in said.words()
    assert "Nobody is asked after you: silence is a no." in said.words()
    assert "last call" in said.text


def test_the_deadline_says_what_made_it_so() -> None:
    showing, state = moved()
    until = Deadline(began=NOW, at=NOW, remind_at=NOW, read="Growth <standup>", read_at=NOW)
    sooner = replace(state, request=replace(state.request, until=until))
    words = views.request(showing, sooner, for_dm=False).words()
    assert "because Growth &lt;standup&gt; is read at" in words
    hours = replace(until, read_at=None, hours="09:00–18:00 mon-fri, Europe/Berlin")
    worked = replace(state, request=replace(state.request, until=hours))
    assert "working hours: 09:00–18:00" in views.request(showing, worked, for_dm=False).words()
