"""A Slack that tells the time, and secrets wherever they may stand."""

from pathlib import Path

import pytest
import respx

from tests.bot.cli.doctor.examined import AT, SECRET
from tests.bot.cli.fakes import EXAMPLE


@pytest.fixture(autouse=True)
def _slack_is_there(
    monkeypatch: pytest.MonkeyPatch, respx_mock: respx.MockRouter, tmp_path: Path
) -> None:
    monkeypatch.setenv("DW_ANCHOR", str(tmp_path / "anchor"))
    respx_mock.post("https://slack.com/api/api.test").respond(headers={"Date": AT})
    respx_mock._assert_all_called = False
    monkeypatch.setenv("DW_CONFIG", str(EXAMPLE))
    monkeypatch.setenv("DW_SLACK_BOT_TOKEN", f"xoxb-{SECRET}")
    monkeypatch.setenv("DW_SLACK_APP_TOKEN", f"xapp-{SECRET}")
    monkeypatch.setenv("DW_DATABASE_URL", f"postgresql+asyncpg://dw:{SECRET}@db.example.com/dw")
    monkeypatch.setenv("DW_APP_PRIMARY_PASSWORD", SECRET)
