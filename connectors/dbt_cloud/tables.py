"""When a table was built, and what a test said, from what the newest runs left behind."""

from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from connectors.dbt import outcome_of
from connectors.dbt.results import checked, is_test
from connectors.dbt_cloud.api import Api
from connectors.dbt_cloud.artifacts import Artifacts, Dated
from connectors.dbt_cloud.params import AssetCheck, AssetStates, CheckHistory, Materialization
from connectors.dbt_cloud.wire import iso

Value = dict[str, JsonValue]
_UNTOLD = ("passed", "severity", "at", "run_id", "description")


async def materialization(artifacts: Artifacts, params: Materialization) -> Value:
    """The value of the probe `materialization`; all None when no run that is looked at built it."""
    state = _built(await artifacts.newest(), params.asset)
    return {**(state or {"at": None, "run_id": None, "partition": None}), "metadata": {}}


async def asset_states(artifacts: Artifacts, params: AssetStates) -> Value:
    """The value of the probe `asset_states`: None for what no run that is looked at built."""
    newest = await artifacts.newest()
    return {"assets": {asset: _built(newest, asset) for asset in params.assets}}


async def asset_check(api: Api, artifacts: Artifacts, params: AssetCheck) -> Value:
    """The value of the probe `asset_check`; all None when no run that is looked at ran the test."""
    found = next(_told(api, await artifacts.newest(), params.check), None)
    return found or {**dict.fromkeys(_UNTOLD), "metadata": {}}


async def check_history(api: Api, artifacts: Artifacts, params: CheckHistory) -> Value:
    """The value of the probe `check_history`: newest first."""
    told = [*_told(api, await artifacts.newest(), params.check)][: params.limit]
    keep = ("passed", "at", "run_id", "metadata")
    return {"results": [{"partition": None, **{k: each[k] for k in keep}} for each in told]}


def _built(newest: Sequence[Dated], asset: str) -> Value | None:
    for run, results in newest:
        if asset in outcome_of(results).built:
            return {"at": iso(run.ended), "run_id": str(run.id), "partition": None}
    return None


def _told(api: Api, newest: Sequence[Dated], name: str) -> Iterator[Value]:
    for run, results in newest:
        for check in (checked(each, None) for each in results.results if is_test(each)):
            if check.check == name:
                yield {
                    "passed": check.passed,
                    "severity": check.severity,
                    "at": iso(run.ended),
                    "run_id": str(run.id),
                    "description": api.clean(check.says) or None,
                    "metadata": {"failures": check.failures},
                }
