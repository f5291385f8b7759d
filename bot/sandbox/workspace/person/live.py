"""`/sandbox/stream`, `/sandbox/faults`, `/sandbox/log`: what the page hears as it happens, and the control panel's switches."""

import asyncio
import contextlib
import json
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from bot.sandbox.workspace.core import Core
from bot.sandbox.workspace.errors import Json, SlackError

#: Seconds between comment lines that keep proxies and browsers awake.
_KEEP_ALIVE = 15.0
_ANSWER = ("error", "status", "retry_after", "ms")


@dataclass(frozen=True, slots=True)
class Live:
    """The live part of the person API."""

    core: Core

    def routes(self) -> list[web.RouteDef]:
        """All routes."""
        return [
            web.get("/sandbox/stream", self.stream),
            web.get("/sandbox/log", self.log),
            web.get("/sandbox/faults", self.faults),
            web.post("/sandbox/faults", self.add_fault),
            web.delete("/sandbox/faults", self.clear_faults),
        ]

    async def stream(self, request: web.Request) -> web.StreamResponse:
        """Server-Sent Events for one person until the page goes or the workspace shuts."""
        try:
            me = self.core.state.person(request.query.get("as", ""))
        except SlackError as refusal:
            return web.json_response({"message": refusal.message, **refusal.body()})
        response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"}
        )
        await response.prepare(request)
        queue = self.core.streams.open(me.id)
        queue.put_nowait(("ready", {"now": self.core.mint.now()}))
        with contextlib.suppress(ConnectionResetError):
            number = 0
            while True:
                try:
                    async with asyncio.timeout(_KEEP_ALIVE):
                        item = await queue.get()
                except TimeoutError:
                    await response.write(b": still here\n\n")
                    continue
                if item is None:
                    break
                number += 1
                await response.write(
                    f"id: {number}\nevent: {item[0]}\ndata: {json.dumps(item[1])}\n\n".encode()
                )
        self.core.streams.close(queue)
        return response

    async def log(self, request: web.Request) -> web.Response:
        """Deliveries and calls."""
        since = request.query.get("since", "0")
        start = int(since) if since.isdigit() else 0
        return web.json_response({"ok": True, **self.core.record.as_json(start)})

    async def faults(self, _request: web.Request) -> web.Response:
        """The switches that are on."""
        return web.json_response({"ok": True, "faults": self.core.faults.on()})

    async def clear_faults(self, _request: web.Request) -> web.Response:
        """Everything off."""
        self.core.faults.clear()
        return web.json_response({"ok": True})

    async def add_fault(self, request: web.Request) -> web.Response:
        """One switch on, or one thing done to the sockets now."""
        try:
            return web.json_response({"ok": True, **await self._add(await request.json())})
        except (ValueError, TypeError):
            return web.json_response(
                {"ok": False, "error": "invalid_json", "message": "That is not a fault."}
            )
        except SlackError as refusal:
            return web.json_response({"message": refusal.message, **refusal.body()})

    async def _add(self, said: Any) -> Json:
        if not isinstance(said, dict):
            raise SlackError("invalid_json", "A fault is a JSON object.")
        sockets, app_id = self.core.courier.sockets, str(said.get("app_id") or "")
        if said.get("kind") == "disconnect":
            await sockets.disconnect(str(said.get("reason") or "refresh_requested"), app_id)
            return {}
        if said.get("kind") == "abort":
            sockets.abort(app_id)
            return {}
        fault = self.core.faults.add(
            str(said.get("kind")),
            int(said.get("times", 1)),
            method=str(said.get("method", "*")),
            answer={k: said[k] for k in _ANSWER if k in said},
            same_envelope=bool(said.get("same_envelope")),
        )
        return {"id": fault.id}
