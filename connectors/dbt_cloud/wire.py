"""What dbt Cloud answers, as far as we read it: tolerant of more fields, strict about the ones we use."""

from datetime import UTC, datetime

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from policies.run import Run, RunState

OURS = "dw "  # what the cause of a run of ours begins with
STEP_TAG, INCIDENT_TAG = "dw/step", "dw/incident"
_ERROR, _SUCCESS, ACTIVE = 20, 10, 1
#: numbers, not `status_humanized`: that is text for people and has been wrong
_STATES = {
    1: RunState.QUEUED,
    2: RunState.QUEUED,
    3: RunState.RUNNING,
    _SUCCESS: RunState.SUCCEEDED,
    _ERROR: RunState.FAILED,
    30: RunState.CANCELLED,
}


class Wire(BaseModel):
    """Base of what comes over the wire: unknown fields are left alone."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class Trigger(Wire):
    """Who or what started a run. `cause` is ours to write."""

    cause: str | None = None


class Job(Wire):
    """A job."""

    id: int
    name: str | None = None
    project_id: int | None = None
    state: int | None = None


class JobOfRun(Wire):
    """What a run tells of its job: not its number, and not always its name."""

    name: str | None = None


class Step(Wire):
    """One command of a run."""

    index: int
    name: str = ""
    status: int | None = None
    logs: str | None = None

    @property
    def failed(self) -> bool:
        """True when it ended badly."""
        return self.status == _ERROR


class WireRun(Wire):
    """A run."""

    id: int
    job_id: int | None = None
    job_definition_id: int | None = None
    project_id: int | None = None
    status: int
    status_message: str | None = None
    git_sha: str | None = None
    created: AwareDatetime | None = Field(None, alias="created_at")
    started: AwareDatetime | None = Field(None, alias="started_at")
    ended: AwareDatetime | None = Field(None, alias="finished_at")
    artifacts_saved: bool | None = None
    href: str | None = None
    trigger: Trigger | None = None
    job: JobOfRun | None = None
    steps: list[Step] | None = Field(None, alias="run_steps")

    @property
    def job_key(self) -> int:
        """The id of its job; 0 when that is not told."""
        return self.job_definition_id or self.job_id or 0

    @property
    def failed(self) -> bool:
        """True when it ended badly; cancelled is no failure."""
        return self.status == _ERROR

    @property
    def complete(self) -> bool:
        """True when it ended by itself."""
        return self.status in (_ERROR, _SUCCESS)

    @property
    def key(self) -> str | None:
        """Our key, when we started it."""
        cause = (self.trigger and self.trigger.cause) or ""
        return cause.removeprefix(OURS).strip() if cause.startswith(OURS) else None

    def run(self, connection: str, job: str, url: str) -> Run:
        """The same in the house's words. A status by an unknown number counts as running."""
        key = self.key
        tags = {STEP_TAG: key, INCIDENT_TAG: key.split(":", maxsplit=1)[0]} if key else {}
        return Run(
            connection=connection,
            id=str(self.id),
            job=job,
            state=_STATES.get(self.status, RunState.RUNNING),
            url=self.href if (self.href or "").startswith("http") else url,
            tags=tags,
            created_at=self.created,
            started_at=self.started,
            ended_at=self.ended,
            says=(self.status_message or "").strip(),
        )


def iso(at: datetime | None) -> str | None:
    """UTC, ISO 8601."""
    return at.astimezone(UTC).isoformat() if at else None
