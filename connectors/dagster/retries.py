"""Failed runs that Dagster starts again by itself: silence while that may still come, and no longer."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from connectors.dagster import history
from connectors.dagster.graphql import GraphQL
from connectors.dagster.history import Filter
from connectors.dagster.wire import WireRun, tag_map

_WILL_RETRY, _RETRIED_AS = "dagster/will_retry", "dagster/auto_retry_run_id"
#: the daemon that starts retries looks every few seconds; what it has not begun by then it does not begin
_PATIENCE = timedelta(minutes=10)
_REMEMBERED = timedelta(hours=1)


def retry_of(tags: dict[str, str]) -> str | None:
    """The run that was started in its place, `pending` while that is still to come, else None."""
    if tags.get(_WILL_RETRY) != "true":
        return None
    return tags.get(_RETRIED_AS) or "pending"


def told(runs: Iterable[WireRun]) -> list[WireRun]:
    """Those whose failure is the last word: nothing is started in their place."""
    return [run for run in runs if retry_of(tag_map(run.tags)) is None]


async def never_came(graphql: GraphQL, since: datetime) -> list[WireRun]:
    """Runs whose retry was promised before `since` and never began, as when the daemon died meanwhile."""
    wanted: Filter = history.since_filter(since - _REMEMBERED, job=None, failed_only=True)
    wanted["updatedBefore"] = (since - _PATIENCE).timestamp()
    wanted["tags"] = [{"key": _WILL_RETRY, "value": "true"}]
    found = await history.all_runs(graphql, wanted)
    return [run for run in found if retry_of(tag_map(run.tags)) == "pending"]
