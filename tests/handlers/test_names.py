"""Who was not asked yet is shown by name, never by address, and never in a way that notifies them."""

from dataclasses import replace

import pytest

from bot.ports import Showing
from handlers import views
from handlers.views import phrases
from policies import events as e
from policies.people import Seated
from tests.building import a_person
from tests.handlers import story

NAMED = (
    ("ana@example.com", "Ana Ortiz"),
    ("bo@example.com", "Bo <Lindqvist>"),
    ("cleo@example.com", "Cleo Marsh"),
    ("@data-oncall", "@data-oncall"),
    ("S0ONCALL", "@data-oncall"),
    ("U0DEE", "Dee Okafor"),
)


def named(showing: Showing) -> Showing:
    return replace(showing, incident=replace(showing.incident, named=NAMED))


def test_nobody_reads_an_address_anywhere_once_names_are_known() -> None:
    said = []
    for showing in map(named, story.stages()):
        said += [views.card(showing), views.reply(showing, showing.entries[-1])]
        said += [
            views.request(replace(showing, name=f"dm:{state.request.id}:U0ANA"), state, for_dm=dm)
            for state in showing.incident.requests.values()
            for dm in (True, False)
        ]
    words = "\n".join(one.words() for one in said if one)
    assert "Bo &lt;Lindqvist&gt;" in words
    for address in ("bo@example.com", "cleo@example.com"):
        assert address not in words, words[words.index(address) - 200 :][:300]


@pytest.mark.parametrize(
    ("ref", "shown"),
    [
        ("bo@example.com", "Bo &lt;Lindqvist&gt;"),
        ("U0DEE", "Dee Okafor"),
        ("S0ONCALL", "@data-oncall"),
        ("@data-oncall", "@data-oncall"),
        ("rota:nights", "whoever is on call (nights)"),
        ("pagerduty:PSCHED1", "whoever is on call (PSCHED1)"),
        ("S0UNKNOWN", "`S0UNKNOWN`"),
        ("eli@example.com", "eli@example.com"),
        ("<!channel>", "&lt;!channel&gt;"),
    ],
)
def test_to_be_named_notifies_nobody(ref: str, shown: str) -> None:
    incident = named(story.asked_stage()).incident
    assert phrases.unasked(incident, ref) == shown


def test_whoever_is_asked_is_mentioned_and_whoever_takes_over_too() -> None:
    incident = named(story.asked_stage()).incident
    assert phrases.called(incident, "ana@example.com") == "<@U0ANA>"
    assert phrases.addressed(incident, "U0DEE") == "<@U0DEE>"
    assert phrases.addressed(incident, "bo@example.com") == "Bo &lt;Lindqvist&gt;"


def test_who_else_and_who_can_name_everybody_and_mention_nobody() -> None:
    incident = named(story.asked_stage()).incident
    (state,) = incident.requests.values()
    seat = state.request.turn.seat
    people = (a_person("U0ANA", name="Ana Ortiz"), a_person("U0GUEST", name="Gus", guest=True))
    seats = [(0, Seated(seat=seat, people=people))]
    for said in (
        str(views.who_may(incident, state.request, seats)),
        views.who_can("raw_sessions", state.request.rule, seats).words(),
    ):
        assert "Ana Ortiz (owner of raw_sessions, from dw.yml)" in said
        assert "Gus: guests never decide" in said
        assert "<@" not in said
        assert "@example.com" not in said


def test_whoever_is_named_as_next_is_not_told_by_address_why() -> None:
    assert phrases.right("next in the chain: dee@example.com") == "next in the chain"
    assert phrases.right("next in the chain: @data-oncall") == "next in the chain: @data-oncall"


def test_an_escalation_names_whoever_is_asked_now() -> None:
    stages = [named(s) for s in story.stages() if isinstance(s.entries[-1].event, e.Escalated)]
    said = [views.reply(s, s.entries[-1]) for s in stages]
    assert all(one and "Now asked: @data-oncall" in one.words() for one in said)


def test_who_can_says_when_nobody_could_and_that_nothing_would_run() -> None:
    (state,) = story.asked_stage().incident.requests.values()
    guest = a_person("U0GUEST", name="Gus", guest=True)
    seats = [(0, Seated(seat=state.request.turn.seat, people=(guest,)))]
    said = views.who_can("raw_sessions", state.request.rule, seats).words()
    assert "*Nobody could approve this now*: nobody is left who may decide this." in said
    two = replace(state.request.rule, quorum=2)
    one = [(0, Seated(seat=state.request.turn.seat, people=(a_person("U0ANA"),)))]
    assert "2 must say yes, and only 1 may" in views.who_can("raw_sessions", two, one).words()
