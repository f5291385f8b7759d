"""One call of a Web API method: who calls, with what, and what it takes to be allowed to."""

import base64
import binascii
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.sandbox.workspace.core import Core
from bot.sandbox.workspace.errors import Json, SlackError
from bot.sandbox.workspace.seed import App
from bot.sandbox.workspace.state import Conversation

#: What each kind of conversation is called in scopes.
SCOPE_OF = {"channel": "channels", "group": "groups", "im": "im", "mpim": "mpim"}


@dataclass(frozen=True, slots=True)
class Call:
    """The arguments of a call, however they were sent; `host` is what the caller reached us as."""

    core: Core
    app: App
    args: Json
    host: str = ""

    def text(self, name: str) -> str:
        """A string argument, "" when missing."""
        value = self.args.get(name)
        return "" if value is None else str(value)

    def need(self, name: str) -> str:
        """A string argument that must be there."""
        value = self.text(name)
        if not value:
            said = {"messages": [f"[ERROR] missing required field: {name}"]}
            raise SlackError("invalid_arguments", response_metadata=said)
        return value

    def flag(self, name: str) -> bool:
        """A boolean argument in any of the spellings clients use."""
        return str(self.args.get(name, "")).lower() in {"true", "1"}

    def whole(self, name: str, default: int, most: int) -> int:
        """A number from 1 to `most`."""
        value = self.text(name)
        if not value:
            return default
        if not value.isdigit() or not 1 <= int(value) <= most:
            raise SlackError("invalid_limit")
        return int(value)

    def parsed(self, name: str, broken: str) -> Any:
        """A structured argument, JSON-encoded or not; None when missing, `broken` when it is not JSON."""
        value = self.args.get(name)
        if not isinstance(value, str):
            return value
        if not value:
            return None
        try:
            return json.loads(value)
        except ValueError:
            raise SlackError(broken) from None

    def scope(self, *needed: str) -> None:
        """`missing_scope` unless the token has one of these."""
        if not set(needed) & self.app.scopes:
            provided = ",".join(sorted(self.app.scopes))
            raise SlackError("missing_scope", needed=needed[0], provided=provided)

    def channel(self, right: str, name: str = "channel") -> Conversation:
        """The conversation an argument names, if the bot may know of it and has the scope for its kind."""
        ref = self.text(name)
        if not ref:
            raise SlackError("channel_not_found")
        found = self.core.state.conversation(ref)
        if found.kind != "channel" and self.app.user_id not in found.members:
            raise SlackError("channel_not_found")
        if right:
            self.scope(f"{SCOPE_OF[found.kind]}:{right}")
        return found

    def page(self, things: list[Any], default: int, most: int = 1000) -> tuple[list[Any], Json]:
        """The part of a list the cursor and limit ask for, and the `response_metadata` that leads on."""
        start = _position(self.text("cursor"))
        end = start + self.whole("limit", default, most)
        cursor = base64.b64encode(f"next:{end}".encode()).decode() if end < len(things) else ""
        return things[start:end], {"response_metadata": {"next_cursor": cursor}}


def _position(cursor: str) -> int:
    if not cursor:
        return 0
    try:
        kind, _, number = base64.b64decode(cursor, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        raise SlackError("invalid_cursor") from None
    if kind != "next" or not number.isdigit():
        raise SlackError("invalid_cursor")
    return int(number)


@dataclass(frozen=True, slots=True)
class Method:
    """A method and what it needs: any one of `scopes`, and the token of this `caller` (`bot`, `app` or `anybody`)."""

    do: Callable[[Call], Json]
    scopes: tuple[str, ...] = ()
    caller: str = "bot"
