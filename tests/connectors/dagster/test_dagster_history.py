"""Listing runs: no cursor comes back, an unknown one ends the list, times are seconds."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from connectors.dagster.history import PAGE
from connectors.errors import Broken
from policies.evidence import Probe
from policies.run import RunState
from tests.connectors.dagster.fake_dagster import FakeDagster, a_run, runs

PARTITION = "dagster/partition"
SINCE = datetime(2026, 9, 29, tzinfo=UTC)


class Listing:
    """A server with runs, newest first. `lost` is deleted once the first page was read."""

    def __init__(self, total: int, lost: set[int] = frozenset()) -> None:
        self.runs = [a_run(number) for number in range(total, 0, -1)]
        self._lost = {a_run(number)["runId"] for number in lost}

    def __call__(self, variables: Mapping[str, Any]) -> Any:
        ids = [run["runId"] for run in self.runs]
        after, counted = variables["cursor"], len(ids)
        start = 0 if after is None else ids.index(after) + 1 if after in ids else counted
        page = self.runs[start : start + variables["limit"]]
        self.runs = [run for run in self.runs if run["runId"] not in self._lost]
        return runs(*page, count=counted)


async def test_all_pages_are_read_and_the_oldest_comes_first() -> None:
    fake = FakeDagster(DwRuns=Listing(2 * PAGE + 3))
    found = await fake.reader().runs_since(SINCE)
    assert [run.id[:8] for run in found] == [f"{n:08x}" for n in range(1, 2 * PAGE + 4)]
    assert fake.count("DwRuns") == 3


async def test_a_run_deleted_while_it_was_the_cursor_does_not_end_the_list() -> None:
    last_of_first_page = 2 * PAGE + 1
    listing = Listing(3 * PAGE, lost={last_of_first_page})
    found = await FakeDagster(DwRuns=listing).reader().runs_since(SINCE)
    assert len(found) == 3 * PAGE


async def test_a_list_that_never_adds_up_is_an_error_not_a_short_list() -> None:
    page = runs(*(a_run(n) for n in range(PAGE, 0, -1)), count=90)
    empty = runs(count=90)

    def never_adds_up(variables: Mapping[str, Any]) -> Any:
        return empty if variables["cursor"] else page

    with pytest.raises(Broken, match="nothing is left out silently"):
        await FakeDagster(DwRuns=never_adds_up).reader().runs_since(SINCE)


async def test_no_runs_is_an_empty_list() -> None:
    assert await FakeDagster(DwRuns="runs").reader().runs_since(SINCE) == []


async def test_failures_are_asked_for_by_their_last_change_in_seconds() -> None:
    fake = FakeDagster(DwRuns="runs_failures")
    found = await fake.reader().runs_since(SINCE, failed_only=True)
    assert {run.state for run in found} == {RunState.FAILED}
    [asked] = fake.variables("DwRuns")
    assert asked["filter"] == {"statuses": ["FAILURE"], "updatedAfter": SINCE.timestamp()}


async def test_a_partition_is_also_looked_for_as_a_range_of_one() -> None:
    ranged = [
        {"key": "dagster/asset_partition_range_start", "value": "2026-09-28"},
        {"key": "dagster/asset_partition_range_end", "value": "2026-09-28"},
    ]

    def by_tags(variables: Mapping[str, Any]) -> Any:
        return runs(a_run(1, tags=ranged)) if variables["filter"]["tags"] == ranged else runs()

    fake = FakeDagster(DwRuns=by_tags)
    [run] = await fake.reader().runs_since(SINCE, job="sessions_job", partition="2026-09-28")
    assert run.partition == "2026-09-28"
    assert fake.variables("DwRuns")[0]["filter"]["pipelineName"] == "sessions_job"


async def test_a_range_of_several_days_is_not_one_partition() -> None:
    ranged = [
        {"key": "dagster/asset_partition_range_start", "value": "2026-09-27"},
        {"key": "dagster/asset_partition_range_end", "value": "2026-09-28"},
    ]
    fake = FakeDagster(DwRuns=lambda _: runs(a_run(1, tags=ranged)))
    [run] = await fake.reader().runs_since(SINCE)
    assert run.partition is None


async def probe(fake: FakeDagster, name: str, **params: Any) -> Any:
    asked = Probe(connection="dagster", name=name, params=params)
    return (await fake.reader().read(asked, evidence_id="E1", now=SINCE)).value


async def test_the_last_good_run_before_a_time() -> None:
    fake = FakeDagster(DwLastRun="last_run")
    before = "2026-09-29T00:41:00+00:00"
    value = await probe(fake, "last_success", job="growth_rollups_job", before=before)
    assert value["code_version"].startswith("snapshot ")
    [asked] = fake.variables("DwLastRun")
    assert asked["filter"]["createdBefore"] == datetime.fromisoformat(before).timestamp()


async def test_no_good_run_yet() -> None:
    value = await probe(FakeDagster(DwLastRun="last_run_none"), "last_success", job="x")
    assert value == dict.fromkeys(("run_id", "code_version", "commit", "ended_at"))


async def test_the_beginning_of_a_run_id_is_completed() -> None:
    ids = ["aaaaaaaa-1", "bbbbbbbb-2"]
    fake = FakeDagster(
        DwRunIds=lambda _: {"runIdsOrError": {"__typename": "RunIds", "results": ids}}
    )
    assert await probe(fake, "find_run", short="bbbbbbbb") == {"run_id": "bbbbbbbb-2", "matches": 1}


async def test_a_beginning_that_fits_two_runs_is_not_guessed() -> None:
    ids = ["aaaaaaaa-1", "aaaaaaaa-2"]
    fake = FakeDagster(
        DwRunIds=lambda _: {"runIdsOrError": {"__typename": "RunIds", "results": ids}}
    )
    assert await probe(fake, "find_run", short="aaaaaaaa") == {"run_id": None, "matches": 2}


async def test_runs_of_a_backfill_have_that_in_common() -> None:
    tags = [
        {"key": "dagster/backfill", "value": "bkfl1"},
        {"key": PARTITION, "value": "2026-09-28"},
    ]
    fake = FakeDagster(DwRuns=lambda _: runs(a_run(2, tags=tags), a_run(1), count=2))
    one, other = await fake.reader().runs_since(SINCE, failed_only=True)
    assert (one.backfill, other.backfill, other.partition) == (None, "bkfl1", "2026-09-28")
