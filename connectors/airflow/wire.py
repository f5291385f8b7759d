"""What Airflow answers, 2 and 3 alike, as far as we read it; unknown fields are left alone."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import AliasChoices, AwareDatetime, BaseModel, ConfigDict, Field, JsonValue

from connectors.code_ids import commit_in
from policies.recognition import OUR_TAG
from policies.run import Run, RunState, within

OURS = "dw__"
_STATES = {
    "queued": RunState.QUEUED,
    "success": RunState.SUCCEEDED,
    "failed": RunState.FAILED,
}
_ALMOST_A_DAY = timedelta(hours=20)
_NEXT_DUE = AliasChoices("next_dagrun_create_after", "next_dagrun_run_after")
_NEXT_LOGICAL = AliasChoices("next_dagrun", "next_dagrun_logical_date")


class Wire(BaseModel):
    """Base of what comes over the wire."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class DagVersion(Wire):
    """A version of a DAG (Airflow 3)."""

    number: int = Field(alias="version_number")
    bundle: str | None = Field(None, alias="bundle_version")
    id: str = ""

    def __str__(self) -> str:
        """`version 3 (a1b2c3d4)`: its number, with the commit where the bundle has one."""
        return f"version {self.number}" + (f" ({self.bundle[:12]})" if self.bundle else "")


class WireRun(Wire):
    """A run of a DAG."""

    dag: str = Field(alias="dag_id")
    run_id: str = Field(alias="dag_run_id")
    state: str | None = None
    conf: dict[str, JsonValue] | None = None
    run_type: str = ""
    logical: AwareDatetime | None = Field(None, alias="logical_date")
    start: AwareDatetime | None = Field(None, alias="data_interval_start")
    end: AwareDatetime | None = Field(None, alias="data_interval_end")
    queued: AwareDatetime | None = Field(None, alias="queued_at")
    started: AwareDatetime | None = Field(None, alias="start_date")
    ended: AwareDatetime | None = Field(None, alias="end_date")
    after: AwareDatetime | None = Field(None, alias="run_after")
    partition_key: str | None = None
    versions: list[DagVersion] = Field(default_factory=list, alias="dag_versions")
    bundle: str | None = Field(None, alias="bundle_version")

    @property
    def id(self) -> str:
        """Unique in this Airflow."""
        return within(self.dag, self.run_id)

    @property
    def code_version(self) -> str | None:
        """The newest DAG version that took part; Airflow 2 does not tell it of a run."""
        return str(max(self.versions, key=lambda one: one.number)) if self.versions else None

    @property
    def commit(self) -> str | None:
        """The commit that its code was at, where the bundle is a git repository.

        The run's own: the bundle of a DAG version moves on while its number stays.
        """
        newest = max(self.versions, key=lambda one: one.number, default=None)
        return commit_in(self.bundle or (newest.bundle if newest else None))

    @property
    def partition(self) -> str | None:
        """Its partition key, else what Airflow calls `ds`; with the time for runs shorter than a day."""
        at = self.logical or self.start
        if self.partition_key or at is None:
            return self.partition_key
        length = (self.end - self.start) if self.start and self.end else timedelta()
        short = timedelta() < length < _ALMOST_A_DAY
        return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M}" if short else f"{at.astimezone(UTC):%Y-%m-%d}"

    def run(self, connection: str, url: str) -> Run:
        """The same in the house's words.

        Airflow 2 tells no creation time: its start counts, and of a queued one nothing.
        """
        tags = {"run_type": self.run_type} | ({OUR_TAG: self.run_id} if self.is_ours else {})
        return Run(
            connection=connection,
            id=self.id,
            job=self.dag,
            state=_STATES.get(self.state or "", RunState.RUNNING),
            url=url,
            partition=self.partition,
            tags=tags | ({"logical_date": iso(self.logical)} if self.logical else {}),
            created_at=self.queued or self.started,
            started_at=self.started,
            ended_at=self.ended,
            conf=self.conf or {},
            interval=span(self.start, self.end),
            backfill=self.dag if self.is_backfill else None,
        )

    @property
    def is_backfill(self) -> bool:
        """True for a run of a backfill. Airflow tells of no run which backfill it is of."""
        return self.run_type == "backfill" or self.run_id.startswith("backfill__")

    @property
    def is_ours(self) -> bool:
        """True for a run that an actuator of this house queued."""
        return self.run_id.startswith(OURS)


