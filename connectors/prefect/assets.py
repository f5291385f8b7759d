"""When an asset was built last, where dw.yml says which deployment builds it. Prefect itself knows no assets."""

from pydantic import JsonValue

from connectors.prefect.api import Api
from connectors.prefect.failure import Builds
from connectors.prefect.history import newest
from connectors.prefect.params import AssetStates, Materialization
from connectors.prefect.wire import FlowRun, iso

_NEVER: dict[str, JsonValue] = {"at": None, "run_id": None, "partition": None}


async def materialization(
    api: Api, params: Materialization, builds: Builds
) -> dict[str, JsonValue]:
    """The value of the probe `materialization`; all None for what no named deployment ever built."""
    job = _builder(builds, params.asset)
    run = await newest(api, job, _about(params.partition)) if job else None
    return {**(_state(run) if run else _NEVER), "metadata": {}}


async def asset_states(api: Api, params: AssetStates, builds: Builds) -> dict[str, JsonValue]:
    """The value of the probe `asset_states`: None for what no named deployment builds, or ever built."""
    jobs = {asset: _builder(builds, asset) for asset in params.assets}
    runs = {
        job: await newest(api, job, {}) for job in sorted({job for job in jobs.values() if job})
    }
    last = {asset: runs.get(job or "") for asset, job in jobs.items()}
    return {"assets": {asset: _state(run) if run else None for asset, run in last.items()}}


def _about(partition: str | None) -> dict[str, object]:
    return {"tags": {"all_": [f"dw/partition={partition}"]}} if partition else {}


def _builder(builds: Builds, asset: str) -> str | None:
    return next((job for job, built in builds.items() if asset in built), None)


def _state(run: FlowRun) -> dict[str, JsonValue]:
    return {"at": iso(run.ended), "run_id": run.id, "partition": run.partition}
