"""A recognised signal: which system, which run, which asset, how bad, and where to look."""

from dataclasses import dataclass, field
from enum import StrEnum


class AlertKind(StrEnum):
    """What the alert says happened. Only `opens()` kinds may start an incident."""

    RUN_FAILED = "run_failed"
    OP_FAILED = "op_failed"
    CHECK_FAILED = "check_failed"
    CHECK_WARNED = "check_warned"
    ASSET_STALE = "asset_stale"
    RUN_SLOW = "run_slow"
    RUN_ABSENT = "run_absent"
    RUN_CAME = "run_came"
    SUCCESS = "success"
    RESOLVED = "resolved"

    def opens(self, *, warnings: bool = False) -> bool:
        """True for trouble, false for good news; `warnings` says whether a mere warning is trouble."""
        if self is AlertKind.CHECK_WARNED:
            return warnings
        return self not in (AlertKind.SUCCESS, AlertKind.RESOLVED, AlertKind.RUN_CAME)


@dataclass(frozen=True, kw_only=True, slots=True)
class Alert:
    """A recognised signal. `connection` names the entry of dw.yml it speaks about.

    `asset` is the orchestrator's key joined with `/`. `run_id` is the full id; when only a prefix was
    in the message, `run_id` is None and `run_id_short` holds it, to be completed by a reader. Where a
    run's own id is unique only within its job, it is `policies.run.within` of the two. `extra` are
    further facts by the names that the probe `find_run` of the system takes.
    """

    signal_key: str
    system: str
    connection: str
    kind: AlertKind
    title: str
    job: str | None = None
    run_id: str | None = None
    run_id_short: str | None = None
    op: str | None = None
    asset: str | None = None
    check: str | None = None
    partition: str | None = None
    deployment: str | None = None
    step_keys: tuple[str, ...] = ()
    url: str | None = None
    extra: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ignored:
    """Why a signal is not an alert: kept, counted and shown, never dropped in silence."""

    signal_key: str
    reason: str
    system: str | None = None
