"""The figures fit together: what fails must fail by the check's own rule, and what is mended must pass."""

from datetime import timedelta
from statistics import median

from bot.sandbox.demo import story

ENOUGH = 0.95


def test_the_trailing_week_has_the_median_the_story_tells() -> None:
    week = [story.HISTORY[story.DAY - timedelta(days=n)] for n in range(1, 8)]
    assert median(week) == story.TRAILING_MEDIAN


def test_the_cut_day_is_too_small_and_the_whole_day_is_enough() -> None:
    assert story.LOADED < ENOUGH * story.TRAILING_MEDIAN <= story.ROWS


def test_the_four_mondays_before_are_there() -> None:
    assert all(story.DAY - timedelta(weeks=n) in story.HISTORY for n in range(1, 5))


def test_the_two_parts_of_monday_make_the_whole_and_share_no_session() -> None:
    first, rest = story.before_the_cut(), story.after_the_cut()
    assert (first.rows, first.rows + rest.rows) == (23_100, 28_300)
    assert rest.first_id == first.first_id + first.rows
    assert first.until_s < rest.from_s
