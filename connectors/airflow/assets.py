"""When an asset was built last: by the last good run of the DAG that dw.yml says builds it."""

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from connectors.airflow.api import Api
from connectors.airflow.params import AssetStates, LastSuccess, Materialization
from connectors.airflow.runs import last_success

Builds = Mapping[str, Sequence[str]]
_NEVER: dict[str, JsonValue] = {"at": None, "run_id": None, "partition": None}


async def materialization(
    api: Api, params: Materialization, builds: Builds
) -> dict[str, JsonValue]:
    """The value of the probe `materialization`; all None when it is not known."""
    dag = builder(builds, params.asset)
    state = await _state(api, dag) if dag else _NEVER
    if params.partition not in (None, state["partition"]):
        state = _NEVER
    return {**state, "metadata": {}}


async def asset_states(api: Api, params: AssetStates, builds: Builds) -> dict[str, JsonValue]:
    """The value of the probe `asset_states`: only assets of named DAGs, one request a DAG."""
    dags = {asset: dag for asset in params.assets if (dag := builder(builds, asset))}
    states = {dag: await _state(api, dag) for dag in sorted(set(dags.values()))}
    known: dict[str, JsonValue] = {
        asset: states[dag] if states[dag]["at"] else None for asset, dag in dags.items()
    }
    return {"assets": known}


def builder(builds: Builds, asset: str) -> str | None:
    """The named DAG that builds an asset."""
    return next((dag for dag, built in builds.items() if asset in built), None)


async def _state(api: Api, dag: str) -> dict[str, JsonValue]:
    last = await last_success(api, LastSuccess(job=dag))
    return {
        "at": last["ended_at"],
        "run_id": last["run_id"],
        "partition": last.get("partition"),
    }
