"""The files that runs leave behind. They may come some seconds after the end of the run."""

import asyncio
from collections.abc import Sequence

from connectors.dbt import Manifest, RunResults, manifest, run_results
from connectors.dbt_cloud.api import Api
from connectors.dbt_cloud.runs import pages
from connectors.dbt_cloud.wire import WireRun
from connectors.errors import ConnectorError, NotFound

#: seconds between looks for a file that is not there yet
WAITS = (1.0, 2.0, 4.0)
_LOOK_BACK, _KEPT = 10, 32
Dated = tuple[WireRun, RunResults]


class Artifacts:
    """Files of runs that have ended never change: the newest are kept."""

    def __init__(self, api: Api, waits: Sequence[float] = WAITS) -> None:
        self._api = api
        self._waits = waits
        self._kept: dict[int, RunResults | None] = {}

    async def of_step(self, run: WireRun, step: int | None) -> RunResults | None:
        """What became of a step (the last one without a number); None when it left no file behind.

        A run that failed leaves one too. Waits a little for it where dbt Cloud has not said it is saved.
        """
        for wait in (*self._waits, None):
            try:
                data = await self._api.artifact(run.id, "run_results.json", step)
            except NotFound:
                if wait is None or run.artifacts_saved:
                    return None
                await asyncio.sleep(wait)
            else:
                return run_results(data, self._api.connection)
        return None

    async def manifest(self, run: WireRun) -> Manifest | None:
        """The project as it was in that run; None when it can't be had: then a test is told without its table."""
        try:
            data = await self._api.artifact(run.id, "manifest.json")
            return manifest(data, self._api.connection)
        except ConnectorError:
            return None

    async def newest(self) -> list[Dated]:
        """The last few runs that ended by themselves, newest first, each with what became of its nodes."""
        found: list[Dated] = []
        async for page in pages(self._api, {"order_by": "-finished_at", "limit": 2 * _LOOK_BACK}):
            for run in page:
                results = await self._known(run) if run.complete else None
                found += [(run, results)] if results else []
                if len(found) == _LOOK_BACK:
                    return found
            break
        return found

    async def _known(self, run: WireRun) -> RunResults | None:
        if run.id not in self._kept:
            found = await self._now(run)
            if found is None and not run.artifacts_saved:
                return None
            self._kept[run.id] = found
            for oldest in sorted(self._kept)[:-_KEPT]:
                del self._kept[oldest]
        return self._kept[run.id]

    async def _now(self, run: WireRun) -> RunResults | None:
        """`Malformed` for a file that can't be understood: skipped, an older result would pass for the newest."""
        try:
            data = await self._api.artifact(run.id, "run_results.json")
        except NotFound:
            return None
        return run_results(data, self._api.connection)
