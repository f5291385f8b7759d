"""The kinds of system there are: what each needs in dw.yml, and whether things run or rest there.

To add one: its row here, its name in `rules.Connection.kind`, a connector, its row in the catalogue.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """`key` is the entry of dw.yml that holds its address, `begins` how such an address begins.

    `reads` says in words what is read there, `schedules` that it tells when a run should come.

    What tells who is on call has an address of its own: none need be given.
    """

    key: str
    begins: tuple[str, ...]
    example: str
    reads: str
    runs: bool = False
    schedules: bool = False
    holds_tables: bool = False
    on_call: bool = False
    tells_authors: bool = False


_WEB = ("http://", "https://")
KINDS: Mapping[str, Kind] = {
    "dagster": Kind(
        key="url",
        begins=_WEB,
        example="http://host:port",
        reads="runs, checks, assets, schedules",
        runs=True,
        schedules=True,
    ),
    "airflow": Kind(
        key="url",
        begins=_WEB,
        example="https://host[/path]",
        reads="runs, tasks, logs",
        runs=True,
        schedules=True,
    ),
    "prefect": Kind(
        key="url",
        begins=_WEB,
        example="http://host:port",
        reads="runs, tasks, logs, deployments",
        runs=True,
        schedules=True,
    ),
    "dbt_cloud": Kind(
        key="url",
        begins=_WEB,
        example="https://cloud.getdbt.com/accounts/<account>",
        reads="runs, steps, artifacts",
        runs=True,
    ),
    "postgres": Kind(
        key="dsn",
        begins=("postgresql://", "postgres://"),
        example="postgresql://user@host:5432/database",
        reads="counts and aggregates, never rows",
        holds_tables=True,
    ),
    "duckdb": Kind(
        key="url",
        begins=(),
        example="the path of the database file",
        reads="counts and aggregates, never rows",
        holds_tables=True,
    ),
    "pagerduty": Kind(
        key="url",
        begins=_WEB,
        example="https://api.eu.pagerduty.com",
        reads="who is on call",
        on_call=True,
    ),
    "opsgenie": Kind(
        key="url",
        begins=_WEB,
        example="https://api.eu.opsgenie.com",
        reads="who is on call",
        on_call=True,
    ),
    "git": Kind(
        key="url",
        begins=("https://", "http://", "ssh://", "file://"),
        example="https://git.example.com/team/repository.git",
        reads="who changed the code",
        tells_authors=True,
    ),
}


def runs(kind: object) -> bool:
    """True for an orchestrator: it has jobs and runs."""
    return _of(kind, "runs")


def schedules(kind: object) -> bool:
    """True for what tells when a run of a job should come."""
    return _of(kind, "schedules")


def holds_tables(kind: object) -> bool:
    """True for a store."""
    return _of(kind, "holds_tables")


def on_call(kind: object) -> bool:
    """True for what tells who is on call."""
    return _of(kind, "on_call")


def tells_authors(kind: object) -> bool:
    """True for what tells who changed the code."""
    return _of(kind, "tells_authors")


def a_or_an(kind: object) -> str:
    """`a dagster`, `an airflow`."""
    return f"{'an' if str(kind)[:1] in 'aeiou' else 'a'} {kind}"


def orchestrators() -> str:
    """Their names, for a sentence: `airflow or dagster`."""
    return " or ".join(sorted(name for name in KINDS if runs(name)))


def stores() -> str:
    """The same for stores."""
    return " or ".join(sorted(name for name in KINDS if holds_tables(name)))


def _of(kind: object, trait: str) -> bool:
    found = KINDS.get(kind) if isinstance(kind, str) else None
    return found is not None and bool(getattr(found, trait))
