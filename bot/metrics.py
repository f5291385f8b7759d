"""What can be counted from outside (`/metrics`): figures, never names of people or of data."""

import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from bot.ports import DueStats, Lane
from policies.incident import Phase

SECONDS = (0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300)


class Metrics:
    """The figures of one process, in a registry of its own. Times in seconds."""

    content_type = CONTENT_TYPE_LATEST

    def __init__(self) -> None:
        self.registry = own = CollectorRegistry()
        self.alerts = Counter(
            "dw_alerts_total", "Alerts, by the system they came from", ["system"], registry=own
        )
        self.clicks = Counter(
            "dw_clicks_total",
            "Taps on our buttons: counted, late, refused or repeated",
            ["result"],
            registry=own,
        )
        self.decisions = Counter(
            "dw_decisions_total", "Decisions that counted: yes or no", ["choice"], registry=own
        )
        self.slack_calls = Counter(
            "dw_slack_calls_total",
            "Calls to Slack: ok, throttled or failed",
            ["lane", "result"],
            registry=own,
        )
        self.probe_seconds = Histogram(
            "dw_probe_seconds",
            "How long a question to another system took",
            ["connection", "result"],
            buckets=SECONDS,
            registry=own,
        )
        self.action_seconds = Histogram(
            "dw_action_seconds",
            "How long it took another system to take a start",
            ["connection", "result"],
            buckets=SECONDS,
            registry=own,
        )
        self.handled = Counter(
            "dw_due_handled_total", "Due rows handled, by kind", ["kind", "result"], registry=own
        )
        self._incidents = Gauge("dw_incidents", "Incidents by phase", ["phase"], registry=own)
        self._lag = Gauge("dw_due_lag_seconds", "Age of the oldest row past its time", registry=own)
        self._waiting = Gauge("dw_due_waiting", "Due rows past their time", registry=own)
        self._poisoned = Gauge("dw_due_poisoned", "Due rows that are given up", registry=own)
        self._stopped = Gauge("dw_stopped", "1 while everything is halted", registry=own)

    def timed_probe(self, connection: str) -> AbstractContextManager[None]:
        """Measure one question to another system, and whether it was answered."""
        return _timed(self.probe_seconds, connection)

    def timed_action(self, connection: str) -> AbstractContextManager[None]:
        """Measure one start, and whether it was taken."""
        return _timed(self.action_seconds, connection)

    def called_slack(self, lane: Lane, result: str) -> None:
        """Count one call, by its lane."""
        self.slack_calls.labels(lane=lane.name.lower(), result=result).inc()

    def stands(self, due: DueStats, phases: Mapping[Phase, int], *, stopped: bool) -> None:
        """How the work stands now, read from the database."""
        self._lag.set(due.oldest_seconds)
        self._waiting.set(due.waiting)
        self._poisoned.set(len(due.poisoned))
        self._stopped.set(1 if stopped else 0)
        for phase in Phase:
            self._incidents.labels(phase=phase.value).set(phases.get(phase, 0))

    def render(self) -> bytes:
        """The text that Prometheus reads."""
        return generate_latest(self.registry)


@contextmanager
def _timed(seconds: Histogram, connection: str) -> Iterator[None]:
    began, result = time.perf_counter(), "failed"
    try:
        yield
        result = "ok"
    finally:
        seconds.labels(connection=connection, result=result).observe(time.perf_counter() - began)
