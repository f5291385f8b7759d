"""What a house is built with, so that a test can bring its own."""

from collections.abc import Callable
from dataclasses import dataclass, field

from bot.clock import Clock, SystemClock
from bot.worker.context import Pace
from connectors.catalogue import Catalogue, build


@dataclass(frozen=True, kw_only=True, slots=True)
class Means:
    """What a house is built with: the real ones, as they are; a test has its own.

    `build` makes the connectors; `posts` and `updates` are messages a second to Slack.
    """

    build: Callable[..., Catalogue] = build
    clock: Clock = field(default_factory=SystemClock)
    pace: Pace = field(default_factory=Pace)
    posts: float = 1.0
    updates: float = 0.8
