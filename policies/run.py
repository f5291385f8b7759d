"""One run of an orchestrator, in words that fit all of them."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class RunState(StrEnum):
    """Where a run stands. What a system calls by an unknown name counts as RUNNING."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def ended(self) -> bool:
        """True when it will not change any more."""
        return self in (RunState.SUCCEEDED, RunState.FAILED, RunState.CANCELLED)


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """One run. Times are UTC. `assets` are the keys it was asked to build, joined with `/`."""

    connection: str
    id: str
    job: str
    state: RunState
    url: str | None = None
    partition: str | None = None
    assets: tuple[str, ...] = ()
    tags: dict[str, str] = field(default_factory=dict)
    created_at: datetime | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    says: str = ""
