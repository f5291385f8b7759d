"""`/api/METHOD`: reads the arguments, finds out who calls, applies faults and limits, answers and remembers."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from bot.sandbox.workspace.api import chat, conversations, people, views
from bot.sandbox.workspace.api.call import Call, Method
from bot.sandbox.workspace.core import Core
from bot.sandbox.workspace.errors import Json, SlackError, TooFast
from bot.sandbox.workspace.seed import App
from bot.sandbox.workspace.wire.faults import Fault
from bot.sandbox.workspace.wire.record import ApiCall

METHODS: dict[str, Method] = {
    **chat.METHODS,
    **conversations.METHODS,
    **people.METHODS,
    **views.METHODS,
}


@dataclass(slots=True)
class Reply:
    """A Web API answer on its way."""

    body: Json
    status: int = 200
    headers: dict[str, str] | None = None


async def arguments(request: web.Request) -> Json:
    """Query, form and JSON arguments together."""
    found: Json = dict(request.query)
    if request.content_type == "application/json":
        text = await request.text()
        try:
            sent: Any = json.loads(text) if text else {}
        except ValueError:
            raise SlackError("invalid_json") from None
        if not isinstance(sent, dict):
            raise SlackError("json_not_object")
        return found | sent
    return found | {k: v for k, v in (await request.post()).items() if isinstance(v, str)}


class Front:
    """The Web API's door."""

    def __init__(self, core: Core) -> None:
        """Open for one workspace."""
        self._core = core

    async def handle(self, request: web.Request) -> web.Response:
        """Answer one request."""
        method, core = request.match_info["method"], self._core
        slow = core.faults.take("slow", method)
        if slow is not None:
            await asyncio.sleep(slow.ms / 1000)
        app, args, reply = await self._answered(request, method)
        lost = core.faults.take("lost", method) is not None
        args.pop("token", None)
        called = ApiCall(
            method, app.app_id if app else "", args, reply.body, core.mint.now(), reply.status, lost
        )
        core.record.calls.append(called)
        if lost and request.transport is not None:
            request.transport.abort()
        return web.json_response(reply.body, status=reply.status, headers=reply.headers)

    async def _answered(self, request: web.Request, name: str) -> tuple[App | None, Json, Reply]:
        args: Json = {}
        app: App | None = None
        try:
            args = await arguments(request)
            method = _method(name)
            app = self._caller(request, args, method)
            caller = app or next(iter(self._core.state.apps.values()))
            reply = self._done(name, method, Call(self._core, caller, args, request.host))
        except TooFast as slow_down:
            reply = Reply(slow_down.body(), 429, {"Retry-After": str(slow_down.retry_after)})
        except SlackError as refusal:
            reply = Reply(refusal.body())
        if app is not None:
            reply.headers = {
                "x-oauth-scopes": ",".join(sorted(app.scopes)),
                **(reply.headers or {}),
            }
        return app, args, reply

    def _done(self, name: str, method: Method, call: Call) -> Reply:
        fault = self._core.faults.take("answer", name)
        if fault is not None:
            return _faulty(fault)
        if method.scopes and method.caller == "bot":
            call.scope(*method.scopes)
        self._core.pace.call(call.app.app_id, name)
        return Reply(method.do(call))

    def _caller(self, request: web.Request, args: Json, method: Method) -> App | None:
        if method.caller == "anybody":
            return None
        header = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
        token = header or ("" if method.caller == "app" else str(args.get("token", "")))
        if not token:
            raise SlackError("not_authed")
        for app in self._core.state.apps.values():
            if token in {app.bot_token, app.app_token}:
                wanted = app.app_token if method.caller == "app" else app.bot_token
                if token != wanted:
                    raise SlackError("not_allowed_token_type")
                return app
        raise SlackError("invalid_auth")


def _method(name: str) -> Method:
    found = METHODS.get(name)
    if found is None:
        raise SlackError("unknown_method", req_method=name)
    return found


def _faulty(fault: Fault) -> Reply:
    if fault.error == "ratelimited":
        return Reply(
            {"ok": False, "error": "ratelimited"}, 429, {"Retry-After": str(fault.retry_after)}
        )
    return Reply({"ok": False, "error": fault.error or "internal_error"}, fault.status)
