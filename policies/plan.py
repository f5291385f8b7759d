"""A plan: ordered steps, frozen, and its digest, so that what was approved is what runs."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from policies.checks import Check
from policies.evidence import Json

Doer = Literal["bot", "person"]
_LONG = 80


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One change: by the bot through an actuator, or by a person in their own tool.

    `action` names what an actuator can do (`run_job`) or what a person does (`backfill`,
    `open_pull_request`). `after` are step ids that must be done first; `gate` are checks that must
    pass before it starts. `undo` is written before it starts. A `follow_up` does not hold the receipt.
    `code_version` is the code the run will use, where the system tells it. `command` is what a person
    may type to do it, `press` what to press behind `link`. A yes to a `dangerous` one may need a code of
    the person's authenticator, where the domain says so.
    """

    id: str
    title: str
    change_class: str
    doer: Doer
    owner: str
    owner_because: str
    connection: str
    action: str
    params: Mapping[str, Json] = field(default_factory=dict)
    after: tuple[str, ...] = ()
    gate: tuple[Check, ...] = ()
    undo: str
    risk: str
    why: str = ""
    link: str | None = None
    diff: str | None = None
    command: str | None = None
    press: str | None = None
    code_version: str | None = None
    follow_up: bool = False
    dangerous: bool = False
    reason_needed: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """Ordered steps and the assets they reach. `checks` prove the numbers right at the end.

    `asked_by` and `written_by` are people, by Slack id or email, where it was not the bot.
    """

    version: int
    cause: str
    steps: tuple[Step, ...]
    reach: tuple[str, ...]
    checks: tuple[Check, ...] = ()
    deadline: str | None = None
    asked_by: str | None = None
    written_by: str | None = None

    def step(self, step_id: str) -> Step:
        """The step of that id; KeyError when there is none."""
        for step in self.steps:
            if step.id == step_id:
                return step
        raise KeyError(step_id)

    def of(self, owner: str) -> tuple[Step, ...]:
        """The steps of one owner, in order."""
        return tuple(step for step in self.steps if step.owner == owner)

    def owners(self) -> tuple[str, ...]:
        """The owners, each once, in the order of their first step."""
        return tuple(dict.fromkeys(step.owner for step in self.steps))


def digest(steps: Iterable[Step], reach: Iterable[str]) -> str:
    """Identity by content of what is shown: `sha256:` and 64 hex digits.

    Covers steps with parameters, order, gates, code version, SQL or diff, and the reach. The reach is
    part of it, sorted: a larger one is another digest (see `covers` for the smaller one).
    """
    body = {"steps": [_shown(step) for step in steps], "reach": sorted(reach)}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def details(step: Step) -> dict[str, str]:
    """All that the digest covers, each by its name in words: `code version`, `undo`, a parameter's own name."""
    shown = _shown(step)
    flat = {**{k: v for k, v in shown.items() if k not in ("id", "params")}, **step.params}
    return {name.replace("_", " "): _said(value) for name, value in flat.items()}


def _said(value: object) -> str:
    if value is None:
        return "none"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONG else text[:_LONG] + "…"


def _shown(step: Step) -> dict[str, object]:
    shown: dict[str, object] = {
        "id": step.id,
        "action": step.action,
        "doer": step.doer,
        "connection": step.connection,
        "params": dict(step.params),
        "after": list(step.after),
        "gate": [[check.name, check.kind, dict(check.params)] for check in step.gate],
        "undo": step.undo,
        "diff": step.diff,
        "code_version": step.code_version,
        **({"dangerous": True} if step.dangerous else {}),
    }
    return shown | ({"command": step.command} if step.command else {})