class TaskInstance(Wire):
    """A task in a run; of a mapped task each instance."""

    task: str = Field(alias="task_id")
    state: str | None = None
    tries: int = Field(0, alias="try_number")
    map_index: int = -1
    label: str | None = Field(None, alias="rendered_map_index")
    started: AwareDatetime | None = Field(None, alias="start_date")

    @property
    def mapped(self) -> bool:
        """True for one instance of a mapped task."""
        return self.map_index >= 0

    def __str__(self) -> str:
        """`load.region[1] (eu)`."""
        if not self.mapped:
            return self.task
        label = f" ({self.label})" if self.label and self.label != str(self.map_index) else ""
        return f"{self.task}[{self.map_index}]{label}"


class Dag(Wire):
    """A DAG, with its parameters where the details were asked."""

    dag: str = Field(alias="dag_id")
    paused: bool | None = Field(None, alias="is_paused")
    active: bool | None = Field(None, alias="is_active")
    stale: bool | None = Field(None, alias="is_stale")
    broken: bool | None = Field(None, alias="has_import_errors")
    most: int | None = Field(None, alias="max_active_runs")
    file_token: str | None = None
    params: dict[str, Any] | None = None
    next_due: AwareDatetime | None = Field(None, validation_alias=_NEXT_DUE)
    next_logical: AwareDatetime | None = Field(None, validation_alias=_NEXT_LOGICAL)
    next_start: AwareDatetime | None = Field(None, alias="next_dagrun_data_interval_start")
    next_end: AwareDatetime | None = Field(None, alias="next_dagrun_data_interval_end")

    @property
    def next_partition(self) -> str | None:
        """The partition of the run that its schedule promises next."""
        coming = WireRun(
            dag_id=self.dag,
            dag_run_id="",
            logical_date=self.next_logical,
            data_interval_start=self.next_start,
            data_interval_end=self.next_end,
        )
        return coming.partition

    def trouble(self) -> str | None:
        """Why a run of it would not start, or not run; None when nothing is in the way."""
        gone = self.stale is True or self.active is False
        reasons = {
            "its file has an import error, or is gone; mend that first": self.broken is True
            and gone,
            "its file has an import error; mend that first": self.broken is True,
            "it is gone from the code that Airflow reads": gone,
            "it is paused: a run would wait, without a word, until somebody unpauses it": self.paused
            is True,
        }
        return next((reason for reason, holds in reasons.items() if holds), None)

    def schemas(self) -> dict[str, dict[str, JsonValue]]:
        """Parameter → JSON schema; both versions wrap it alike."""
        known = (self.params or {}).items()
        told = {name: each.get("schema") for name, each in known if isinstance(each, dict)}
        return {name: schema for name, schema in told.items() if isinstance(schema, dict)}

    def defaults(self) -> dict[str, JsonValue]:
        """Parameter → the value it has when a run does not say."""
        known = (self.params or {}).items()
        return {name: told.get("value") if isinstance(told, dict) else told for name, told in known}


def iso(at: datetime) -> str:
    """UTC, ISO 8601, with `Z`: a `+` in a query would become a space."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def iso_or_none(at: datetime | None) -> str | None:
    """The same, where there may be none."""
    return iso(at) if at else None


def span(start: datetime | None, end: datetime | None) -> str | None:
    """`start/end`, ISO 8601."""
    return f"{iso(start)}/{iso(end)}" if start and end else None


def in_order(instances: Iterable[TaskInstance]) -> list[TaskInstance]:
    """By start, those that never started last: Airflow's own order is arbitrary."""
    return sorted(
        instances,
        key=lambda one: (one.started is None, one.started or datetime.max.replace(tzinfo=UTC)),
    )
