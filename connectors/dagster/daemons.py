"""When a daemon last gave a sign. The health that Dagster gives it stays good long after it died."""

from datetime import datetime

from pydantic import Field

from connectors.dagster import queries
from connectors.dagster.graphql import GraphQL
from connectors.dagster.wire import Seconds, Wire, moment
from connectors.errors import ConnectorError

QUEUE, SCHEDULER, SENSOR = "QUEUED_RUN_COORDINATOR", "SCHEDULER", "SENSOR"


class _Daemon(Wire):
    type: str = Field(alias="daemonType")
    seen: Seconds | None = Field(None, alias="lastHeartbeatTime")


async def last_seen(graphql: GraphQL, which: str) -> datetime | None:
    """When it gave its last sign; None when there is no such daemon, or none that was ever seen."""
    data = await graphql.read(queries.DAEMONS)
    try:
        told = data["instance"]["daemonHealth"]["allDaemonStatuses"]
    except (KeyError, TypeError):
        return None
    seen = graphql.models(_Daemon, told)
    return next((moment(each.seen) for each in seen if each.type == which), None)


async def last_sign(graphql: GraphQL, which: str) -> str:
    """In words; never raises for what can't be read."""
    try:
        last = await last_seen(graphql, which)
    except ConnectorError:
        return "whether its daemon is alive could not be read"
    return f"its daemon last gave a sign at {last:%H:%M:%S} UTC" if last else "no daemon was seen"
