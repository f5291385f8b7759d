"""What the evidence of an incident says, in one place: which run, asset, check and day are in trouble."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from policies.alert import Alert
from policies.answers import Answer, moment, names, record, records, text
from policies.evidence import Evidence, Json
from policies.figures import day_of
from policies.incident import Incident
from policies.run import ANONYMOUS_JOB, label_of

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Facts:
    """An incident and the evidence to judge it by; the newest answer to a question is the one that counts.

    The opening alert outweighs later ones, so that an alert that joins does not move a plan.
    """

    incident: Incident
    evidence: tuple[Evidence, ...] = ()

    @classmethod
    def of(cls, incident: Incident) -> "Facts":
        """All that is stored with the incident."""
        return cls(incident=incident, evidence=incident.evidence[incident.known_before :])

    def knowing(self, more: Iterable[Evidence]) -> "Facts":
        """The same with more answers."""
        return replace(self, evidence=(*self.evidence, *more))

    def answer(self, name: str, connection: str | None = None, **params: Json) -> Evidence | None:
        """The newest evidence for this question, or None when there is none or it went unanswered."""
        for found in reversed(self.evidence):
            if found.probe.name == name and connection in (None, found.probe.connection):
                asked = found.probe.params
                if all(asked.get(key) == value for key, value in params.items()):
                    return found if found.answered else None
        return None

    def value(self, name: str) -> Answer:
        """The newest answer to this question; empty when there is none."""
        found = self.answer(name)
        return found.value if found else {}

    @property
    def alert(self) -> Alert:
        """The alert the trouble began with."""
        return self.incident.alert

    @property
    def told(self) -> tuple[Alert, ...]:
        """That alert and all others of the same run or asset: consequences say nothing of its run."""
        alerts = self.incident.alerts
        return tuple(alert for alert in alerts if _same(alert, self.alert))

    @property
    def run(self) -> Answer:
        """The failed run as its orchestrator tells it; empty when unknown."""
        return self.value("run_failure")

    @property
    def run_id(self) -> str | None:
        """The failed run."""
        own = self.alert.run_id or text(self.value("find_run").get("run_id"))
        return own or _first(alert.run_id for alert in self.told)

    @property
    def short_id(self) -> str | None:
        """The first characters of a run id that nobody gave in full."""
        return _first(alert.run_id_short for alert in self.told)

    @property
    def job(self) -> str | None:
        """The failed run's job; None for runs of picked assets."""
        told = text(self.run.get("job")) or self.alert.job
        return told if told != ANONYMOUS_JOB else None

    @property
    def failed_check(self) -> Answer:
        """The check that failed in the run: blocking before warning, empty when none did.

        A warning breaks nothing: where a step failed, it is not what the run failed of.
        """
        failed = [c for c in records(self.run.get("checks")) if c.get("passed") is False]
        ours = [c for c in failed if c.get("asset") == self.alert.asset]
        if not ours and records(self.run.get("steps_failed")):
            failed = [c for c in failed if c.get("severity") != "WARN"]
        return min(ours or failed, key=_severity, default={})

    @property
    def asset(self) -> str | None:
        """The asset in trouble: named by the alert, by the failed check, or by the failed step."""
        return self.alert.asset or text(self.failed_check.get("asset")) or self._failed_asset()

    @property
    def check(self) -> str | None:
        """The check that failed on it."""
        return self.alert.check or text(self.failed_check.get("check"))

    @property
    def partition(self) -> str | None:
        """The partition in trouble."""
        own = self.alert.partition or text(self.run.get("partition"))
        return own or _first(alert.partition for alert in self.told)

    @property
    def day(self) -> str | None:
        """The day in trouble, where the partition is a day."""
        return day_of(self.partition)

    @property
    def planned(self) -> tuple[str, ...]:
        """What the run was to build."""
        return names(self.run.get("assets_planned"))

    @property
    def built(self) -> tuple[str, ...]:
        """What the run did build."""
        return names(self.run.get("assets_materialized"))

    @property
    def loaded_at(self) -> datetime | None:
        """When the bad load was written; None when the asset never was, or nobody knows."""
        if self.run and self.asset not in self.built:
            return None
        return moment(self.value("materialization").get("at"))

    @property
    def metadata(self) -> Answer:
        """What the bad load says of itself."""
        return record(self.value("materialization").get("metadata"))

    def _failed_asset(self) -> str | None:
        steps = {text(step.get("step")) for step in records(self.run.get("steps_failed"))}
        missing = [asset for asset in self.planned if asset not in self.built]
        return _first(a for a in missing if a.replace("/", "__") in steps) or _first(missing)


def _same(one: Alert, other: Alert) -> bool:
    """True for the same alert, and for two of one system that name the same run, asset or job."""
    if one is other:
        return True
    if one.connection != other.connection:
        return False
    runs = [label_of(a.run_id or a.run_id_short or "") for a in (one, other)]
    if all(runs):
        return runs[0] == runs[1]
    assets, jobs = (one.asset, other.asset), (one.job, other.job)
    known = [pair for pair in (assets, jobs) if all(pair)]
    return bool(known) and all(a == b for a, b in known)


def _severity(check: Answer) -> tuple[bool, bool]:
    return check.get("blocking") is not True, check.get("severity") == "WARN"


def _first(values: Iterable[T | None]) -> T | None:
    return next((value for value in values if value), None)
