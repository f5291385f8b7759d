"""Is an asset as fresh as its own policy demands, by Dagster's own word? Servers differ in how they tell."""

from datetime import timedelta
from typing import Annotated

from pydantic import Field, JsonValue

from connectors.dagster import queries
from connectors.dagster.graphql import GraphQL, key_of
from connectors.dagster.params import Freshness
from connectors.dagster.wire import Seconds, Wire, iso
from connectors.errors import NotFound, Rejected
from policies.spans import span_text

Window = Annotated[int, Field(ge=0, le=10_000_000_000)]
Minutes = Annotated[float, Field(ge=0, le=100_000_000)]
_STATES = {"HEALTHY": "fresh", "WARNING": "late", "DEGRADED": "stale"}


class _Policy(Wire):
    kind: str = Field(alias="__typename")
    fail: Window | None = Field(None, alias="failWindowSeconds")
    warn: Window | None = Field(None, alias="warnWindowSeconds")
    deadline: str | None = Field(None, alias="deadlineCron")
    before: Window | None = Field(None, alias="lowerBoundDeltaSeconds")
    zone: str = Field("UTC", alias="timezone")

    def words(self) -> str:
        """What it demands."""
        if self.deadline is not None:
            return f"written within {_span(self.before or 0)} before {self.deadline} ({self.zone})"
        warned = f", a warning after {_span(self.warn)}" if self.warn else ""
        return f"written within {_span(self.fail or 0)}{warned}"


class _OldPolicy(Wire):
    lag: Minutes = Field(alias="maximumLagMinutes")
    cron: str | None = Field(None, alias="cronSchedule")

    def words(self) -> str:
        """The same, as Dagster put it before 1.11."""
        by = f" at {self.cron}" if self.cron else ""
        return f"at most {_span(int(self.lag * 60))} behind{by}"


class _Written(Wire):
    at: Seconds | None = Field(None, alias="lastMaterializedTimestamp")


class _Status(Wire):
    status: str = Field(alias="freshnessStatus")
    written: _Written | None = Field(None, alias="freshnessStatusMetadata")


class _Lag(Wire):
    minutes: Minutes | None = Field(None, alias="currentLagMinutes")


class _Node(Wire):
    policy: _Policy | None = Field(None, alias="internalFreshnessPolicy")
    told: _Status | None = Field(None, alias="freshnessStatusInfo")


class _OldNode(Wire):
    policy: _OldPolicy | None = Field(None, alias="freshnessPolicy")
    told: _Lag | None = Field(None, alias="freshnessInfo")


async def freshness(graphql: GraphQL, params: Freshness) -> dict[str, JsonValue]:
    """The value of the probe `freshness`: `policy` in words and `state` fresh, late, stale or unknown.

    All None for an asset without a policy; `at` is when it was last written, where that is told.
    """
    try:
        return await _now(graphql, params.asset)
    except Rejected:  # a server that does not know these fields
        return await _before(graphql, params.asset)


async def _now(graphql: GraphQL, asset: str) -> dict[str, JsonValue]:
    data = await graphql.read(queries.FRESHNESS, keys=[key_of(asset)])
    node = graphql.model(_Node, _one(graphql, data.get("assetNodes"), asset))
    if node.policy is None:
        return {"policy": None, "state": None, "at": None}
    state = _STATES.get(node.told.status, "unknown") if node.told else "unknown"
    at = node.told.written.at if node.told and node.told.written else None
    return {"policy": node.policy.words(), "state": state, "at": iso(at)}


async def _before(graphql: GraphQL, asset: str) -> dict[str, JsonValue]:
    data = await graphql.read(queries.FRESHNESS_OLD, keys=[key_of(asset)])
    node = graphql.model(_OldNode, _one(graphql, data.get("assetNodes"), asset))
    if node.policy is None:
        return {"policy": None, "state": None, "at": None}
    minutes = node.told.minutes if node.told else None
    late = minutes is not None and minutes > node.policy.lag
    state = "unknown" if minutes is None else "stale" if late else "fresh"
    return {"policy": node.policy.words(), "state": state, "at": None}


def _one(graphql: GraphQL, nodes: object, asset: str) -> object:
    if not isinstance(nodes, list) or not nodes:
        raise NotFound(f"it knows no asset {asset}", connection=graphql.connection)
    return nodes[0]


def _span(seconds: int) -> str:
    return span_text(timedelta(seconds=seconds))
