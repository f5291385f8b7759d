"""Which run is taken to be the one a person was asked to start."""

from dataclasses import replace
from datetime import timedelta

from policies.recognition import OUR_TAG, recognise_run
from policies.run import Run, RunState
from tests.building import NOW, a_backfill

STEP = a_backfill(params={"assets": ["raw_sessions", "stg_sessions"], "partition": "2026-09-28"})
RUN = Run(
    connection="dagster",
    id="r1",
    job="__ASSET_JOB",
    state=RunState.RUNNING,
    partition="2026-09-28",
    assets=("raw_sessions", "stg_sessions", "fct_daily_active_users"),
    created_at=NOW + timedelta(minutes=5),
)


def test_a_run_that_builds_what_was_asked_is_taken_and_the_reason_is_said() -> None:
    found = recognise_run(STEP, [RUN], NOW)
    assert found is not None
    assert found.run == RUN
    assert found.because.startswith("it builds raw_sessions, stg_sessions for partition 2026-09-28")


def test_another_day_an_older_run_a_failed_run_and_our_own_are_not_taken() -> None:
    others = [
        replace(RUN, partition="2026-09-27"),
        replace(RUN, created_at=NOW - timedelta(minutes=1)),
        replace(RUN, created_at=None),
        replace(RUN, state=RunState.FAILED),
        replace(RUN, tags={OUR_TAG: "DW-1:run"}),
        replace(RUN, assets=("other",)),
    ]
    assert recognise_run(STEP, others, NOW) is None


def test_a_run_that_builds_only_part_is_not_enough() -> None:
    assert recognise_run(STEP, [replace(RUN, assets=("raw_sessions",))], NOW) is None


def test_runs_of_one_asset_each_count_together_once_all_are_there() -> None:
    first = replace(RUN, id="r1", assets=("raw_sessions",))
    second = replace(RUN, id="r2", assets=("stg_sessions",))
    found = recognise_run(STEP, [first, second], NOW)
    assert found is not None
    assert found.run.id == "r2"
    assert "together with the runs before it" in found.because


def test_of_two_that_fit_the_newest_is_taken() -> None:
    found = recognise_run(STEP, [RUN, replace(RUN, id="r2")], NOW)
    assert found is not None
    assert found.run.id == "r2"
