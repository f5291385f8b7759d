"""A private answer goes back where the tap was, by another way when the first is closed, and never raises."""

import pytest

from handlers.payloads.address import Address
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


async def test_no_way_back_is_no_error(quiet_room: Room) -> None:
    await quiet_room.slack.announcer.whisper("", "nobody hears this")
    await quiet_room.slack.announcer.whisper(to(channel="C0GONE"), "nor this")
    quiet_room.workspace.faults.add("lost", method="chat.postEphemeral")
    await quiet_room.slack.announcer.whisper(to(), "nor this")


async def test_only_slack_is_answered_and_no_other_machine(quiet_room: Room) -> None:
    known = quiet_room.slack.announcer._whispers._known
    base = quiet_room.workspace.base_url
    assert known("https://hooks.slack.com/actions/T0/1/x")
    assert known(f"{base}/response/1")
    for url in (
        "https://hooks.example/1",
        "http://hooks.slack.com/1",
        "https://10.0.0.1/",
        "file:///x",
    ):
        assert not known(url)
