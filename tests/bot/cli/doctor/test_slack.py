"""The doctor at Slack: tokens, scopes, address, clock."""

from collections.abc import Sequence
from datetime import timedelta

import httpx
import pytest
import respx

from bot.cli.doctor.slack import drift
from bot.health import Finding
from bot.settings import Settings
from tests.bot.cli.doctor.examined import AT, examined


def test_missing_tokens_are_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DW_SLACK_BOT_TOKEN")
    _, found = examined()
    assert found["slack tokens"][0] is False
    assert found["slack tokens"][1].startswith("DW_SLACK_BOT_TOKEN: is not set")


def test_what_slack_says_of_the_scopes_is_passed_on() -> None:
    async def slack(settings: Settings, channels: Sequence[str]) -> Sequence[Finding]:
        return [Finding(name="slack scopes", ok=False, says="users:read.email is missing")]

    result, found = examined(slack=slack)
    assert (result.exit_code, found["slack scopes"][0]) == (1, False)


@pytest.mark.parametrize(
    ("url", "ok"),
    [
        ("https://slack.com/api/", True),
        ("http://127.0.0.1:7000/api/", None),
        ("https://proxy.example.com/api/", None),
        ("http://proxy.example.com/api/", False),
    ],
)
def test_the_address_of_slack(
    monkeypatch: pytest.MonkeyPatch, respx_mock: respx.MockRouter, url: str, ok: bool | None
) -> None:
    respx_mock.post(f"{url}api.test").respond(headers={"Date": AT})
    monkeypatch.setenv("DW_SLACK_BASE_URL", url)
    assert examined()[1]["slack address"][0] is ok


@pytest.mark.parametrize(
    ("seconds", "ok", "says"),
    [
        (60, True, "60 s behind Slack"),
        (-61, None, "61 s ahead of Slack → set its clock (NTP)"),
        (300, None, "300 s behind Slack"),
        (301, False, "301 s behind Slack → set its clock (NTP)"),
    ],
)
def test_a_clock_that_drifts(seconds: float, ok: bool | None, says: str) -> None:
    found = drift(timedelta(seconds=seconds))
    assert found.ok is ok
    assert says in found.says


def test_a_slack_that_is_not_reached(respx_mock: respx.MockRouter) -> None:
    respx_mock.post("https://slack.com/api/api.test").mock(
        side_effect=httpx.ConnectError("refused")
    )
    _, found = examined()
    assert found["clock"] == (
        False,
        "can't be compared: https://slack.com/api/ was not reached (ConnectError: refused)",
    )
