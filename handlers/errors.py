"""The one broad hook of Bolt: logs, and tells the person what happened, what did not, what to do now.

No ack goes out for what was not stored, so Slack sends events again. A command and a form are
answered in their ack, because their person is looking at the screen.
"""

import uuid
from typing import Any

import structlog
from aiohttp import ClientError
from slack_bolt.async_app import AsyncApp
from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackClientError

from bot.commands import Keep, Received
from bot.ports import RetryAfter, StoreUnavailable
from handlers import ids, views
from handlers.payloads import parse
from handlers.wiring import Body, Wiring

_log = structlog.get_logger(__name__)


def register(app: AsyncApp, wiring: Wiring) -> None:
    """Set the hook."""

    async def failed(error: Exception, body: Body) -> BoltResponse:
        if isinstance(error, ids.UnreadableTag):
            try:
                return await _unreadable(wiring, body)
            except StoreUnavailable as gone:
                error = gone
        reference = uuid.uuid4().hex[:8]
        _log.error("listener failed", reference=reference, kind=kind(body), exc_info=error)
        said = words_for(error, reference)
        respond_to = parse.respond_to(body)
        if respond_to and "command" not in body:
            await wiring.whispers.tell(respond_to, said)
        return answer(body, said)

    app.error(failed)


async def _unreadable(wiring: Wiring, body: Body) -> BoltResponse:
    """A button or form that was changed, or is too old: kept as it came, and its person is told."""
    key, now = f"unread:{parse.click_key(body)}", wiring.clock.now()
    keep = Keep(key=key, why="the button carries something this version can't read", at=now)
    await wiring.desk.receive(Received(key=key, command=keep, raw=parse.raw(body), at=now))
    respond_to = parse.respond_to(body)
    if respond_to:
        await wiring.whispers.tell(respond_to, views.UNREADABLE)
    tapped = body.get("type") == "view_submission"
    return answer(body, views.UNREADABLE) if tapped else BoltResponse(status=200, body="")


def words_for(error: Exception, reference: str) -> str:
    """What the person is told."""
    match error:
        case TimeoutError():
            return views.too_slow()
        case StoreUnavailable():
            return views.nothing_stored(reference)
        case SlackClientError() | ClientError() | RetryAfter():
            return views.nothing_shown(reference)
        case _:
            return views.broken(reference)


def answer(body: Body, said: str) -> BoltResponse:
    """Words in the ack where there is a person waiting for one; else no ack at all (status 500)."""
    if "command" in body:
        return _json({"response_type": "ephemeral", "text": said})
    if body.get("type") == "view_submission":
        return _json({"response_action": "errors", "errors": {ids.QUESTION_BLOCK: said}})
    return BoltResponse(status=500, body="")


def kind(body: Body) -> str:
    """What arrived, for the log."""
    return str(body.get("event", {}).get("type") or body.get("type") or body.get("command"))


def _json(content: dict[str, Any]) -> BoltResponse:
    return BoltResponse(status=200, body=content)
