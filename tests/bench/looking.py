"""One look at 1,200 DAGs on two estates, against one request for each DAG; over real sockets, on one machine.

The servers are stand-ins that answer like Airflow 2 and 3, so what is measured is the asking, not Airflow.
"""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta

from aiohttp import web

from connectors.airflow import AirflowReader
from tests.bench.figures import Figure, milliseconds, p50
from tests.connectors.airflow.estate import NOW, Estate

DAGS, FAILED, LOOKS = 600, 20, 5
_SINCE = NOW - timedelta(hours=2)


async def measure() -> tuple[Figure, ...]:
    """Requests, and how long they take."""
    async with AsyncExitStack() as opened:
        estates = [Estate(2, dags=DAGS, failed=FAILED), Estate(3, dags=DAGS, failed=FAILED)]
        readers = [await opened.enter_async_context(_behind_a_socket(one)) for one in estates]
        for reader in readers:
            await reader.runs_since(_SINCE, failed_only=True)  # finds out which version it is
        ours = [await _cost(estates, lambda: _look(readers)) for _ in range(LOOKS)]
        theirs = await _cost(estates, lambda: _dag_by_dag(estates, readers))
    what = f"one look at {2 * DAGS:,} DAGs on two estates"
    beside = "a request for each DAG"
    asked = Figure(
        name=f"{what}, requests",
        unit="requests",
        ours=max(count for count, _ in ours),
        baseline=theirs[0],
        beside=beside,
        goal="≤ 2 while fewer than 100 runs failed on each",
        met=all(count <= 2 for count, _ in ours),
    )
    took = Figure(
        name=f"{what}, p50 of {LOOKS}",
        unit="ms",
        ours=milliseconds(p50([seconds for _, seconds in ours])),
        baseline=milliseconds(theirs[1]),
        beside=beside,
        goal="–",
        met=True,
    )
    return asked, took


async def _cost(estates: list[Estate], work: Callable[[], Awaitable[None]]) -> tuple[int, float]:
    before, began = sum(one.asked for one in estates), time.perf_counter()
    await work()
    return sum(one.asked for one in estates) - before, time.perf_counter() - began


async def _look(readers: list[AirflowReader]) -> None:
    for reader in readers:
        await reader.runs_since(_SINCE, failed_only=True)


async def _dag_by_dag(estates: list[Estate], readers: list[AirflowReader]) -> None:
    for estate, reader in zip(estates, readers, strict=True):
        for dag in estate.dags:
            await reader.runs_since(_SINCE, job=dag, failed_only=True)


@asynccontextmanager
async def _behind_a_socket(estate: Estate) -> AsyncIterator[AirflowReader]:
    async def answer(request: web.Request) -> web.Response:
        status, body = estate.answer(str(request.url))
        return web.json_response(body, status=status)

    app = web.Application()
    app.router.add_get("/{tail:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    reader = estate.reader(f"http://127.0.0.1:{port}")
    try:
        yield reader
    finally:
        await reader.close()
        await runner.cleanup()
