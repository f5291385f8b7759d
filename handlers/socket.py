"""Two sockets to Slack on one app, so that one listens while the other is renewed; both watched.

The client of the SDK can go deaf for good: after one failed handshake it tries the same dead address
for ever. The watchdog takes that address away, so it asks Slack for a new one.
"""

import asyncio
from dataclasses import dataclass
from typing import Any

import structlog
from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Rhythm:
    """Seconds: how long deafness is borne, how often it is looked for, how often Slack is pinged."""

    patience: float = 3.0
    every: float = 0.5
    ping: float = 5.0


class Ear(AsyncSocketModeHandler):
    """One socket that knows how many envelopes are in hand, and can refuse new ones."""

    def __init__(self, app: AsyncApp, app_token: str, *, loopback: bool, ping: float) -> None:
        super().__init__(app, app_token, ping_interval=ping)
        self.client.proxy = None if loopback else self.client.proxy
        self.client.message_listeners.append(self._heard)
        self.in_hand = 0
        self.idle = asyncio.Event()
        self.idle.set()
        self.leaving = False
        self.deaf_since: float | None = None
        self.others = 0

    async def handle(  # type: ignore[override] # the base class is looser
        self, client: SocketModeClient, req: SocketModeRequest
    ) -> None:
        """Run the listeners and answer; what comes while leaving is left to another socket."""
        if self.leaving:
            return
        self.in_hand += 1
        self.idle.clear()
        try:
            await super().handle(client, req)
        finally:
            self.in_hand -= 1
            if not self.in_hand:
                self.idle.set()

    async def listen(self) -> None:
        """Connect; tries again by itself until it is hung up."""
        await self.client.connect()  # type: ignore[no-untyped-call] # the SDK's own gap

    async def hang_up(self) -> None:
        """Close the socket and all that the client started."""
        await self.client.close()  # type: ignore[no-untyped-call] # the SDK's own gap

    async def watch(self, now: float, patience: float) -> None:
        """Once per round: after `patience` seconds of deafness, make it ask for a new address."""
        if await self.client.is_connected():
            self.deaf_since = None
            return
        self.deaf_since = self.deaf_since if self.deaf_since is not None else now
        if now - self.deaf_since >= patience:
            _log.warning("socket deaf, asking Slack for a new address")
            self.client.wss_uri = None
            self.deaf_since = now

    async def _heard(self, _client: Any, message: dict[str, Any], _raw: str | None) -> None:
        if message.get("type") == "hello":
            self.others = int(message.get("num_connections") or 0)
        if message.get("type") == "disconnect" and message.get("reason") == "link_disabled":
            _log.error(
                "Socket Mode is switched off in the app's settings: nothing arrives any more"
            )


class Sockets:
    """The connections of this process. `run` until cancelled; it drains before it closes."""

    def __init__(
        self,
        app: AsyncApp,
        app_token: str,
        *,
        count: int = 2,
        loopback: bool = False,
        alone: bool = True,
        rhythm: Rhythm | None = None,
    ) -> None:
        self._rhythm, self._alone = rhythm or Rhythm(), alone
        self._ears = [
            Ear(app, app_token, loopback=loopback, ping=self._rhythm.ping) for _ in range(count)
        ]
        self._connected = 0

    @property
    def connected(self) -> bool:
        """True while at least one socket hears Slack."""
        return self._connected > 0

    @property
    def listening(self) -> int:
        """How many sockets hear Slack."""
        return self._connected

    @property
    def strangers(self) -> int:
        """Connections of this app that are not ours: another process takes part of the events."""
        return max(max(ear.others for ear in self._ears) - len(self._ears), 0)

    async def run(self) -> None:
        """Connect, watch, and close when cancelled."""
        try:
            async with asyncio.TaskGroup() as group:
                for ear in self._ears:
                    group.create_task(ear.listen())
                group.create_task(self._watch())
        finally:
            await self.close()

    async def close(self, patience: float = 10.0) -> None:
        """Take nothing new, let what is in hand end (for `patience` seconds), then hang up."""
        for ear in self._ears:
            ear.leaving = True
        try:
            async with asyncio.timeout(patience):
                for ear in self._ears:
                    await ear.idle.wait()
        except TimeoutError:
            _log.error("closed with envelopes in hand; Slack sends their events again")
        for ear in self._ears:
            await ear.hang_up()
        self._connected = 0

    def _warn(self) -> None:
        """Another process over the same database is a replica; over a file nobody can share it is a mistake."""
        if self._alone:
            _log.error("another process uses this app's token and takes some of its events")
        else:
            _log.info("other replicas listen too", connections=self.strangers)

    async def _watch(self) -> None:
        warned = False
        while True:
            for ear in self._ears:
                await ear.watch(asyncio.get_running_loop().time(), self._rhythm.patience)
            self._connected = sum([await ear.client.is_connected() for ear in self._ears])
            if self.strangers and not warned:
                self._warn()
                warned = True
            await asyncio.sleep(self._rhythm.every)
