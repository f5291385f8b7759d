"""`dw doctor` at the webhooks: secret set, last heard, how many refused and why."""

from pathlib import Path
from typing import Any

import pytest

from bot.ports import HookCount
from tests.bot.cli.doctor.examined import examined
from tests.bot.cli.fakes import EXAMPLE, FakeDatabase
from tests.clock import NIGHT

SECRET = "planted-secret-of-a-hook"
HOOKS = "webhooks:\n  plus: {kind: dagsterplus, connection: dagster}\n"


@pytest.fixture(autouse=True)
def _with_a_webhook(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "dw.yml").write_text(EXAMPLE.read_text() + "\n" + HOOKS)
    monkeypatch.setenv("DW_CONFIG", str(tmp_path / "dw.yml"))
    monkeypatch.setenv("DW_HOOK_PLUS_SECRET", SECRET)


def seen(*counts: tuple[str, int, int], hook: str = "plus") -> dict[str, tuple[Any, str]]:
    """What is found after these outcomes, so often, the last so many minutes into the night."""
    hooks = [
        HookCount(
            hook=hook,
            outcome=outcome,
            count=count,
            last_at=NIGHT.replace(minute=minute),
            says="its proof is not made with the secret of this webhook",
        )
        for outcome, count, minute in counts
    ]
    result, found = examined(open=lambda url: FakeDatabase(hooks=hooks))
    assert SECRET not in result.output
    return found


def test_one_that_was_never_heard_wants_a_look() -> None:
    assert seen()["webhook plus"] == (None, "never heard → send one to /hooks/plus")


def test_one_that_is_heard_is_well_though_somebody_knocked_in_vain_before() -> None:
    ok, says = seen(("accepted", 12, 41), ("forged", 2, 30))["webhook plus"]
    assert ok is True
    assert says.startswith("12 accepted, the last at 2026-09-29 00:41 UTC; refused: 2 forged")


def test_one_that_refused_last_wants_a_look_and_tells_why() -> None:
    ok, says = seen(("accepted", 12, 30), ("forged", 2, 41))["webhook plus"]
    assert ok is None
    assert says.endswith(
        "the last at 2026-09-29 00:41 UTC: its proof is not made with the secret of this webhook"
    )


def test_one_without_a_secret_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DW_HOOK_PLUS_SECRET")
    ok, says = seen()["webhook plus"]
    assert ok is False
    assert says.startswith("DW_HOOK_PLUS_SECRET: is not set, and without it anybody could send")


def test_who_knocks_elsewhere_is_told() -> None:
    ok, says = seen(("unknown", 3, 41), hook="unknown")["webhooks"]
    assert ok is None
    assert says.startswith("3 deliveries to addresses that are no webhook")
