"""So many seconds of somebody's working time, by the clock on their wall, whatever the season."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from policies.working_hours import Hours, after, working_days, zone

BERLIN = "Europe/Berlin"
USUAL = Hours.model_validate({"from": "09:00", "to": "18:00"})
ZONES = st.sampled_from(
    (BERLIN, "UTC", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia")
)
#: whole minutes of 2015 to 2035
MOMENTS = st.integers(23_667_840, 34_186_000).map(lambda m: datetime.fromtimestamp(m * 60, UTC))
HOURS = st.builds(
    lambda begin, end, days: Hours.model_validate({"from": begin, "to": end, "days": days}),
    st.sampled_from(("00:00", "04:30", "09:00")),
    st.sampled_from(("12:00", "18:00", "23:59")),
    st.sampled_from(("mon-fri", "sun-thu", "mon-sun", "wed", "sat,sun")),
)


def at(text: str, tz: str = BERLIN) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(tz))


def worked(began: datetime, ended: datetime, hours: Hours, tz: str) -> int:
    """The plain way: every minute between, asked one by one whether it is a working one."""
    days, here, minutes = working_days(hours.days), ZoneInfo(tz), 0
    for n in range(int((ended - began).total_seconds() // 60)):
        wall = (began + timedelta(minutes=n)).astimezone(here)
        if wall.weekday() in days and hours.begin <= f"{wall:%H:%M}" < hours.end:
            minutes += 1
    return minutes


@given(MOMENTS, st.integers(1, 900), HOURS, ZONES)
def test_exactly_so_much_working_time_passes(
    began: datetime, minutes: int, hours: Hours, tz: str
) -> None:
    ended = after(began, minutes * 60, hours, tz)
    assert worked(began, ended, hours, tz) == minutes
    assert worked(ended - timedelta(minutes=1), ended, hours, tz) == 1, "it ends in working time"


@given(MOMENTS, st.integers(1, 900), st.integers(0, 900), HOURS, ZONES)
def test_more_time_never_ends_sooner_and_a_later_start_neither(
    began: datetime, minutes: int, more: int, hours: Hours, tz: str
) -> None:
    ended = after(began, minutes * 60, hours, tz)
    assert ended >= began + timedelta(minutes=minutes)
    assert after(began, (minutes + more) * 60, hours, tz) >= ended
    assert after(began + timedelta(minutes=more), minutes * 60, hours, tz) >= ended


@pytest.mark.parametrize(
    ("began", "minutes", "ended"),
    [
        ("2026-09-28T10:00", 30, "2026-09-28T10:30"),
        ("2026-09-28T17:50", 30, "2026-09-29T09:20"),
        ("2026-09-28T03:00", 30, "2026-09-28T09:30"),
        ("2026-10-02T17:50", 30, "2026-10-05T09:20"),
        ("2026-10-24T12:00", 30, "2026-10-26T09:30"),
        ("2026-03-27T17:30", 60, "2026-03-30T09:30"),
        ("2026-09-28T17:30", 30, "2026-09-28T18:00"),
    ],
)
def test_evenings_nights_weekends_and_the_change_of_clocks_do_not_count(
    began: str, minutes: int, ended: str
) -> None:
    assert after(at(began), minutes * 60, USUAL, BERLIN) == at(ended)


def test_a_night_shift_has_an_hour_more_when_the_clocks_go_back() -> None:
    nights = Hours.model_validate({"from": "00:00", "to": "06:00", "days": "mon-sun"})
    assert after(at("2026-10-25T00:00"), 7 * 3600, nights, BERLIN) == at("2026-10-25T06:00")
    assert after(at("2026-03-29T00:00"), 5 * 3600, nights, BERLIN) == at("2026-03-29T06:00")


def test_without_hours_every_second_counts() -> None:
    began = at("2026-10-24T23:50")
    assert after(began, 1800, None, BERLIN) == began + timedelta(minutes=30)


def test_a_time_zone_that_nobody_knows_is_utc() -> None:
    assert zone("Middle/Earth").key == "UTC"
    assert zone("../etc/passwd").key == "UTC"


@pytest.mark.parametrize(
    "wrong",
    [
        {"from": "18:00", "to": "09:00"},
        {"from": "09:00", "to": "18:00", "days": "someday"},
        {"from": "9am", "to": "18:00"},
    ],
)
def test_hours_that_make_no_sense_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        Hours.model_validate(wrong)


def test_days_may_go_round_the_week() -> None:
    assert working_days("sun-thu") == {6, 0, 1, 2, 3}
    assert working_days("mon, wed,fri") == {0, 2, 4}
