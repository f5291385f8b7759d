"""One message per copy: posted once, updated when it is not true any more, left alone while it is."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.ports import Copy, Showing
from handlers.announcer import SlackAnnouncer
from handlers.channels import Channels
from handlers.pace import Pace
from handlers.posting import Poster
from tests.clock import FakeClock
from tests.handlers import story
from tests.handlers.test_ack import Silent

BEFORE = story.asked_stage()
AFTER = story.showing(*list(story.standing(story.the_night()))[-1])


class Channel(AsyncWebClient):
    """Remembers what was said to Slack. `gone`: the message to be updated is not there any more."""

    def __init__(self) -> None:
        super().__init__(token="xoxb-1", retry_handlers=[])
        self.posts: list[Mapping[str, Any]] = []
        self.updates: list[Mapping[str, Any]] = []
        self.gone = False

    async def chat_postMessage(self, **said: Any) -> Any:  # noqa: N802 - Slack's name
        self.posts.append(said)
        return {"channel": said["channel"], "ts": f"{len(self.posts)}.000100"}

    async def chat_update(self, **said: Any) -> Any:
        if self.gone:
            raise SlackApiError("gone", {"error": "message_not_found"})
        self.updates.append(said)
        return {}


@pytest.fixture
def slack() -> Channel:
    return Channel()


@pytest.fixture
def announcer(slack: Channel, clock: FakeClock) -> SlackAnnouncer:
    poster = Poster(slack, Pace(0), Pace(0))
    clock.set(BEFORE.now)
    return SlackAnnouncer(slack, poster, Channels(slack), Silent(), clock)


def card(showing: Showing, copy: Copy | None) -> Showing:
    where = replace(showing.incident, channel="C0ALERTS")
    return replace(showing, name="card", copy=copy, incident=where)


async def test_a_copy_that_is_not_true_any_more_is_updated_where_it_is(
    announcer: SlackAnnouncer, slack: Channel
) -> None:
    first = await announcer.show(card(BEFORE, None))
    then = await announcer.show(card(AFTER, first))
    assert first is not None
    assert then is not None
    assert (len(slack.posts), [said["ts"] for said in slack.updates]) == (1, [first.ts])
    assert then.shown != first.shown


async def test_a_copy_that_is_still_true_is_left_alone(
    announcer: SlackAnnouncer, slack: Channel
) -> None:
    first = await announcer.show(card(BEFORE, None))
    assert await announcer.show(card(BEFORE, first)) == first
    assert (len(slack.posts), slack.updates) == (1, [])


async def test_a_copy_that_somebody_deleted_is_posted_again(
    announcer: SlackAnnouncer, slack: Channel
) -> None:
    first = await announcer.show(card(BEFORE, None))
    slack.gone = True
    then = await announcer.show(card(AFTER, first))
    assert then is not None
    assert len(slack.posts) == 2


async def test_home_tabs_are_told_when_a_card_changes(
    announcer: SlackAnnouncer, slack: Channel
) -> None:
    told: list[int] = []

    async def after() -> None:
        told.append(len(slack.posts))

    announcer.after = after
    await announcer.show(card(BEFORE, None))
    assert told == [1]
