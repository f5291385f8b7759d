"""Builds what dw.yml describes: a reader for each connection, an actuator only where acting is allowed."""

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from connectors.airflow import build as airflow
from connectors.base import Actuator, Orchestrator, Reader
from connectors.dagster import DagsterActuator, DagsterReader
from connectors.dbt import DbtManifest
from connectors.dbt_cloud import DbtCloudActuator, DbtCloudReader
from connectors.duckdb import DuckDBReader
from connectors.errors import Forbidden, NotFound
from connectors.git import GitReader
from connectors.on_call import OnCall
from connectors.opsgenie import OpsgenieReader
from connectors.pagerduty import PagerDutyReader
from connectors.postgres import PostgresReader
from connectors.prefect import PrefectActuator, PrefectReader
from connectors.secrets import NO_SECRETS, Secrets
from policies.kinds import on_call, runs, tells_authors
from policies.rules import Rules
from policies.systems import Connection

__all__ = ["DATA", "Catalogue", "Secrets", "build"]

DATA = Path("dw-data")


@dataclass(frozen=True, kw_only=True, slots=True)
class Catalogue:
    """The connections by name. `no_actuator` says for each of the others why there is none."""

    readers: Mapping[str, Reader]
    actuators: Mapping[str, Actuator]
    no_actuator: Mapping[str, str]
    manifests: tuple[DbtManifest, ...] = ()

    @property
    def orchestrators(self) -> Mapping[str, Orchestrator]:
        """The readers of things that run things."""
        return {
            name: reader
            for name, reader in self.readers.items()
            if isinstance(reader, Orchestrator)
        }

    @property
    def schedules(self) -> Mapping[str, OnCall]:
        """The first reader of each kind that tells who is on call, by kind."""
        found = [reader for reader in self.readers.values() if isinstance(reader, OnCall)]
        return {reader.kind: reader for reader in reversed(found)}

    def reader(self, connection: str) -> Reader:
        """Raises `NotFound` for a connection that dw.yml does not have."""
        if connection not in self.readers:
            raise _unknown(connection, self.readers)
        return self.readers[connection]

    def orchestrator(self, connection: str) -> Orchestrator:
        """Raises `NotFound` for a connection that runs nothing, or that dw.yml does not have."""
        reader = self.reader(connection)
        if not isinstance(reader, Orchestrator):
            raise NotFound("nothing runs there: it only holds tables", connection=connection)
        return reader

    def actuator(self, connection: str) -> Actuator:
        """Raises `Forbidden` where nothing may be changed, `NotFound` for an unknown connection."""
        if connection in self.actuators:
            return self.actuators[connection]
        if connection not in self.readers:
            raise _unknown(connection, self.readers)
        why = self.no_actuator.get(connection, "nothing may be changed there")
        raise Forbidden(f"{why}. Nothing was started.", connection=connection)

    async def close(self) -> None:
        """Let go of every connection, also when one of them fails to."""
        async with AsyncExitStack() as stack:
            parts: list[Reader | Actuator] = [*self.readers.values(), *self.actuators.values()]
            for part in parts:
                stack.push_async_callback(part.close)


def build(
    rules: Rules, secrets: Mapping[str, Secrets], *, acting: bool, data: Path = DATA
) -> Catalogue:
    """The catalogue of dw.yml. Connects to nothing yet. Raises `NotFound` for an unusable entry.

    `secrets` is by connection name. With `acting` off no actuator exists at all, whatever dw.yml says.
    `data` is the folder for copies that can be made again.
    """
    readers: dict[str, Reader] = {}
    actuators: dict[str, Actuator] = {}
    reasons: dict[str, str] = {}
    for name, connection in rules.connections.items():
        secret = secrets.get(name, NO_SECRETS)
        readers[name] = _reader(name, connection, secret, data)
        reason = _why_not(connection, secret, acting=acting)
        if reason:
            reasons[name] = reason
        else:
            actuators[name] = _ACTUATORS[connection.kind](name, connection, secret)
    manifests = tuple(DbtManifest(Path(source.dbt_manifest)) for source in rules.lineage)
    return Catalogue(readers=readers, actuators=actuators, no_actuator=reasons, manifests=manifests)


