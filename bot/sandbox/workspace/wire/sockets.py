"""Socket Mode: one-time tickets, the WebSocket itself, envelopes out and acks in."""

import asyncio
import contextlib
import json
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field

from aiohttp import WSMsgType, web

from bot.sandbox.workspace.errors import Json
from bot.sandbox.workspace.ids import Mint
from bot.sandbox.workspace.seed import App
from bot.sandbox.workspace.timing import Timing
from bot.sandbox.workspace.wire.faults import Faults
from bot.sandbox.workspace.wire.record import Attempt, Delivery, Record

#: Seconds a socket gets to say goodbye.
_CLOSING = 1.0
#: Interactions whose ack may carry an answer.
_ANSWERABLE = {"view_submission", "block_suggestion"}

Spawn = Callable[[Coroutine[None, None, None]], None]


@dataclass(frozen=True, slots=True)
class Answer:
    """How one try ended. `final` means trying again is pointless; `reason` is Slack's word for what went wrong."""

    acked: bool
    reason: str = ""
    final: bool = False


@dataclass(eq=False, slots=True)
class Connection:
    """One open socket of an app."""

    id: str
    app_id: str
    ws: web.WebSocketResponse
    transport: asyncio.BaseTransport | None
    draining: bool = False


@dataclass(eq=False, slots=True)
class _Waiting:
    attempt: Attempt
    acked: asyncio.Event = field(default_factory=asyncio.Event)
    sent_on: set[str] = field(default_factory=set)
    over: bool = False


class Sockets:
    """All sockets of all apps."""

    def __init__(
        self, timing: Timing, mint: Mint, faults: Faults, record: Record, spawn: Spawn
    ) -> None:
        """Start without any."""
        self._spawn = spawn
        self._timing = timing
        self._mint = mint
        self._faults = faults
        self._record = record
        self._tickets: dict[str, tuple[str, float]] = {}
        self._connections: list[Connection] = []
        self._waiting: dict[str, _Waiting] = {}
        self._turn = 0
        self.on_change: Callable[[str], None] = lambda _app_id: None

    def of(self, app_id: str) -> list[Connection]:
        """The sockets that may be used for this app."""
        return [
            c
            for c in self._connections
            if c.app_id == app_id and not c.draining and not c.ws.closed
        ]

    def ticket(self, app: App) -> str:
        """A ticket for one socket, used up by the first handshake and worthless after its time."""
        ticket = self._mint.envelope()
        self._tickets[ticket] = (app.app_id, self._mint.now() + self._timing.ticket_life)
        return ticket

    async def link(self, request: web.Request) -> web.StreamResponse:
        """`GET /link/?ticket=…`: the handshake, then the socket until either side ends it."""
        app_id, until = self._tickets.pop(request.query.get("ticket", ""), ("", 0.0))
        if self._faults.take("dead_handshake"):
            return web.Response(status=503, text="applink is unavailable")
        if not app_id or until < self._mint.now():
            return web.Response(status=403, text="this ticket is used up, expired or unknown")
        ws = web.WebSocketResponse(timeout=_CLOSING)
        await ws.prepare(request)
        connection = Connection(self._mint.next("conn"), app_id, ws, request.transport)
        if len(self.of(app_id)) >= self._timing.max_connections:
            await ws.send_json({"type": "disconnect", "reason": "too_many_websockets"})
            await ws.close()
            return ws
        self._connections.append(connection)
        self.on_change(app_id)
        try:
            await self._serve(connection)
        finally:
            self._connections.remove(connection)
            self.on_change(app_id)
        return ws

    async def _serve(self, connection: Connection) -> None:
        hello = {
            "type": "hello",
            "num_connections": len(self.of(connection.app_id)),
            "debug_info": {
                "host": "applink-local",
                "build_number": 1,
                "approximate_connection_time": 18060,
            },
            "connection_info": {"app_id": connection.app_id},
        }
        with contextlib.suppress(ConnectionResetError):
            await connection.ws.send_json(hello)
        async for frame in connection.ws:
            if frame.type is WSMsgType.TEXT:
                self._acked(connection, json.loads(frame.data))

    def _acked(self, connection: Connection, frame: Json) -> None:
        waiting = self._waiting.get(str(frame.get("envelope_id")))
        if waiting is None or connection.id not in waiting.sent_on:
            self._record.strays.append(frame)
            return
        attempt = waiting.attempt
        if attempt.acked_at is not None:
            return
        attempt.acked_at, attempt.late, attempt.payload = (
            self._mint.now(),
            waiting.over,
            frame.get("payload"),
        )
        if self._faults.take("drop_ack"):
            attempt.dropped = True
        else:
            waiting.acked.set()

    async def send(self, app: App, delivery: Delivery, attempt: Attempt) -> Answer:
        """Put the attempt's envelopes on sockets in turn, and wait for the first ack until the deadline."""
        waiting = _Waiting(attempt)
        for envelope_id in attempt.envelope_ids:
            self._waiting[envelope_id] = waiting
            await self._push(app, _envelope(delivery, attempt, envelope_id), waiting)
        if not waiting.sent_on:
            return Answer(acked=False, reason="timeout")
        try:
            async with asyncio.timeout(self._timing.ack_deadline):
                await waiting.acked.wait()
        except TimeoutError:
            return Answer(acked=False, reason="timeout")
        finally:
            waiting.over = True
        return Answer(acked=True)

    async def _push(self, app: App, envelope: Json, waiting: _Waiting) -> None:
        for _ in range(len(self.of(app.app_id))):
            usable = self.of(app.app_id)
            if not usable:
                return
            self._turn += 1
            connection = usable[self._turn % len(usable)]
            waiting.sent_on.add(connection.id)
            waiting.attempt.via.append(connection.id)
            try:
                await connection.ws.send_json(envelope)
            except ConnectionResetError:
                connection.draining = True
                continue
            return

    async def disconnect(self, reason: str = "refresh_requested", app_id: str = "") -> None:
        """Tell the app to come back on a new socket; the old one gets nothing more and is closed a little later.

        After a `warning` the socket stays as it is.
        """
        for connection in [c for c in self._connections if app_id in {"", c.app_id}]:
            frame = {
                "type": "disconnect",
                "reason": reason,
                "debug_info": {"host": "applink-local"},
            }
            with contextlib.suppress(ConnectionResetError):
                await connection.ws.send_json(frame)
            if reason != "warning":
                connection.draining = True
                self._spawn(self._close_later(connection))

    async def _close_later(self, connection: Connection) -> None:
        await asyncio.sleep(self._timing.refresh_grace)
        await connection.ws.close(code=1000)

    def abort(self, app_id: str = "") -> None:
        """Cut the line without a word."""
        for connection in [c for c in self._connections if app_id in {"", c.app_id}]:
            connection.draining = True
            if isinstance(connection.transport, asyncio.WriteTransport):
                connection.transport.abort()

    async def close(self) -> None:
        """Close every socket: the workspace shuts."""
        for connection in list(self._connections):
            connection.draining = True
            await connection.ws.close(code=1001)


def _envelope(delivery: Delivery, attempt: Attempt, envelope_id: str) -> Json:
    envelope: Json = {
        "envelope_id": envelope_id,
        "type": delivery.kind,
        "payload": delivery.payload,
        "accepts_response_payload": delivery.payload.get("type") in _ANSWERABLE
        or delivery.kind == "slash_commands",
    }
    if delivery.kind == "events_api":
        envelope |= {"retry_attempt": attempt.number, "retry_reason": attempt.reason}
    return envelope
