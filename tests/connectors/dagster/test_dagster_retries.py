"""A failed run that Dagster starts again by itself is no trouble yet; one whose retry never comes is."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.connectors.dagster.fake_dagster import FakeDagster, a_run, runs

SINCE = datetime(2026, 9, 29, tzinfo=UTC)
WILL = {"key": "dagster/will_retry", "value": "true"}
WONT = {"key": "dagster/will_retry", "value": "false"}
AS = {"key": "dagster/auto_retry_run_id", "value": "00000009-0000-4000-8000-000000000000"}


def server(*new: dict[str, Any], promised: tuple[dict[str, Any], ...] = ()) -> FakeDagster:
    """What failed since, and what was to be retried before that."""

    def listed(variables: Mapping[str, Any]) -> Any:
        found = promised if variables["filter"].get("tags") else new
        return runs(*found, count=len(found))

    return FakeDagster(DwRuns=listed)


async def failed(fake: FakeDagster) -> list[str]:
    return [run.id[:8] for run in await fake.reader().failed_between(SINCE)]


async def test_a_failure_is_kept_quiet_while_its_retry_is_to_come_or_has_begun() -> None:
    coming, begun = a_run(1, tags=[WILL]), a_run(2, tags=[WILL, AS])
    assert await failed(server(begun, coming)) == []


async def test_the_last_failure_is_told() -> None:
    last, plain = a_run(3, tags=[WONT]), a_run(4)
    assert await failed(server(plain, last)) == ["00000003", "00000004"]


async def test_a_retry_that_never_came_is_told_after_all() -> None:
    lost, begun = a_run(1, tags=[WILL]), a_run(2, tags=[WILL, AS])
    fake = server(promised=(begun, lost))
    assert await failed(fake) == ["00000001"]
    (asked,) = [v["filter"] for v in fake.variables("DwRuns") if "tags" in v["filter"]]
    assert asked["updatedBefore"] == (SINCE - timedelta(minutes=10)).timestamp()
    assert asked["updatedAfter"] == (SINCE - timedelta(hours=1)).timestamp()
