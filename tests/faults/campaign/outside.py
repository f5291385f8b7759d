"""The system that runs things, outside of every process that may be killed: it remembers each start.

The server lives with the campaign; a house reaches it over HTTP. `on` is told of each request before it is
answered, and may kill or pause whoever asked.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar

import aiohttp
from aiohttp import web
from pydantic import BaseModel

from connectors.errors import TooSlow, Unreachable
from policies.evidence import Evidence, Probe
from policies.lineage import Lineage
from policies.plan import Step
from policies.run import Run, RunState
from tests.bot.fakes import AnyParams, FakeActuator, FakeOrchestrator, Runs

On = Callable[[str, int], Awaitable[None]]


async def nothing(_what: str, _who: int) -> None:
    """Nothing goes wrong."""


@dataclass
class Outside:
    """Every run that was ever started, by key. `on(what, who)`: what is `find`, `found`, `start`, `started`."""

    on: On = nothing
    keys: list[str] = field(default_factory=list)
    jobs: list[str] = field(default_factory=list)
    url: str = ""

    async def __aenter__(self) -> "Outside":
        app = web.Application()
        app.add_routes([web.get("/find", self._find), web.post("/start", self._start)])
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    def doubled(self) -> list[str]:
        """Keys that were started more than once."""
        return [key for key, times in Counter(self.keys).items() if times > 1]

    async def _find(self, request: web.Request) -> web.Response:
        key, who = request.query["key"], int(request.query["who"])
        await self.on("find", who)
        found = self.keys.index(key) if key in self.keys else None
        response = web.json_response({"run": found})
        await response.prepare(request)
        await response.write_eof()
        await self.on("found", who)
        return response

    async def _start(self, request: web.Request) -> web.Response:
        told = await request.json()
        await self.on("start", told["who"])
        self.keys.append(told["key"])
        self.jobs.append(told["job"])
        await self.on("started", told["who"])
        return web.json_response({"run": len(self.keys) - 1})


class Far:
    """The way to it from a house: one session, short time-outs."""

    def __init__(self, url: str, who: int) -> None:
        self._url, self.who = url, who
        self._session: aiohttp.ClientSession | None = None

    async def ask(self, method: str, path: str, **words: Any) -> Any:
        """The answer; `Unreachable` when nothing was sent, `TooSlow` when nobody knows."""
        if self._session is None:
            self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=8))
        try:
            async with self._session.request(method, self._url + path, **words) as answer:
                return await answer.json()
        except aiohttp.ClientConnectorError as error:
            raise Unreachable(connection="dagster") from error
        except (aiohttp.ClientError, TimeoutError) as error:
            raise TooSlow(connection="dagster") from error

    async def close(self) -> None:
        """Let go of the session."""
        if self._session is not None:
            await self._session.close()


class FarActuator(FakeActuator):
    """Starts runs out there."""

    actions: ClassVar = {"run_job": AnyParams}

    def __init__(self, connection: str, runs: Runs, now: datetime, far: Far) -> None:
        super().__init__(connection, runs, now)
        self._far = far

    async def _act(self, step: Step, params: BaseModel, *, key: str) -> Run:
        job = str(step.params["job"])
        told = {"key": key, "job": job, "who": self._far.who}
        return _run(await self._far.ask("POST", "/start", json=told), job, key)

    async def find(self, key: str, step: Step) -> Run | None:
        asked = {"key": key, "who": str(self._far.who)}
        told = await self._far.ask("GET", "/find", params=asked)
        return None if told["run"] is None else _run(told, str(step.params["job"]), key)

    async def close(self) -> None:
        await self._far.close()


class FarOrchestrator(FakeOrchestrator):
    """Every run is over as soon as it was started; every failed run raised the same."""

    def __init__(self, connection: str) -> None:
        super().__init__(connection, Runs(), {})
        self.graph = Lineage()

    async def run(self, run_id: str) -> Run:
        return Run(connection=self.connection, id=run_id, job="", state=RunState.SUCCEEDED)

    async def runs_since(self, since: datetime, **_: object) -> Sequence[Run]:  # type: ignore[override]
        return []

    async def _read(
        self, probe: Probe, params: BaseModel, *, evidence_id: str, now: datetime
    ) -> Evidence:
        value = _failed(str(probe.params.get("run_id"))) if probe.name == "run_failure" else {}
        return Evidence(id=evidence_id, probe=probe, at=now, value=value)


def _run(told: dict[str, Any], job: str, key: str) -> Run:
    state, tags = RunState.QUEUED, {"dw/step": key}
    return Run(connection="dagster", id=f"run-{told['run']}", job=job, state=state, tags=tags)


def _failed(run_id: str) -> dict[str, Any]:
    error = "ConnectionResetError: the warehouse closed the connection"
    return {
        "run_id": run_id,
        "job": f"job_{int(run_id[:8], 16)}",
        "status": "FAILURE",
        "steps_failed": [{"step": "load", "error": error}],
    }


async def settled(check: Callable[[], Awaitable[bool]], within: float, what: str) -> None:
    """Wait until it is so; `AssertionError` with `what` when it never is."""
    try:
        async with asyncio.timeout(within):
            while not await check():  # noqa: ASYNC110 - a database wakes nobody
                await asyncio.sleep(0.1)
    except TimeoutError:
        raise AssertionError(f"{what} within {within} s") from None
