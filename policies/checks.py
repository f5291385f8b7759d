"""A measurable promise about data, and what its last measurement said."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from policies.evidence import Json

CheckKind = Literal["rows_match_source", "within_baseline", "asset_check"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """A promise about data. `params` say what is measured and against what, in plain JSON."""

    name: str
    kind: CheckKind
    says: str
    params: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckResult:
    """One measurement. `passed` is None when it could not be measured: that is never a pass."""

    check: str
    passed: bool | None
    measured: str
    expected: str
    at: datetime
    evidence_ids: tuple[str, ...] = ()
    moment: Literal["before", "gate", "after"] = "after"
