"""Receipts of runs that the bot started, as far as a record is counted from them."""

from datetime import datetime
from typing import Any

from policies.figures import stamp
from tests.building import NOW


def a_body(
    incident: str,
    *,
    domain: str = "growth",
    change_class: str = "run_job",
    doer: str = "bot",
    phase: str = "done",
    passed: bool | None = True,
    checks: int = 1,
    closed_at: datetime = NOW,
) -> dict[str, Any]:
    return {
        "incident": {"id": incident, "domain": domain, "closed_at": stamp(closed_at)},
        "plan": {"steps": [{"id": "rollups", "doer": doer, "change_class": change_class}]},
        "runs": [{"step": "rollups", "phase": phase, "key": f"{incident}:rollups"}],
        "checks": {"after": [{"check": "rows", "passed": passed}] * checks},
    }
