"""What every listener is given. Built once, by whoever wires the process."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from slack_sdk.web.async_client import AsyncWebClient

from bot.clock import Clock
from bot.desk import Desk
from bot.ports import Directory
from handlers import ids
from handlers.answers import Answerer
from handlers.homes import Homes
from handlers.payloads.own import Identity
from handlers.step_up import StepUp
from handlers.whispers import Whispers

Body = dict[str, Any]


class Ack(Protocol):
    """Bolt's `ack`."""

    async def __call__(self, *args: Any, **words: Any) -> Any:
        """Tell Slack that it arrived; with words, that is the answer."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Wiring:
    """The desk and the means to answer at once. `alert_channels` gives ids, as Slack knows them now.

    `login_page` makes the address where a person logs in to answer a request; None: nobody logs in.
    `repeated` counts what arrived once more.
    """

    desk: Desk
    clock: Clock
    me: Identity
    alert_channels: Callable[[], frozenset[str]]
    client: AsyncWebClient
    directory: Directory
    answerer: Answerer
    homes: Homes
    whispers: Whispers
    step_up: StepUp
    login_page: Callable[[ids.Tag, str], str] | None = None
    repeated: Callable[[], None] = lambda: None