def _why_not(connection: Connection, secret: Secrets, *, acting: bool) -> str | None:
    """Why no actuator is built, or None. A reader's token is never used to act."""
    reasons = {
        "acting is switched off here (DW_ACTING=off)": not acting,
        "dw.yml pins this connection read-only": connection.read_only,
        "nothing runs there: it only tells who is on call": on_call(connection.kind),
        "nothing runs there: only its history is read": tells_authors(connection.kind),
        "nothing runs there: it only holds tables": not runs(connection.kind),
        "nothing of this kind is ever started by dw": connection.kind not in _ACTUATORS,
        "dw.yml names no jobs that may be run there": not connection.jobs,
        "there is a token to read it but none to act on it": bool(
            (secret.token or secret.password) and not secret.act_token
        ),
    }
    why = next((reason for reason, holds in reasons.items() if holds), None)
    own = _OWN_REASONS.get(connection.kind)
    return why or (own(connection) if own else None)


def _reader(name: str, connection: Connection, secret: Secrets, data: Path) -> Reader:
    if tells_authors(connection.kind):
        _url(name, connection)
        return GitReader.of(name, connection, secret.token, data)
    return _READERS[connection.kind](name, connection, secret)


def _dagster(name: str, connection: Connection, secret: Secrets) -> Reader:
    url, locations = _url(name, connection), _locations(connection)
    return DagsterReader(name, url, secret.token, locations=locations)


def _dagster_actuator(name: str, connection: Connection, secret: Secrets) -> Actuator:
    url, jobs = _url(name, connection), _locations(connection)
    return DagsterActuator(name, url, secret.act_token, jobs)


def _locations(connection: Connection) -> dict[str, str | None]:
    return {job: rule.location for job, rule in connection.jobs.items()}


def _prefect(name: str, connection: Connection, secret: Secrets) -> Reader:
    builds = {job: rule.builds for job, rule in connection.jobs.items()}
    return PrefectReader(name, _url(name, connection), secret.token, builds=builds)


def _prefect_actuator(name: str, connection: Connection, secret: Secrets) -> Actuator:
    url, jobs = _url(name, connection), frozenset(connection.jobs)
    return PrefectActuator(name, url, secret.act_token, jobs)


def _dbt_cloud(name: str, connection: Connection, secret: Secrets) -> Reader:
    return DbtCloudReader(name, _url(name, connection), secret.token)


def _dbt_cloud_actuator(name: str, connection: Connection, secret: Secrets) -> Actuator:
    url, jobs = _url(name, connection), frozenset(connection.jobs)
    return DbtCloudActuator(name, url, secret.act_token, jobs)


def _postgres(name: str, connection: Connection, secret: Secrets) -> Reader:
    if not connection.dsn:
        raise NotFound("dw.yml gives it no dsn", connection=name)
    return PostgresReader(name, connection.dsn, secret.password)


def _duckdb(name: str, connection: Connection, _secret: Secrets) -> Reader:
    return DuckDBReader(name, Path(_url(name, connection)))


_READERS: Mapping[str, Callable[[str, Connection, Secrets], Reader]] = {
    "dagster": _dagster,
    "airflow": airflow.reader,
    "prefect": _prefect,
    "dbt_cloud": _dbt_cloud,
    "postgres": _postgres,
    "duckdb": _duckdb,
    "pagerduty": lambda name, at, secret: PagerDutyReader(name, at.url, secret.token),
    "opsgenie": lambda name, at, secret: OpsgenieReader(name, at.url, secret.token),
}
_ACTUATORS: Mapping[str, Callable[[str, Connection, Secrets], Actuator]] = {
    "dagster": _dagster_actuator,
    "airflow": airflow.actuator,
    "prefect": _prefect_actuator,
    "dbt_cloud": _dbt_cloud_actuator,
}
#: why a connection of this kind has none, besides what holds for all
_OWN_REASONS: Mapping[str, Callable[[Connection], str | None]] = {"airflow": airflow.why_not}


def _url(name: str, connection: Connection) -> str:
    if not connection.url:
        raise NotFound("dw.yml gives it no url", connection=name)
    return connection.url


def _unknown(connection: str, known: Mapping[str, Reader]) -> NotFound:
    names = ", ".join(sorted(known)) or "none"
    return NotFound(f"dw.yml has no connection {connection!r}; it has {names}")
