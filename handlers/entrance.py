"""Puts the rooms' Slack side together: one call for the composition root, in the right order."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import aiohttp
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.clock import Clock
from bot.desk import Desk
from bot.ports import Directory, RetryAfter
from handlers import app as building
from handlers import ids, register
from handlers.announcer import SlackAnnouncer
from handlers.answers import Answerer
from handlers.channels import Channels, Reading
from handlers.directory import SlackDirectory
from handlers.history import SlackHistory
from handlers.homes import Homes
from handlers.pace import Pace
from handlers.payloads.own import Identity
from handlers.posting import Poster
from handlers.step_up import StepUp
from handlers.whispers import Whispers
from handlers.wiring import Wiring

_UPDATES_AT_ONCE = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Slack:
    """All that speaks Slack. `problems` are sentences about alert channels that were not found."""

    me: Identity
    client: AsyncWebClient
    announcer: SlackAnnouncer
    directory: Directory
    answerer: Answerer
    history: SlackHistory
    step_up: StepUp
    app: AsyncApp
    problems: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """What is told to Slack's side: the channels that are read, and how fast may be spoken.

    `authenticators` are secrets by Slack id. `seating` adds to Slack's directory what only dw.yml and the database know of seats.
    """

    alert_channels: Sequence[str]
    posts_per_second: float = 1.0
    updates_per_second: float = 0.8
    authenticators: Mapping[str, str] = field(default_factory=dict, repr=False)
    seating: Callable[[Directory], Directory] = lambda slack: slack
    login_page: Callable[[ids.Tag, str], str] | None = None
    repeated: Callable[[], None] = lambda: None


async def enter(
    access: building.Access, session: aiohttp.ClientSession, desk: Desk, clock: Clock, wish: Wish
) -> Slack:
    """Say hello to Slack and register every listener. Raises `SlackRefused` on a bad bot token."""
    client = building.web_client(access, session)
    me = await building.identify(client)
    channels = Channels(client)
    reading = channels.reading(wish.alert_channels)
    problems = await _first_look(reading)
    directory = wish.seating(SlackDirectory(client, clock, me.team))
    answerer = Answerer(desk, directory, clock, me.url)
    wiring = Wiring(
        desk=desk,
        clock=clock,
        me=me,
        alert_channels=reading.ids,
        client=client,
        directory=directory,
        answerer=answerer,
        homes=Homes(client, desk, answerer, clock),
        whispers=Whispers(client, session),
        step_up=StepUp(wish.authenticators, clock),
        login_page=wish.login_page,
        repeated=wish.repeated,
    )
    bolt = building.bolt(access, me, building.web_client(access, session, token=False))
    register(bolt, wiring)
    return Slack(
        me=me,
        client=client,
        announcer=_announcer(wiring, channels, wish),
        directory=directory,
        answerer=answerer,
        step_up=wiring.step_up,
        history=SlackHistory(client, clock, me, reading),
        app=bolt,
        problems=problems,
    )


async def _first_look(reading: Reading) -> tuple[str, ...]:
    """What can't be found yet; it is looked for again every minute, so an hour of Slack's is no reason not to start."""
    try:
        return await reading.look()
    except RetryAfter as later:
        return (f"the alert channels are not known yet, and looked for again: {later}",)


def _announcer(wiring: Wiring, channels: Channels, wish: Wish) -> SlackAnnouncer:
    """The worker's voice; home tabs follow every card it changes."""
    posts, updates = Pace(wish.posts_per_second), Pace(wish.updates_per_second, _UPDATES_AT_ONCE)
    poster = Poster(wiring.client, posts, updates)
    announcer = SlackAnnouncer(wiring.client, poster, channels, wiring.whispers, wiring.clock)
    announcer.after = wiring.homes.refresh
    return announcer
