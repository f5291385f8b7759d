"""`python -m tests.bench`: every figure, one after the other, and the page."""

import argparse
import asyncio
import logging
import os
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import structlog

from bot.clock import SystemClock
from tests.bench import clicks, growing, looking, posting, starting, stopping, storm
from tests.bench.figures import Figure
from tests.bench.report import PAGE, report
from tests.postgres_server import Server, running, sql

Measure = Callable[[str], Awaitable[tuple[Figure, ...]]]
SQLITE, POSTGRES = 300, 500
_log = structlog.get_logger("bench")


class Places:
    """A fresh database for each measurement, of either kind."""

    def __init__(self, folder: Path, server: Server) -> None:
        self._folder, self._server, self._number = folder, server, 0

    def sqlite(self) -> str:
        """A file."""
        self._number += 1
        return f"sqlite+aiosqlite:///{self._folder / f'{self._number}.db'}"

    def postgres(self) -> str:
        """A database of the server."""
        self._number += 1
        name = f"bench{self._number}"
        sql(self._server, f"CREATE DATABASE {name}")
        return self._server.dsn(name).replace("postgresql://", "postgresql+asyncpg://")


async def every_figure(places: Places, folder: Path) -> AsyncIterator[Figure]:
    """As they are measured."""
    for url, database in ((places.sqlite, "SQLite"), (places.postgres, "PostgreSQL")):
        for figure in await clicks.measure(url(), database):
            yield figure
    yield await storm.measure(places.sqlite(), "SQLite", SQLITE)
    yield await storm.measure(places.postgres(), "PostgreSQL", POSTGRES)
    yield await growing.measure(places.sqlite(), "SQLite")
    yield await growing.measure(places.postgres(), "PostgreSQL")
    yield await posting.measure(places.sqlite(), "SQLite")
    yield await posting.measure(places.postgres(), "PostgreSQL")
    for figure in await starting.measure(folder):
        yield figure
    yield await stopping.measure(places.sqlite(), "SQLite")
    yield await stopping.measure(places.postgres(), "PostgreSQL")
    yield await stopping.measure(places.postgres(), "PostgreSQL", busy=True)
    for figure in await looking.measure():
        yield figure


@asynccontextmanager
async def places() -> AsyncIterator[tuple[Places, Path]]:
    """A folder and a PostgreSQL that syncs, as a real one does."""
    with tempfile.TemporaryDirectory(prefix="dw-bench-") as name, running() as server:
        sql(server, "ALTER SYSTEM SET fsync = on", "SELECT pg_reload_conf()")
        yield Places(Path(name), server), Path(name)


async def main(date: str) -> None:
    """Measure and write."""
    before, figures = os.getloadavg(), []
    async with places() as (databases, folder):
        async for figure in every_figure(databases, folder):
            figures.append(figure)
            _log.warning(figure.name, ours=round(figure.ours, 3), ratio=round(figure.ratio, 2))
    PAGE.write_text(report(figures, date=date, load=(before, os.getloadavg())), encoding="utf-8")


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    words = argparse.ArgumentParser(description="Measure and write docs/bench.md.")
    today = SystemClock().now().date().isoformat()
    words.add_argument("--date", default=today, help="the date on the page")
    asyncio.run(main(words.parse_args().date))
