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
        self.registry = CollectorRegistry()
        count, gauge, seconds = self._counter, self._gauge, self._histogram
        self.alerts = count("alerts", "Alerts, by the system they came from", "system")
        says = "Messages of apps in the alert channels, by what became of them"
        self.signals = count("signals", says, "outcome")
        self.clicks = count("clicks", "Taps: counted or refused", "result")
        self.unsigned = count("slack_unsigned", "Requests that Slack did not sign, or long ago")
        says = "Taps and commands that arrived once more; nothing came of the second"
        self.repeated = count("slack_repeated", says)
        self.decisions = count("decisions", "Decisions that counted: yes or no", "choice")
        self.hooks = count(
            "hooks", "Deliveries, by webhook and what became of them", "hook", "outcome"
        )
        self.links = count("links", "Pages behind emailed links: shown, used or refused", "result")
        self.slack_calls = count("slack_calls", "ok, throttled or failed", "lane", "result")
        self.handled = count("due_handled", "Due rows handled, by kind", "kind", "result")
        self.probe_seconds = seconds("probe", "How long a question to another system took")
        self.action_seconds = seconds("action", "How long it took another system to take a start")
        self._incidents = gauge("incidents", "Incidents by phase", "phase")
        self._lag = gauge("due_lag_seconds", "Age of the oldest row past its time")
        self._waiting = gauge("due_waiting", "Due rows past their time")
        self._poisoned = gauge("due_poisoned", "Due rows that are given up")
        self._stopped = gauge("stopped", "1 while everything is halted")

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

    def _counter(self, name: str, says: str, *labels: str) -> Counter:
        return Counter(f"dw_{name}_total", says, labels, registry=self.registry)

    def _gauge(self, name: str, says: str, *labels: str) -> Gauge:
        return Gauge(f"dw_{name}", says, labels, registry=self.registry)

    def _histogram(self, name: str, says: str) -> Histogram:
        labels, own = ["connection", "result"], self.registry
        return Histogram(f"dw_{name}_seconds", says, labels, buckets=SECONDS, registry=own)


@contextmanager
def _timed(seconds: Histogram, connection: str) -> Iterator[None]:
    began, result = time.perf_counter(), "failed"
    try:
        yield
        result = "ok"
    finally:
        seconds.labels(connection=connection, result=result).observe(time.perf_counter() - began)
