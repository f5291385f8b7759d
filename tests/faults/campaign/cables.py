"""What lies between a process and the others: cables that can be cut, and a load balancer."""

import asyncio
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import aiohttp
from aiohttp import web

_SIZE = 65536
_PATIENCE = aiohttp.ClientTimeout(total=2.5)


@dataclass
class Cable:
    """Carries TCP from a port of its own to another one, until it is cut; mended, it carries again."""

    target: int
    port: int = 0
    whole: bool = True
    _ends: set[asyncio.StreamWriter] = field(default_factory=set)

    async def __aenter__(self) -> "Cable":
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self.cut()
        self._server.close()

    def cut(self) -> None:
        """Nothing passes any more, and whoever talks is cut off."""
        self.whole = False
        for end in self._ends:
            end.transport.abort()

    def mend(self) -> None:
        """It carries again."""
        self.whole = True

    async def _carry(self, here: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        if not self.whole:
            return back.transport.abort()
        try:
            there, forth = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            return back.transport.abort()
        ends = {back, forth}
        self._ends |= ends
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(_pump(here, forth))
                both.create_task(_pump(there, back))
        finally:
            self._ends -= ends
            for end in ends:
                end.close()
        return None


async def _pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    try:
        while data := await source.read(_SIZE):
            target.write(data)
            await target.drain()
    except OSError:
        pass  # the other way ends with it
    target.transport.abort()


@dataclass
class Balancer:
    """Hands Slack's requests to the next replica that answers, as a load balancer does."""

    ports: Sequence[int]
    url: str = ""

    async def __aenter__(self) -> "Balancer":
        self._turn = itertools.cycle(self.ports)
        self._session = aiohttp.ClientSession(timeout=_PATIENCE)
        app = web.Application(client_max_size=2**22)
        app.add_routes([web.post("/slack/events", self._pass_on)])
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/slack/events"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()
        await self._session.close()

    async def _pass_on(self, request: web.Request) -> web.Response:
        body = await request.read()
        for _ in self.ports:
            url = f"http://127.0.0.1:{next(self._turn)}/slack/events"
            try:
                async with self._session.post(url, data=body, headers=request.headers) as answer:
                    said = await answer.read()
                    kind = answer.headers.get("Content-Type", "text/plain")
                    told = {"Content-Type": kind}
                    return web.Response(status=answer.status, body=said, headers=told)
            except aiohttp.ClientConnectorError:
                continue
            except (aiohttp.ClientError, TimeoutError):
                break  # it may have arrived: Slack is told that nobody answered, and decides itself
        return web.Response(status=504)
