"""The home tab of whoever looked lately follows the cards."""

from dataclasses import replace
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from handlers.announcer import SlackAnnouncer
from handlers.channels import Channels
from handlers.pace import Pace
from handlers.posting import Poster
from handlers.whispers import Whispers
from tests.clock import FakeClock
from tests.handlers import story


class Channel(AsyncWebClient):
    """Takes every post."""

    async def chat_postMessage(self, **said: Any) -> Any:  # noqa: N802 - Slack's name
        return {"channel": said["channel"], "ts": "1.000100"}


async def test_home_tabs_are_told_when_a_card_changes(clock: FakeClock) -> None:
    slack, told = Channel(token="xoxb-1"), []
    poster = Poster(slack, Pace(0), Pace(0))
    silent: Any = Whispers
    announcer = SlackAnnouncer(slack, poster, Channels(slack), silent, clock)

    async def after() -> None:
        told.append("card")

    announcer.after = after
    known = story.asked_stage()
    here = replace(known, incident=replace(known.incident, channel="C0ALERTS"))
    copy = await announcer.show(here)
    assert told == ["card"]
    await announcer.show(replace(here, copy=copy))
    assert told == ["card"]
