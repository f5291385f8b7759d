"""Numbers and times as people read them, and JSON that can't be trusted."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policies import answers, figures


@pytest.mark.parametrize(
    ("value", "says"), [(28300, "28,300"), (0.5, "0.50"), (5975.0, "5,975"), (-1, "-1")]
)
def test_a_number_has_its_thousands_apart(value: float, says: str) -> None:
    assert figures.count(value) == says


def test_a_share_of_nothing_is_a_dash() -> None:
    assert (figures.share(23100, 28300), figures.share(1, 0)) == ("81.6 %", "–")


def test_names_are_listed_as_people_do() -> None:
    assert [figures.listed(names) for names in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]


def test_foreign_words_take_one_line_and_end_somewhere() -> None:
    assert figures.quoted("a\n b\t c") == "a b c"
    assert len(figures.quoted("x" * 40000)) == 300


@pytest.mark.parametrize("partition", [None, "", "2026-09-28-05:00", "2026-02-30", "eu"])
def test_only_a_day_is_a_day(partition: str | None) -> None:
    assert figures.day_of(partition) is None


def test_a_time_without_a_zone_is_utc_and_stamps_are_utc() -> None:
    at = datetime(2026, 9, 28, 21, 5, tzinfo=UTC)
    told = [answers.moment(said) for said in ("2026-09-28T21:05:00", "2026-09-28T23:05:00+02:00")]
    assert told == [at, at]
    assert figures.stamp(told[1]) == "2026-09-28T21:05:00+00:00"
    assert (figures.clock(at), figures.stamp(None)) == ("21:05", None)


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists))
def test_any_json_is_read_without_raising(value: Any) -> None:
    for read in (answers.text, answers.number, answers.moment, answers.names, answers.records):
        read(value)
    assert answers.record(value) == {}
    assert answers.number(True) is None
