"""Until when somebody has to decide: by the kind of change, by their hours, by who reads it first."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policies import escalation
from policies.deadline import LEAST, deadline, read_next
from policies.lifecycle import open_incident
from policies.lineage import BlastRadius, Hit, Reach
from policies.rules import Domain
from policies.working_hours import Hours
from tests.building import NOW, a_plan, a_step, opened
from tests.policies.test_escalation import DOMAIN

USUAL = Hours.model_validate({"from": "09:00", "to": "18:00"})
STANDUP = Hit(asset="Growth standup", kind="notebook", reach=Reach.DUE, due="09:30")
RADIUS = BlastRadius(root="raw_sessions", hits=(STANDUP,), next_due="09:30")
HALF_AN_HOUR = timedelta(minutes=30)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(f"{text}+00:00")


def domain(**changes: object) -> Domain:
    return Domain.model_validate({**DOMAIN.model_dump(), **changes})


def test_a_turn_ends_before_somebody_reads_what_is_reached_and_says_who() -> None:
    began = utc("2026-09-29T08:50")
    found = deadline(began, 1800, (), None, read_next(RADIUS, began), HALF_AN_HOUR)
    assert found.at == utc("2026-09-29T09:00")
    assert (found.read, found.read_at) == ("Growth standup", utc("2026-09-29T09:30"))
    assert found.remind_at == utc("2026-09-29T08:55")


def test_what_is_read_long_after_changes_nothing() -> None:
    found = deadline(NOW, 300, (), None, read_next(RADIUS, NOW), HALF_AN_HOUR)
    assert (found.at, found.read) == (NOW + timedelta(minutes=5), "")


def test_two_minutes_are_left_even_when_it_is_read_at_once() -> None:
    began = utc("2026-09-29T09:29")
    found = deadline(began, 1800, (), None, read_next(RADIUS, began), HALF_AN_HOUR)
    assert found.at == began + LEAST


def test_what_was_read_already_today_is_read_tomorrow() -> None:
    assert read_next(RADIUS, utc("2026-09-29T09:30")) == (
        utc("2026-09-30T09:30"),
        "Growth standup",
    )
    assert read_next(None, NOW) is None


def test_somebody_who_works_decides_how_long_a_group_has() -> None:
    began = utc("2026-09-28T08:00")  # ten in Berlin, four in the morning in New York
    found = deadline(began, 1800, ("America/New_York", "Europe/Berlin"), USUAL)
    assert found.at == began + HALF_AN_HOUR
    assert found.hours == "09:00–18:00 mon-fri, Europe/Berlin"


def test_half_of_working_time_is_when_they_are_reminded() -> None:
    found = deadline(utc("2026-09-28T15:50"), 1800, ("Europe/Berlin",), USUAL)
    assert found.at == utc("2026-09-29T07:20")
    assert found.remind_at == utc("2026-09-29T07:05")


def test_somebody_who_reads_it_first_thing_does_not_wait_for_working_hours() -> None:
    began = utc("2026-09-28T20:00")
    early = replace(RADIUS, hits=(replace(STANDUP, due="05:30"),))
    found = deadline(began, 1800, ("Europe/Berlin",), USUAL, read_next(early, began), HALF_AN_HOUR)
    assert found.at == utc("2026-09-29T05:00")


@given(
    st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1)),  # noqa: DTZ001 - made aware below
    st.integers(60, 7200),
    st.sampled_from(("00:00", "03:15", "09:30", "23:59")),
    st.sampled_from((None, USUAL)),
)
def test_it_is_never_later_than_its_reader_allows_and_always_after_the_reminder(
    began: datetime, seconds: int, due: str, hours: Hours | None
) -> None:
    began = utc(began.isoformat())
    radius = replace(RADIUS, hits=(replace(STANDUP, due=due),))
    reads = read_next(radius, began)
    assert reads is not None
    found = deadline(began, seconds, ("Europe/Berlin",), hours, reads, HALF_AN_HOUR)
    assert found.at <= max(reads[0] - HALF_AN_HOUR, began + LEAST)
    assert began < found.remind_at < found.at


@pytest.mark.parametrize(
    ("classes", "seconds"), [(("run_job",), 1800), (("run_job", "backfill"), 600)]
)
def test_a_change_class_has_its_own_time_and_of_several_the_shortest_counts(
    classes: tuple[str, ...], seconds: int
) -> None:
    rules = domain(deadlines={"run_job": "30m", "backfill": "10m"})
    steps = [a_step(name, change_class=name) for name in classes]
    incident = open_incident("DW-1", opened(), NOW)
    (request,) = escalation.requests(incident, a_plan(*steps), rules, NOW)
    assert {hop.seconds for hop in request.rule.chain} == {seconds}
