"""Sources that were found stale. Their step may fail while the run goes on: a box in the job's settings does that."""

from collections.abc import Sequence

import msgspec
from pydantic import JsonValue

from connectors.dbt_cloud.api import Api
from connectors.dbt_cloud.wire import Step, WireRun
from connectors.errors import Malformed, NotFound

NAME = "source freshness"
_HOUR = 3600


class _Source(msgspec.Struct):
    unique_id: str
    status: str = ""
    max_loaded_at_time_ago_in_s: float | None = None
    error: str | int | None = None

    @property
    def says(self) -> str:
        if self.max_loaded_at_time_ago_in_s is None:
            return str(self.error or "its age could not be read")
        return f"its newest row was {self.max_loaded_at_time_ago_in_s / _HOUR:.1f} h old"


class _Sources(msgspec.Struct):
    results: list[_Source]


_SOURCES = msgspec.json.Decoder(_Sources)


def looks_at_sources(step: Step) -> bool:
    """True for `dbt source freshness`, and for `dbt freshness` of dbt 2."""
    return "freshness" in step.name


async def stale(
    api: Api, run: WireRun, failed: Sequence[Step], culprit: Step | None
) -> list[JsonValue]:
    """Checks of the probe `run_failure`: what a step that failed found old, or could not look at.

    None where another step ended the run: an old source would be taken for what broke it.
    """
    asked = [step for step in failed if looks_at_sources(step) and culprit in (None, step)]
    return [
        _check(api, source, blocking=step is culprit)
        for step in asked
        for source in await _sources(api, run, step)
        if source.status != "pass"
    ]


async def _sources(api: Api, run: WireRun, step: Step) -> list[_Source]:
    """None of them when the file is not there or can't be understood: then the step's log speaks."""
    try:
        return _SOURCES.decode(await api.artifact(run.id, "sources.json", step.index)).results
    except (NotFound, Malformed, msgspec.MsgspecError, UnicodeDecodeError):
        return []


def _check(api: Api, source: _Source, *, blocking: bool) -> JsonValue:
    ended_it = blocking and source.status != "warn"
    return {
        "asset": source.unique_id.rpartition(".")[2],
        "check": NAME,
        "passed": False,
        "severity": "ERROR" if ended_it else "WARN",
        "blocking": ended_it,
        "description": api.clean(source.says),
        "metadata": {"failures": None},
    }
