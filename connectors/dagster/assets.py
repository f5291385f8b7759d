"""What Dagster knows of assets: their checks, when they were written, and what reads them."""

from collections.abc import Mapping

from pydantic import Field, JsonValue

from connectors.dagster import queries
from connectors.dagster.graphql import Data, GraphQL, key_of
from connectors.dagster.params import AssetCheck, AssetStates, CheckHistory, Materialization
from connectors.dagster.wire import (
    Key,
    Metadata,
    Milliseconds,
    Seconds,
    Tag,
    Wire,
    iso,
    iso_ms,
    metadata,
    partition_of,
    tag_map,
)
from connectors.dagster.workspace import INTERNAL_JOB
from connectors.errors import NotFound, Rejected
from policies.lineage import Asset, Lineage

_LOOK_BACK = 100
_PASSED = {"SUCCEEDED": True, "FAILED": False}
_UNSAID = {
    "IN_PROGRESS": "the check has not ended yet",
    "EXECUTION_FAILED": "the check itself broke before it could say anything",
    "SKIPPED": "the check was skipped",
}


class _Evaluation(Wire):
    severity: str | None = None
    description: str | None = None
    entries: list[Metadata] = Field(default_factory=list, alias="metadataEntries")


class _Tagged(Wire):
    run_id: str = Field(alias="runId")
    tags: list[Tag] = Field(default_factory=list)


class _CheckRun(Wire):
    run_id: str = Field(alias="runId")
    status: str
    timestamp: Seconds
    partition: str | None = None
    evaluation: _Evaluation | None = None


class _Write(Wire):
    run_id: str = Field(alias="runId")
    timestamp: Milliseconds
    partition: str | None = None
    entries: list[Metadata] = Field(default_factory=list, alias="metadataEntries")

    def state(self) -> dict[str, JsonValue]:
        return {
            "at": iso_ms(self.timestamp),
            "run_id": self.run_id,
            "partition": self.partition,
        }


class _Writes(Wire):
    writes: list[_Write] = Field(alias="assetMaterializations")


class _NodeWrites(_Writes):
    asset: Key = Field(alias="assetKey")


class _Owner(Wire):
    email: str | None = None
    team: str | None = None


class _Node(Wire):
    asset: Key = Field(alias="assetKey")
    readers: list[Key] = Field(default_factory=list, alias="dependedByKeys")
    jobs: list[str] = Field(default_factory=list, alias="jobNames")
    owners: list[_Owner] = Field(default_factory=list)

    def as_asset(self) -> Asset:
        """People before teams: a team is a word of Dagster's, and only dw.yml knows who is in it."""
        people = [owner.email for owner in self.owners if owner.email]
        owner = [*people, *(f"team:{owner.team}" for owner in self.owners if owner.team), None][0]
        jobs = sorted(job for job in self.jobs if not job.startswith(INTERNAL_JOB))
        return Asset(
            key=str(self.asset),
            owner=owner,
            owner_said_by="dagster" if owner else None,
            job=jobs[0] if jobs else None,
            said_by="dagster",
        )


async def asset_check(graphql: GraphQL, params: AssetCheck) -> dict[str, JsonValue]:
    """The value of the probe `asset_check`; all None when the check never ran there."""
    runs = await _check_runs(graphql, params, limit=1, partition=params.partition)
    if not runs:
        keys = ("passed", "severity", "at", "run_id", "description")
        return {**dict.fromkeys(keys), "metadata": {}}
    run, said = runs[0], runs[0].evaluation or _Evaluation()
    return {
        "passed": _PASSED.get(run.status),
        "severity": said.severity,
        "at": iso(run.timestamp),
        "run_id": run.run_id,
        "description": said.description or _UNSAID.get(run.status),
        "metadata": metadata(said.entries),
    }


async def check_history(graphql: GraphQL, params: CheckHistory) -> dict[str, JsonValue]:
    """The value of the probe `check_history`: newest first."""
    runs = await _check_runs(graphql, params, limit=params.limit, partition=None)
    results: list[JsonValue] = [
        {
            "partition": run.partition,
            "passed": _PASSED.get(run.status),
            "at": iso(run.timestamp),
            "run_id": run.run_id,
            "metadata": metadata(run.evaluation.entries if run.evaluation else ()),
        }
        for run in runs
    ]
    return {"results": results}


