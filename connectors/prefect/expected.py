"""Has the run that a deployment's schedule promises come? Prefect writes runs down before they are due."""

from pydantic import JsonValue

from connectors.prefect import deployments
from connectors.prefect.api import Api
from connectors.prefect.history import RUNS, begun
from connectors.prefect.names import only
from connectors.prefect.params import ExpectedRun
from connectors.prefect.wire import FlowRun, iso

_LOOKED_AT = 20
_PAUSED = "it is paused"


async def expected(api: Api, params: ExpectedRun) -> dict[str, JsonValue]:
    """The value of the probe `expected`: `due_at` of the oldest run that has not begun, to come or late.

    `held` says why no run is expected at all, `began_at` when the newest one began, `says` what keeps it.
    Not only what Prefect calls Late: nobody calls anything late when that service is down too.
    """
    deployment = await deployments.locate(api, params.job)
    waits = await _oldest(api, params.job)
    last = await begun(api, params.job)
    says = await deployments.held(api, deployment) or deployments.unserved(deployment)
    late = f"Prefect calls it {waits.state_name}" if waits and waits.state_name else ""
    return {
        "due_at": iso(waits.expected) if waits else None,
        "held": _PAUSED if deployment.paused else None,
        "partition": waits.partition if waits else None,
        "began_at": iso(last.started) if last else None,
        "says": "; ".join(part for part in (late, says) if part),
        "url": api.address.deployment(deployment.id),
    }


async def _oldest(api: Api, job: str) -> FlowRun | None:
    """One that waits to be tried again has begun already: it is not missing."""
    waiting = {"state": {"type": {"any_": ["SCHEDULED"]}}}
    body = {"sort": "EXPECTED_START_TIME_ASC", "limit": _LOOKED_AT, "flow_runs": waiting}
    found = api.models(FlowRun, await api.ask(RUNS, {**body, **only(job)}))
    return next((run for run in found if run.started is None), None)
