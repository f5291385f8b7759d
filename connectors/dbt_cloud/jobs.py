"""Jobs by the names that people and alerts use. Names are not unique in an account."""

from dataclasses import replace

from connectors.dbt_cloud.api import PAGE, Api
from connectors.dbt_cloud.params import CanRun
from connectors.dbt_cloud.wire import ACTIVE, Job, WireRun
from connectors.errors import NoSuch, NotFound, Rejected
from connectors.refusing import reason
from policies.evidence import Json
from policies.run import Run

_MOST_PAGES = 20
_NO_JOB = "nothing was done. Check the name in dw.yml, and what the token may see"
_SEVERAL = "nothing was done. Give the one you mean a name of its own"
Where = dict[str, str | int]


def in_our_words(api: Api, run: WireRun, job: str) -> Run:
    """A run of the house; what its status says is free text, and may quote a secret."""
    told = run.run(api.connection, job, api.address.run(run.project_id, run.id))
    return replace(told, says=api.clean(told.says))


class NoSuchJob(NoSuch):
    """No job has this name."""


class SeveralJobs(Rejected):
    """Several jobs have this name."""


class Jobs:
    """Names to ids and back. Names may be changed, so each start asks anew."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._names: dict[int, str] = {}

    async def locate(self, name: str) -> Job:
        """The one job of this name. `NoSuchJob`, or `SeveralJobs`."""
        found = [job for job in await self._called(name) if job.state in (None, ACTIVE)]
        if len(found) == 1:
            return found[0]
        if not found:
            says = f"it knows no job {name!r}; {_NO_JOB}"
            raise NoSuchJob(says, connection=self._api.connection)
        ids = ", ".join(str(job.id) for job in found)
        says = f"several jobs are called {name!r} ({ids}); {_SEVERAL}"
        raise SeveralJobs(says, connection=self._api.connection)

    async def told(self, runs: list[WireRun]) -> list[Run]:
        """Runs of the house, in the same order."""
        return [in_our_words(self._api, run, await self.of(run)) for run in runs]

    async def of(self, run: WireRun) -> str:
        """The name of a run's job; its number when the job is gone."""
        if run.job and run.job.name:
            return run.job.name
        return await self._name(run.job_key)

    async def can_run(self, params: CanRun) -> dict[str, Json]:
        """The value of the probe `can_run`: `may`, `why` not, and `but` what a person should know."""
        try:
            job = await self.locate(params.job)
        except (NoSuchJob, SeveralJobs) as problem:
            return {"may": False, "why": reason(problem), "but": None}
        link = f"{self._api.address.pages}/projects/{job.project_id}/jobs/{job.id}"
        return {"may": True, "why": None, "but": await self._busy(job), "link": link}

    async def _busy(self, job: Job) -> str | None:
        query: Where = {"job_definition_id": job.id, "order_by": "-id", "limit": 1}
        newest = self._api.models(WireRun, await self._api.get("runs", query))
        if newest and newest[0].status in (1, 2, 3):
            return f"run {newest[0].id} of it has not ended: dbt Cloud lets another one wait for it"
        return None

    async def _called(self, name: str) -> list[Job]:
        found: list[Job] = []
        for page in range(_MOST_PAGES):
            query: Where = {"name__icontains": name, "limit": PAGE, "offset": page * PAGE}
            jobs = self._api.models(Job, await self._api.get("jobs", query))
            found += [job for job in jobs if job.name == name]
            if len(jobs) < PAGE:
                break
        return found

    async def _name(self, job_id: int) -> str:
        if job_id not in self._names:
            try:
                job = self._api.model(Job, await self._api.get(f"jobs/{job_id}"))
            except NotFound:
                return f"job {job_id}"
            self._names[job_id] = job.name or f"job {job_id}"
        return self._names[job_id]