async def materialization(graphql: GraphQL, params: Materialization) -> dict[str, JsonValue]:
    """The value of the probe `materialization`; all None for what was never written."""
    partitions: JsonValue = [params.partition] if params.partition else None
    key = key_of(params.asset)
    data = await graphql.read(queries.MATERIALIZATION, key=key, partitions=partitions)
    answer = graphql.wanted(data.get("assetOrError"), "Asset")
    writes = graphql.model(_Writes, answer).writes
    if not writes:
        return {"at": None, "run_id": None, "partition": None, "metadata": {}}
    return {**writes[0].state(), "metadata": metadata(writes[0].entries)}


async def asset_states(graphql: GraphQL, params: AssetStates) -> dict[str, JsonValue]:
    """The value of the probe `asset_states`: None for what was never written, or is not Dagster's."""
    assets = params.assets
    data = await graphql.read(queries.ASSET_STATES, keys=[key_of(asset) for asset in assets])
    nodes = graphql.models(_NodeWrites, data.get("assetNodes"))
    known = {str(node.asset): node.writes[0].state() if node.writes else None for node in nodes}
    states: dict[str, JsonValue] = {asset: known.get(asset) for asset in assets}
    for asset in set(assets) - set(known):  # its code location may be down: ask the record itself
        states[asset] = await _recorded(graphql, asset)
    return {"assets": states}


async def lineage(graphql: GraphQL, asset: str) -> Lineage:
    """`asset`, all that is downstream of it and all it is built from; `NotFound` for one nobody knows."""
    data = await graphql.read(queries.LINEAGE)
    every = graphql.models(_Node, data.get("assetNodes"))
    nodes = {str(node.asset): node for node in every}
    if asset not in nodes:
        says = f"it knows no asset {asset}; a code location that is down hides its assets too"
        raise NotFound(says, connection=graphql.connection)
    edges = frozenset((key, str(reader)) for key, node in nodes.items() for reader in node.readers)
    every_edge = Lineage(edges=edges)
    above = every_edge.upstream(asset)
    reached = {asset, *every_edge.downstream(asset), *above}
    return Lineage(
        assets=_assets(nodes, reached),
        edges=frozenset(edge for edge in edges if reached.issuperset(edge)),
    )


def _assets(nodes: Mapping[str, _Node], keys: set[str]) -> dict[str, Asset]:
    unknown = {key: Asset(key=key, said_by="dagster") for key in keys - set(nodes)}
    return unknown | {key: nodes[key].as_asset() for key in keys & set(nodes)}


async def _check_runs(
    graphql: GraphQL, params: AssetCheck | CheckHistory, *, limit: int, partition: str | None
) -> list[_CheckRun]:
    about: dict[str, JsonValue] = {"key": key_of(params.asset), "check": params.check}
    try:
        data = await graphql.read(
            queries.CHECK_RUNS, **about, limit=limit, partition=partition or None
        )
    except Rejected:
        runs = await _old_check_runs(graphql, about, max(limit, _LOOK_BACK))
    else:
        runs = _as_runs(graphql, data)
    return [run for run in runs if partition in (None, run.partition)][:limit]


async def _old_check_runs(
    graphql: GraphQL, about: dict[str, JsonValue], limit: int
) -> list[_CheckRun]:
    """For servers that do not tell the partition: it is read from the runs, in a second question."""
    runs = _as_runs(graphql, await graphql.read(queries.CHECK_RUNS_OLD, **about, limit=limit))
    ids: list[JsonValue] = [run.run_id for run in runs]
    data = await graphql.read(queries.RUN_TAGS, filter={"runIds": ids}) if ids else {}
    told = graphql.wanted(data.get("runsOrError"), "Runs").get("results") if ids else []
    tagged = graphql.models(_Tagged, told)
    partitions = {each.run_id: partition_of(tag_map(each.tags)) for each in tagged}
    return [run.model_copy(update={"partition": partitions.get(run.run_id)}) for run in runs]


def _as_runs(graphql: GraphQL, data: Data) -> list[_CheckRun]:
    return graphql.models(_CheckRun, data.get("assetCheckExecutions"))


async def _recorded(graphql: GraphQL, asset: str) -> JsonValue:
    try:
        state = await materialization(graphql, Materialization(asset=asset))
    except NotFound:
        return None
    state.pop("metadata")
    return state if state["at"] else None
