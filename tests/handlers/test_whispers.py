"""A private answer goes back where the tap was, by another way when the first is closed, and never raises."""

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from handlers.payloads.address import Address
from handlers.whispers import Whispers
from tests.handlers.room import Room

pytestmark = pytest.mark.loopback


def to(**known: str) -> str:
    return Address(**{"channel": "C0ALERTS", "user": "U0ANA", **known}).encode() or ""


async def test_a_closed_response_url_becomes_an_ephemeral_message(quiet_room: Room) -> None:
    base = quiet_room.workspace.base_url
    for url in ("", f"{base}/response/unknown", "http://127.0.0.1:1/gone"):
        await quiet_room.slack.announcer.whisper(to(url=url), f"told by {url}")
        assert await quiet_room.people["ana"].wait_for_message(f"told by {url}")
    assert not any("told by" in m.body["text"] for m in quiet_room.people["eli"].reads("C0ALERTS"))


@pytest.mark.parametrize(
    ("url", "slacks"),
    [
        ("https://hooks.slack.com/actions/T0/1/x", True),
        ("https://slack.com/x", True),
        ("http://hooks.slack.com/x", False),
        ("https://slack.com.example.com/x", False),
        ("https://notslack.com/x", False),
        ("https://hooks.slack.com@example.com/x", False),
        ("https://[bad", False),
        ("", False),
    ],
)
def test_only_slacks_own_addresses_are_called(url: str, slacks: bool) -> None:
    assert Whispers(AsyncWebClient(), None)._is_slacks(url) is slacks  # type: ignore[arg-type]


async def test_whoever_tapped_on_the_home_tab_is_answered_directly(quiet_room: Room) -> None:
    await quiet_room.slack.announcer.whisper(to(channel=""), "it did not count")
    ana = quiet_room.people["ana"]
    assert await ana.wait_for_message("it did not count", channel=ana.dm("dw"))


async def test_no_way_back_is_no_error(quiet_room: Room) -> None:
    await quiet_room.slack.announcer.whisper("", "nobody hears this")
    await quiet_room.slack.announcer.whisper(to(channel="C0GONE"), "nor this")
    quiet_room.workspace.faults.add("lost", method="chat.postEphemeral")
    await quiet_room.slack.announcer.whisper(to(), "nor this")
