"""When somebody is away, who decides for them, and that a row of delegates never goes in circles."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policies.absence import Unclear, delegate_of, leads_nowhere, read, seen
from policies.people import Absence, Person
from policies.seats import AwayRule

NOW = datetime(2026, 9, 29, 0, 41, tzinfo=UTC)  # a Tuesday
PEOPLE = ("ana", "bo", "cleo", "dee")


def away(**delegates: str | None) -> dict[str, Absence]:
    until = NOW + timedelta(days=1)
    return {p: Absence(person=p, until=until, delegate=d) for p, d in delegates.items()}


@pytest.mark.parametrize(
    ("words", "until", "named"),
    [
        ("until friday → @U0BO", "2026-10-02T07:00", "@U0BO"),
        ("until friday 17:30 -> @U0BO", "2026-10-02T15:30", "@U0BO"),
        ("until tuesday", "2026-10-06T07:00", None),
        ("until tomorrow to bo@example.com", "2026-09-30T07:00", "bo@example.com"),
        ("till 07:00", "2026-09-29T05:00", None),
        ("until 02:00", "2026-09-30T00:00", None),
        ("until today 12:00 @U0BO", "2026-09-29T10:00", "@U0BO"),
        ("until 2026-10-26 09:00", "2026-10-26T08:00", None),
        ("UNTIL Fri", "2026-10-02T07:00", None),
    ],
)
def test_a_time_is_read_where_the_person_is(words: str, until: str, named: str | None) -> None:
    found, who = read(words, NOW, "Europe/Berlin")
    assert (found.astimezone(UTC).isoformat()[:16], who) == (until, named)


@pytest.mark.parametrize(
    "words",
    ["", "until", "until never", "until 2026-02-30", "until 25:00", "until 2020-01-01", "for ever"],
)
def test_what_names_no_time_is_said_to_be_unclear(words: str) -> None:
    with pytest.raises(Unclear, match="away until friday"):
        read(words, NOW, "UTC")


def test_a_row_of_delegates_ends_with_whoever_is_there() -> None:
    assert delegate_of(away(ana="bo"), "ana") == "bo"
    assert delegate_of(away(ana="bo", bo="cleo"), "ana") == "cleo"
    assert delegate_of(away(ana="bo", bo=None), "ana") is None
    assert delegate_of(away(ana="bo", bo="ana"), "ana") is None
    assert delegate_of({}, "ana") is None


@given(st.dictionaries(st.sampled_from(PEOPLE), st.none() | st.sampled_from(PEOPLE)))
def test_whatever_people_say_a_delegate_is_there_and_not_oneself(
    said: dict[str, str | None],
) -> None:
    absences = away(**said)
    for person in PEOPLE:
        found = delegate_of(absences, person)
        assert found is None or (found not in absences and found != person)


def test_a_delegation_that_ends_nowhere_is_refused_with_words() -> None:
    def told(absences: dict[str, Absence], person: str, delegate: str) -> str:
        return leads_nowhere(absences, away(**{person: delegate})[person]) or ""

    assert told({}, "ana", "bo") == ""
    assert told({}, "ana", "ana") == "you named yourself"
    assert told(away(bo=None), "ana", "bo") == "<@bo> is away too and named nobody"
    assert "lead back" in told(away(bo="ana"), "ana", "bo")
    assert "lead back" in told(away(bo="cleo", cleo="bo"), "ana", "bo")


def test_a_status_or_paused_notifications_say_that_somebody_is_away() -> None:
    rule = AwayRule()
    on_leave = Person(id="U1", status="On vacation, back Monday", emoji=":palm_tree:")
    assert "On vacation" in (seen(on_leave, None, rule) or "")
    assert seen(Person(id="U1", status="runaway success"), None, rule) is None
    assert seen(Person(id="U1", emoji=":airplane:"), None, rule)
    assert seen(Person(id="U1"), NOW, rule) == "their notifications are paused"
    assert seen(Person(id="U1"), NOW, AwayRule(do_not_disturb=False)) is None
    assert seen(on_leave, None, AwayRule(words=["urlaub"], emoji=[])) is None
