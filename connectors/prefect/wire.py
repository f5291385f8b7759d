"""What Prefect answers, as far as we read it: tolerant of more fields, strict about the ones we use."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, JsonValue

from connectors.code_ids import commit_in
from connectors.masking import holds_secret
from policies.run import Run, RunState

STEP_TAG, INCIDENT_TAG, PARTITION_TAG = "dw/step", "dw/incident", "dw/partition"
FAILED = ("FAILED", "CRASHED")
LATE = "Late"
_TOLD = 3  # how many characters of a task run's key its name tells
_STATES = {
    "SCHEDULED": RunState.QUEUED,
    "PENDING": RunState.QUEUED,
    "COMPLETED": RunState.SUCCEEDED,
    "FAILED": RunState.FAILED,
    "CRASHED": RunState.FAILED,
    "CANCELLED": RunState.CANCELLED,
}
_WAITS = {"PAUSED": "paused: it waits for a person in Prefect", "CANCELLING": "is being cancelled"}
_TO_BEGIN, _PLAIN = ("SCHEDULED", "PENDING"), ("Scheduled", "Pending")
_WRAPPING = re.compile(r"^(?:Flow|Task) run encountered an exception:? ")


class Wire(BaseModel):
    """Base of what comes over the wire: unknown fields are left alone."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class Details(Wire):
    """What belongs to a state; a called flow has a run of its own beside the task that it is to its caller."""

    child: str | None = Field(None, alias="child_flow_run_id")


class State(Wire):
    """Its type is one of a few; its name is free text, for people."""

    type: str
    name: str | None = None
    message: str | None = None
    timestamp: AwareDatetime | None = None
    details: Details | None = Field(None, alias="state_details")


class Stateful(Wire):
    """A flow run or a task run."""

    id: str
    name: str
    state_type: str | None = None
    state_name: str | None = None
    state: State | None = None

    @property
    def message(self) -> str:
        """What its state says, without the words that Prefect puts before every exception."""
        said = (self.state.message if self.state else None) or ""
        return _WRAPPING.sub("", said.strip())

    @property
    def raised(self) -> bool:
        """True when its state quotes an exception."""
        return bool(self.state and _WRAPPING.match((self.state.message or "").strip()))


class FlowRun(Stateful):
    """A flow run. The scheduler writes runs down long before they are due."""

    flow_id: str
    deployment_id: str | None = None
    parent_task_run_id: str | None = None
    deployment_version: str | None = None
    flow_version: str | None = None
    parameters: dict[str, JsonValue] = Field(default_factory=dict)
    idempotency_key: str | None = None
    tags: list[str] = Field(default_factory=list)
    created: AwareDatetime | None = None
    expected: AwareDatetime | None = Field(None, alias="expected_start_time")
    started: AwareDatetime | None = Field(None, alias="start_time")
    ended: AwareDatetime | None = Field(None, alias="end_time")
    auto_scheduled: bool = False

    @property
    def inner(self) -> bool:
        """True for a flow that another flow called: to Prefect it is a task of that one's run as well."""
        return self.parent_task_run_id is not None and self.deployment_id is None

    @property
    def began(self) -> datetime | None:
        """When it came to be a run that somebody waits for."""
        return self.expected if self.auto_scheduled else self.created

    @property
    def to_come(self) -> bool:
        """True for what the scheduler wrote down and nobody has begun, unless it is late."""
        waits = self.auto_scheduled and self.state_type == "SCHEDULED" and self.started is None
        return waits and self.state_name != LATE

    @property
    def version(self) -> str | None:
        """The version of its deployment, which is what a run to come is compared with; else of its flow."""
        return self.deployment_version or self.flow_version

    @property
    def commit(self) -> str | None:
        """The commit that this version names, where it was deployed from a repository."""
        return commit_in(self.version)

    @property
    def partition(self) -> str | None:
        """Prefect knows no partitions: the day a run of ours is about is told by our tag."""
        return tag_map(self.tags).get(PARTITION_TAG)

    def run(self, connection: str, job: str, url: str) -> Run:
        """The same in the house's words."""
        return Run(
            connection=connection,
            id=self.id,
            job=job,
            state=_STATES.get(self.state_type or "", RunState.RUNNING),
            url=url,
            partition=self.partition,
            tags=tag_map(self.tags),
            created_at=self.began,
            started_at=self.started,
            ended_at=self.ended,
            says=self._says(),
            conf=None if holds_secret(self.parameters) else self.parameters,
        )

    def _says(self) -> str:
        if self.state_type == "CRASHED":
            return f"crashed: {self.message}" if self.message else "crashed"
        if self.state_type == "FAILED":
            return self.message
        if self.state_name == LATE:
            since = f" since {self.expected:%H:%M} UTC" if self.expected else ""
            return f"late: it waits{since} and nobody has taken it up"
        if self.state_type in _TO_BEGIN and self.state_name not in (None, *_PLAIN):
            return f"waits, and Prefect calls it {self.state_name}"
        return _WAITS.get(self.state_type or "", "")


class TaskRun(Stateful):
    """A task run. Its name is free text, or that of its task with the first of `dynamic_key` behind it."""

    dynamic_key: str = ""
    ended: AwareDatetime | None = Field(None, alias="end_time")

    @property
    def task(self) -> str:
        """`load-567` is the run of `load`; `load-2026-09-28` was called so by a person."""
        return self.name.removesuffix(f"-{self.dynamic_key[:_TOLD]}") or self.name

    @property
    def child(self) -> str | None:
        """The run of the flow that this task stands for, where it is one: it wrote the log."""
        return self.state.details.child if self.state and self.state.details else None


class Log(Wire):
    """A line of a log; the level is that of Python's `logging`."""

    level: int
    message: str
    timestamp: AwareDatetime
    task_run_id: str | None = None


class Named(Wire):
    """Something with a name."""

    id: str
    name: str


class Deployment(Named):
    """A deployment, as far as starting a run of it is concerned."""

    flow_id: str
    version: str | None = None
    paused: bool = False
    status: str | None = None
    last_polled: AwareDatetime | None = None
    work_pool_name: str | None = None
    work_queue_name: str | None = None
    parameters: dict[str, JsonValue] = Field(default_factory=dict)
    schema_: dict[str, JsonValue] | None = Field(None, alias="parameter_openapi_schema")


def tag_map(tags: Iterable[str]) -> dict[str, str]:
    """Prefect's tags are words; ours read `name=value`."""
    return {name: value for name, _, value in (tag.partition("=") for tag in tags)}


def iso(at: datetime | None) -> str | None:
    """UTC, ISO 8601."""
    return at.astimezone(UTC).isoformat() if at else None
