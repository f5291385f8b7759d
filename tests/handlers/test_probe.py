"""The doctor says what is wrong with Slack's side, and what to do."""

from dataclasses import dataclass

import pytest
from pydantic import SecretStr

from handlers.probe import SCOPES, check_slack
from tests.handlers.room import Room

pytestmark = pytest.mark.loopback
BOT, APP = SecretStr("xoxb-dw"), SecretStr("xapp-dw")


@dataclass(frozen=True)
class Settings:
    slack_base_url: str
    slack_bot_token: SecretStr | None = BOT
    slack_app_token: SecretStr | None = APP
    slack_signing_secret: SecretStr | None = None


async def test_all_is_well(quiet_room: Room) -> None:
    found = await check_slack(Settings(quiet_room.access.base_url), ["#data-alerts"])
    assert [f.name for f in found] == ["slack bot token", "slack scopes", "slack app token"]
    assert all(f.ok for f in found)


async def test_missing_scopes_channels_and_tokens_are_named(quiet_room: Room) -> None:
    quiet_room.workspace.regrant("A0DWBOT", SCOPES - {"usergroups:read"})
    settings = Settings(quiet_room.access.base_url, slack_app_token=SecretStr("xapp-wrong"))
    found = {f.name: f for f in await check_slack(settings, ["#nowhere"])}
    assert "usergroups:read" in found["slack scopes"].says
    assert "#nowhere" in found["alert channels"].says
    assert found["slack app token"].ok is False
    wrong = Settings(quiet_room.access.base_url, slack_bot_token=SecretStr("xoxb-wrong"))
    (only,) = await check_slack(wrong)
    assert "DW_SLACK_BOT_TOKEN" in only.says
    assert "xoxb-wrong" not in only.says
