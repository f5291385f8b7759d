"""Would a run of a job start and go on? Asked before anybody is shown a button."""

from datetime import timedelta

from pydantic import Field, JsonValue

from connectors.dagster import queries
from connectors.dagster.daemons import QUEUE, last_seen
from connectors.dagster.graphql import GraphQL
from connectors.dagster.params import CanRun
from connectors.dagster.wire import Fault, Wire
from connectors.dagster.workspace import InSeveral, Place, locate
from connectors.errors import NoSuch, Rejected

#: a daemon that lives gives a sign every half minute
_SILENT = timedelta(minutes=5)


class _Keys(Wire):
    keys: list[str] = Field(default_factory=list, alias="partitionKeys")


class _Pipeline(Wire):
    partitions: _Keys | None = Field(None, alias="partitionKeysOrError")


class _Config(Wire):
    kind: str = Field(alias="__typename")
    errors: list[Fault] = Field(default_factory=list)


async def can_run(graphql: GraphQL, params: CanRun) -> dict[str, JsonValue]:
    """The value of the probe `can_run`: `may`, and `why` not."""
    try:
        place = await locate(graphql, params.job)
    except (NoSuch, InSeveral) as problem:
        return {"may": False, "why": str(problem)}
    why = (
        await _partition(graphql, place, params.partition)
        or await _config(graphql, place, params)
        or await _queue(graphql, params)
    )
    return {"may": why is None, "why": why}


async def _partition(graphql: GraphQL, place: Place, wanted: str | None) -> str | None:
    """Dagster starts a run for a partition that is not there, or for none, and lets it fail."""
    try:
        data = await graphql.read(queries.PARTITIONS, job=place.selector("pipelineName"))
    except Rejected:  # a server that does not tell
        return None
    answer = graphql.wanted(data.get("pipelineOrError"), "Pipeline")
    told = graphql.model(_Pipeline, answer).partitions
    keys = told.keys if told else []
    if keys and wanted is None:
        return f"{place.job} runs for a partition, and which one is not known"
    if keys and wanted not in keys:
        return f"{place.job} has no partition {wanted} (any more)"
    return None


async def _config(graphql: GraphQL, place: Place, params: CanRun) -> str | None:
    where = place.selector("pipelineName")
    data = await graphql.read(queries.CONFIG_VALID, job=where, config=params.config)
    answer = data.get("isPipelineConfigValid")
    said = graphql.model(_Config, answer)
    if said.kind != "RunConfigValidationInvalid":
        return None
    return "its configuration is not valid: " + graphql.clean(
        "; ".join(error.message for error in said.errors)
    )


async def _queue(graphql: GraphQL, params: CanRun) -> str | None:
    """A server without a queue has no such daemon, and needs none."""
    seen = await last_seen(graphql, QUEUE)
    if seen is None or params.at is None or params.at - seen <= _SILENT:
        return None
    return (
        f"the daemon that takes runs off the queue gave its last sign at {seen:%Y-%m-%d %H:%M} UTC; a run "
        "would wait for it"
    )
