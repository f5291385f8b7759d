"""When a daemon last gave a sign. The health that Dagster gives it stays good long after it died."""

from pydantic import Field

from connectors.dagster import queries
from connectors.dagster.graphql import GraphQL
from connectors.dagster.wire import Seconds, Wire, moment
from connectors.errors import ConnectorError

QUEUE, SCHEDULER, SENSOR = "QUEUED_RUN_COORDINATOR", "SCHEDULER", "SENSOR"


class _Daemon(Wire):
    type: str = Field(alias="daemonType")
    seen: Seconds | None = Field(None, alias="lastHeartbeatTime")


async def last_sign(graphql: GraphQL, which: str) -> str:
    """In words; never raises for what can't be read."""
    try:
        data = await graphql.read(queries.DAEMONS)
        told = data["instance"]["daemonHealth"]["allDaemonStatuses"]
        seen = [graphql.model(_Daemon, each) for each in told]
    except (ConnectorError, KeyError, TypeError):
        return "whether its daemon is alive could not be read"
    last = next((moment(each.seen) for each in seen if each.type == which), None)
    return f"its daemon last gave a sign at {last:%H:%M:%S} UTC" if last else "no daemon was seen"
