"""One run of an orchestrator, in words that fit all of them."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from policies.evidence import Json

#: Dagster's anonymous job for runs of picked assets: it says nothing about what ran
ANONYMOUS_JOB = "__ASSET_JOB"
_SHORT = 8
_ANONYMOUS = re.compile(r"[0-9a-f]{8}-")


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
    """One run. Times are UTC. `assets` are the keys it was asked to build, joined with `/`.

    `id` is unique in its connection (see `within`). `conf` is the configuration it was started with,
    `interval` the span of data it is about (`start/end`, ISO 8601), both where the system tells them.
    `backfill` is what the runs of one backfill have in common.
    """

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
    conf: dict[str, Json] | None = None
    interval: str | None = None
    backfill: str | None = None

    @property
    def label(self) -> str:
        """What people call it."""
        return label_of(self.id)


def label_of(run_id: str) -> str:
    """An anonymous id by its first eight characters, as alerts quote it; a spoken one in full."""
    return run_id[:_SHORT] if _ANONYMOUS.match(run_id) else run_id


def within(job: str, run_id: str) -> str:
    """An id that is unique in a system where run ids are unique only within their job."""
    return f"{job}/{run_id}"
