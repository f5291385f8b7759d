"""What people call a run's deployment: `flow/deployment`. Prefect's runs hold ids only."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from connectors.prefect.api import NAMES, PAGE, Api
from connectors.prefect.wire import FlowRun, Named
from policies.run import Run

_DEPLOYMENTS, _FLOWS = NAMES


class Names:
    """Ids to names, each asked once: neither a flow nor a deployment can be renamed."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._known: dict[str, str] = {}

    async def told(self, runs: Sequence[FlowRun]) -> list[Run]:
        """Runs of the house, in the same order."""
        await self._learn(_FLOWS, "flows", (run.flow_id for run in runs))
        await self._learn(_DEPLOYMENTS, "deployments", (run.deployment_id for run in runs))
        return [in_our_words(self._api, run, self.job(run)) for run in runs]

    async def of(self, run: FlowRun) -> str:
        """The name of one run's deployment, or of its flow when it has none, or it is gone."""
        await self.told([run])
        return self.job(run)

    def job(self, run: FlowRun) -> str:
        """The same for a run whose names are known."""
        flow = self._known.get(run.flow_id, run.flow_id)
        deployment = self._known.get(run.deployment_id or "")
        return f"{flow}/{deployment}" if deployment else flow

    async def _learn(self, path: str, what: str, ids: Iterable[str | None]) -> None:
        unknown = sorted({each for each in ids if each} - self._known.keys())
        for start in range(0, len(unknown), PAGE):
            wanted = {what: {"id": {"any_": unknown[start : start + PAGE]}}, "limit": PAGE}
            found = self._api.models(Named, await self._api.ask(path, wanted))
            self._known |= {each.id: each.name for each in found}


def in_our_words(api: Api, run: FlowRun, job: str) -> Run:
    """A run of the house; what its state says is free text, and may quote a secret."""
    told = run.run(api.connection, job, api.address.run(run.id))
    return replace(told, says=api.clean(told.says))


def parts(job: str) -> tuple[str, str | None]:
    """Flow and deployment; neither name may hold a slash."""
    flow, _, deployment = job.partition("/")
    return flow, deployment or None


def only(job: str | None) -> dict[str, object]:
    """The filter for the runs of one deployment, or of one flow."""
    if job is None:
        return {}
    flow, deployment = parts(job)
    named: dict[str, object] = {"flows": {"name": {"any_": [flow]}}}
    return named | ({"deployments": {"name": {"any_": [deployment]}}} if deployment else {})
