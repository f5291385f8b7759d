"""The doctor as it is run: real database file, real calls to a workspace on this machine."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.cli.house import House
from bot.sandbox.workspace import USUAL_SCOPES, App, Channel, Person, Workspace, WorkspaceSeed
from tests.bot.cli.fakes import dw

pytestmark = pytest.mark.loopback
DW = App("A0DW", "B0DW", "U0DW", "dw", bot_token="xoxb-hunter2", app_token="xapp-hunter2")
SEED = WorkspaceSeed(
    people=(Person("U0ANA", "ana", email="ana@example.com"),),
    apps=(DW,),
    channels=(Channel("C0ALERTS", "data-alerts", ("U0ANA", "U0DW")),),
)
RULES = """\
version: 1
admins: [ana@example.com]
alert_channels: ["#data-alerts"]
senders: [{app_id: A0DAG, system: dagsterplus, connection: dagster}]
connections: {dagster: {kind: dagster, url: "http://127.0.0.1:9"}}
domains:
  growth:
    channels: ["#data-alerts"]
    assets: [raw_sessions]
    owners: {raw_sessions: ana@example.com}
    chain: [{who: owner, within: 5m}]
"""


@pytest.fixture(params=[USUAL_SCOPES, USUAL_SCOPES - {"users:read.email"}], ids=["all", "missing"])
async def workspace(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> AsyncIterator[Workspace]:
    seed = replace(SEED, apps=(replace(DW, scopes=request.param),))
    async with Workspace(seed, clock=time.time) as running:
        monkeypatch.setenv("DW_SLACK_BASE_URL", running.api_url)
        monkeypatch.setenv("DW_SLACK_BOT_TOKEN", DW.bot_token)
        monkeypatch.setenv("DW_SLACK_APP_TOKEN", DW.app_token)
        (tmp_path / "dw.yml").write_text(RULES)
        monkeypatch.setenv("DW_CONFIG", str(tmp_path / "dw.yml"))
        monkeypatch.setenv("DW_DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path}/dw.db")
        yield running


async def test_scopes_tokens_clock_and_database_are_looked_at(
    workspace: Workspace, request: pytest.FixtureRequest
) -> None:
    assert (await asyncio.to_thread(dw, "migrate", house=House())).exit_code == 0
    result = await asyncio.to_thread(dw, "doctor", "--json", house=House())
    found = {f["name"]: (f["ok"], f["says"]) for f in json.loads(result.stdout)["findings"]}
    assert found["slack bot token"][0] is True
    assert found["slack app token"][0] is True
    assert found["clock"][0] is True
    assert found["database"][0] is True
    whole = "missing" not in request.node.name
    assert found["slack scopes"][0] is whole
    assert whole or "users:read.email" in found["slack scopes"][1]
    assert found["dagster dagster"][0] is False
    assert "hunter2" not in result.output + result.stderr
