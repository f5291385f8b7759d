"""Where a job lives, and what its code is. A location that is down hides its jobs: that is not `unknown`."""

from dataclasses import dataclass

from pydantic import Field, JsonValue

from connectors.dagster import queries
from connectors.dagster.graphql import GraphQL
from connectors.dagster.wire import PythonError, Tag, Versioned, Wire, tag_map
from connectors.errors import NoSuch, Rejected, Unreachable

INTERNAL_JOB = "__ASSET_JOB"
_CODE_KEYS = ("commit_hash", "image")


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where a job lives. `code` is the commit or image of its location, where Dagster tells it."""

    job: str
    location: str
    repository: str
    code: str | None

    def selector(self, name: str = "jobName") -> dict[str, JsonValue]:
        """What Dagster calls a selector; some questions still say `pipelineName`."""
        return {
            name: self.job,
            "repositoryName": self.repository,
            "repositoryLocationName": self.location,
        }


class _Named(Wire):
    name: str


class _Repository(_Named):
    jobs: list[_Named] = Field(default_factory=list, alias="pipelines")


class _Loaded(PythonError):
    type: str = Field(alias="__typename")
    repositories: list[_Repository] = Field(default_factory=list)


class _Location(_Named):
    loaded: _Loaded | None = Field(None, alias="locationOrLoadError")
    shown: list[Tag] = Field(default_factory=list, alias="displayMetadata")

    def trouble(self) -> str | None:
        """Why nothing is known of this location, or None. Its `loadStatus` says LOADED even then."""
        if self.loaded is None:
            return "it is still loading"
        return self.loaded.headline() if self.loaded.type == "PythonError" else None


class _Workspace(Wire):
    locations: list[_Location] = Field(alias="locationEntries")


class InSeveral(Rejected):
    """More than one code location has a job of this name."""


async def locate(graphql: GraphQL, job: str) -> Place:
    """The one place of a job, or the one that dw.yml names.

    `NoSuch`: nobody knows it. `Unreachable`: a location that may hold it is down. `InSeveral`: it is
    in several places, and none is better than another.
    """
    data = await graphql.read(queries.WORKSPACE)
    answer = graphql.wanted(data.get("workspaceOrError"), "Workspace")
    locations = graphql.model(_Workspace, answer).locations
    named = graphql.locations.get(job)
    places = [
        place
        for location in locations
        for place in _places(location, job)
        if named in (None, location.name)
    ]
    if len(places) == 1:
        return places[0]
    if places:
        where = ", ".join(sorted(place.location for place in places))
        says = f"the job {job} is in several places ({where}); say which in dw.yml (location)"
        raise InSeveral(f"{says}. Nothing was started.", connection=graphql.connection)
    raise _nowhere(graphql, job, locations)


async def code_version(graphql: GraphQL, job: str) -> str | None:
    """Commit or image of the job's location, else the snapshot of the job's shape."""
    place = await locate(graphql, job)
    if place.code:
        return place.code
    data = await graphql.read(queries.JOB, job=place.selector("pipelineName"))
    answer = graphql.wanted(data.get("pipelineOrError"), "Pipeline")
    return graphql.model(Versioned, answer).code_version()


def _places(location: _Location, job: str) -> list[Place]:
    shown = tag_map(location.shown)
    code = next((f"{key.split('_')[0]} {shown[key]}" for key in _CODE_KEYS if shown.get(key)), None)
    return [
        Place(job=job, location=location.name, repository=repository.name, code=code)
        for repository in (location.loaded.repositories if location.loaded else ())
        if any(known.name == job for known in repository.jobs)
    ]


def _nowhere(graphql: GraphQL, job: str, locations: list[_Location]) -> NoSuch | Unreachable:
    down = {each.name: trouble for each in locations if (trouble := each.trouble())}
    if not down:
        says = f"it knows no job {job}. Nothing was started. Check the name in dw.yml."
        return NoSuch(says, connection=graphql.connection)
    why = "; ".join(f"{name}: {graphql.clean(trouble)}" for name, trouble in down.items())
    says = (
        f"the job {job} can't be seen because a code location is down ({why}). Nothing was started."
    )
    return Unreachable(says, connection=graphql.connection)
