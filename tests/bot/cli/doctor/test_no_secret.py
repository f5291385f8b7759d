"""No command shows a secret, whatever goes wrong."""

from pathlib import Path
from typing import Any

import pytest

from bot.settings import Settings
from policies.rules import Rules
from tests.bot.cli.doctor.examined import SECRET
from tests.bot.cli.fakes import (
    EXAMPLE,
    FakeSystems,
    dw,
    fake_house,
)


def test_no_secret_is_ever_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Secrets stand everywhere they could stand, and everything fails with them in its message."""
    (tmp_path / "token").write_text(f"{SECRET}-in-a-file\n")
    (tmp_path / "dw.yml").write_text(
        EXAMPLE.read_text().replace("reader@primary", f"reader:{SECRET}@primary")
    )
    monkeypatch.setenv("DW_DAGSTER_TOKEN", SECRET)
    monkeypatch.setenv("DW_DAGSTER_ACT_TOKEN_FILE", str(tmp_path / "token"))
    monkeypatch.setenv("DW_DAGSTRE_TOKEN", SECRET)
    monkeypatch.setenv("DW_SLACK_SIGNING_SECRET", SECRET)

    def built(rules: Rules, settings: Settings) -> FakeSystems:
        raise ValueError(f"{settings.secrets_for('dagster')!r} {SECRET} {SECRET}-in-a-file")

    async def leaks(*anything: object) -> Any:
        raise RuntimeError(f"xoxb-{SECRET} postgresql://dw:{SECRET}@db/dw {anything!r}")

    shown = ""
    for config in (str(EXAMPLE), str(tmp_path / "dw.yml")):
        monkeypatch.setenv("DW_CONFIG", config)
        for args in (
            ("doctor",),
            ("doctor", "--json"),
            ("config", "check"),
            ("migrate",),
            ("run",),
        ):
            house = fake_house(systems=built, slack=leaks, schema=leaks)
            result = dw(*args, house=house)
            shown += result.output + result.stderr
    assert "broken." in shown
    assert "hunter2" not in shown + "".join(capfd.readouterr())
