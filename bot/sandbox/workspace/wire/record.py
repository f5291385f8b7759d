"""The workspace's memory of what went over the wire, for tests to read."""

from dataclasses import asdict, dataclass, field
from typing import Any

from bot.sandbox.workspace.errors import Json


@dataclass(slots=True)
class Attempt:
    """One try of a delivery. Times are epoch seconds; `late` means the ack came after the deadline and did not count."""

    number: int
    envelope_ids: list[str]
    sent_at: float
    reason: str = ""
    via: list[str] = field(default_factory=list)
    acked_at: float | None = None
    late: bool = False
    dropped: bool = False
    payload: Any = None


@dataclass(slots=True)
class Delivery:
    """Something an app must be told; `kind` is `events_api`, `interactive` or `slash_commands`."""

    id: str
    app_id: str
    kind: str
    payload: Json
    state: str = "pending"
    attempts: list[Attempt] = field(default_factory=list)

    @property
    def event(self) -> Json:
        """The inner event of an `events_api` delivery."""
        return dict(self.payload.get("event") or {})

    @property
    def answer(self) -> Any:
        """What the app said in its ack."""
        acked = [
            a for a in self.attempts if a.acked_at is not None and not a.late and not a.dropped
        ]
        return acked[-1].payload if acked else None


@dataclass(slots=True)
class ApiCall:
    """One Web API call with its answer; `lost` when the answer never reached the caller."""

    method: str
    app_id: str
    args: Json
    answer: Json
    at: float
    status: int = 200
    lost: bool = False

    @property
    def ok(self) -> bool:
        """Whether Slack did it."""
        return bool(self.answer.get("ok"))


class Record:
    """All deliveries and calls since the workspace opened, oldest first."""

    def __init__(self) -> None:
        """Start empty."""
        self.deliveries: list[Delivery] = []
        self.calls: list[ApiCall] = []
        self.strays: list[Json] = []

    def events(self, kind: str | None = None, app_id: str | None = None) -> list[Delivery]:
        """The events delivered (or still being delivered), by inner event type."""
        return [
            d
            for d in self.deliveries
            if d.kind == "events_api"
            and kind in {None, d.event.get("type")}
            and app_id in {None, d.app_id}
        ]

    def called(self, method: str, *, ok: bool | None = None) -> list[ApiCall]:
        """The calls of one method, by outcome if `ok` is given."""
        return [c for c in self.calls if c.method == method and ok in {None, c.ok}]

    def as_json(self, since: int) -> Json:
        """Both lists as JSON, calls and deliveries from number `since` on."""
        return {
            "next": max(len(self.calls), len(self.deliveries)),
            "deliveries": [asdict(d) for d in self.deliveries[since:]],
            "calls": [asdict(c) for c in self.calls[since:]],
        }
