"""What comes from another workspace than ours is kept as it came, answered, and goes no further.

One app may be installed in many workspaces, and all of their payloads are signed with the same secret.
"""

import hashlib
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import structlog
from slack_bolt.async_app import AsyncApp
from slack_bolt.response import BoltResponse

from bot.commands import Keep, Received
from handlers import views
from handlers.errors import answer
from handlers.payloads import parse
from handlers.payloads.own import Identity
from handlers.wiring import Body, Wiring

_log = structlog.get_logger(__name__)
_NAMES = ("team_id", "context_team_id")


def register(app: AsyncApp, wiring: Wiring) -> None:
    """Stand before every listener."""

    async def ours_only(body: Body, next: Callable[[], Awaitable[Any]]) -> Any:  # noqa: A002 - Bolt's name for it
        other = elsewhere(body, wiring.me)
        return await next() if other is None else await _refused(wiring, body, other)

    app.middleware(ours_only)


def elsewhere(body: Body, me: Identity) -> str | None:
    """The other workspace that a payload names; None when it is ours, or names none."""
    teams = tuple(_teams(body))
    enterprise = body.get("enterprise_id") or _id(body.get("enterprise"))
    same_grid = me.enterprise is not None and enterprise == me.enterprise
    return None if not teams or me.team in teams or same_grid else teams[0]


async def _refused(wiring: Wiring, body: Body, other: str) -> BoltResponse:
    raw = parse.raw(body)
    key = "elsewhere:" + hashlib.sha256(raw.encode()).hexdigest()[:32]
    now = wiring.clock.now()
    keep = Keep(key=key, why=f"it came from another workspace, {other[:20]}", at=now)
    await wiring.desk.receive(Received(key=key, command=keep, raw=raw, at=now))
    _log.warning("refused from another workspace", team=other)
    back = parse.respond_to(body)
    if back:
        await wiring.whispers.tell(back, views.ELSEWHERE)
    tapped = body.get("type") == "view_submission" or "command" in body
    return answer(body, views.ELSEWHERE) if tapped else BoltResponse(status=200, body="")


def _teams(body: Body) -> Iterator[str]:
    named = [body.get(name) for name in _NAMES] + [_id(body.get("team"))]
    installed = [_id(one, "team_id") for one in body.get("authorizations") or []]
    yield from (team for team in (*named, *installed) if isinstance(team, str) and team)


def _id(part: Any, key: str = "id") -> Any:
    return part.get(key) if isinstance(part, dict) else None
