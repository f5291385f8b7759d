"""A backfill of several partitions: all that failed are the owner's part, and each is green by itself."""

from dataclasses import replace
from datetime import timedelta

import pytest

from policies import backfills
from policies.backfills import AGAIN, stretches
from policies.recognition import OUR_TAG, Found, Partly, Recognised, recognise_partitions
from policies.run import Run, RunState
from tests.building import NOW, a_backfill

DAYS = ("2026-09-02", "2026-09-03", "2026-09-04")
STEP = a_backfill(action=AGAIN, params={"assets": ["d1", "d2"], "partitions": list(DAYS)})
OF_JOB = a_backfill(action=AGAIN, params={"job": "billing", "partitions": list(DAYS)})


def run(day: str | None, minute: int = 1, **changes: object) -> Run:
    at = NOW + timedelta(minutes=minute)
    known = Run(
        connection="dagster",
        id=f"{day}-{minute}",
        job="__ASSET_JOB",
        state=RunState.SUCCEEDED,
        partition=day,
        assets=("d1", "d2"),
        created_at=at,
        ended_at=at,
    )
    return replace(known, **changes)  # type: ignore[arg-type]


def found(*runs: Run) -> Found:
    return recognise_partitions(STEP, runs, NOW)


def why(*runs: Run) -> str:
    told = found(*runs)
    assert isinstance(told, Partly)
    return told.why


def test_one_green_partition_does_not_settle_the_others() -> None:
    told = why(run(DAYS[0]))
    assert told == "1 of 3 partitions are green; still to come: 2026-09-03 and 2026-09-04"


def test_the_last_one_settles_them_all_and_says_which_they_were() -> None:
    told = found(run(DAYS[1], 1), run(DAYS[0], 3), run(DAYS[2], 2))
    assert isinstance(told, Recognised)
    assert told.run.id == "2026-09-02-3"
    assert told.because == ("3 of 3 partitions are green: 2026-09-02, 2026-09-03 and 2026-09-04")


def test_the_same_partition_three_times_is_one_partition() -> None:
    assert why(run(DAYS[0], 1), run(DAYS[0], 2), run(DAYS[0], 3)).startswith("1 of 3")


def test_nothing_green_is_nothing_to_say() -> None:
    others = [
        run(None),
        run("2026-09-05"),
        run(DAYS[0], -1),
        run(DAYS[0], assets=("other",)),
        run(DAYS[0], state=RunState.RUNNING),
        run(DAYS[0], tags={OUR_TAG: "DW-1:x"}),
        run(DAYS[0], created_at=None),
    ]
    assert found(*others) is None


def test_a_partition_whose_newest_run_failed_is_not_green_any_more() -> None:
    told = why(run(DAYS[0], 1), run(DAYS[1], 1), run(DAYS[0], 2, state=RunState.FAILED))
    assert told.startswith("1 of 3 partitions are green; still to come: 2026-09-02 and 2026-09-04")
    assert "2026-09-02 (its newest run 2026-09-02-2 ended as failed)" in told


def test_a_partition_is_green_when_all_that_is_wanted_was_built_in_several_runs_too() -> None:
    half = run(DAYS[0], 1, assets=("d1",))
    assert found(half) is None
    assert why(half, run(DAYS[0], 2, assets=("d2",))).startswith("1 of 3")


def test_one_run_over_a_range_of_days_counts_for_each_of_them() -> None:
    tags = {
        "dagster/asset_partition_range_start": "2026-09-02",
        "dagster/asset_partition_range_end": "2026-09-03",
    }
    assert why(run(None, tags=tags)).startswith("2 of 3")


def test_a_cleared_run_is_the_same_run_begun_once_more() -> None:
    cleared = run(
        DAYS[0], job="billing", assets=(), created_at=NOW - timedelta(days=1), started_at=NOW
    )
    told = recognise_partitions(OF_JOB, [cleared], NOW)
    assert isinstance(told, Partly)
    assert recognise_partitions(OF_JOB, [replace(cleared, job="other")], NOW) is None


@pytest.mark.parametrize(
    ("green", "says"), [(1, "at least 0 of 40"), (7, "at least 4 of 40"), (39, "at least 36 of 40")]
)
def test_of_many_partitions_it_is_said_by_the_tenth(green: int, says: str) -> None:
    many = [f"p{n:02}" for n in range(40)]
    step = replace(STEP, params={"assets": ["d1", "d2"], "partitions": many})
    far = backfills.progress(step, [run(day) for day in many[:green]], NOW)
    assert far.why == f"{says} partitions are green"


def test_days_that_follow_on_each_other_are_one_stretch() -> None:
    days = ("2026-09-30", "2026-10-01", "2026-10-03", "acme", "2026-09-02|eu")
    assert stretches(days) == (
        ("2026-09-30", "2026-10-01"),
        ("2026-10-03", "2026-10-03"),
        ("acme", "acme"),
        ("2026-09-02|eu", "2026-09-02|eu"),
    )
