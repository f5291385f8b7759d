"""The doctor at the database: is it there, is it ours, and is the work in it being done."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from bot.anchor import read
from bot.cli.house import Database, House
from bot.health import Finding, Producer
from bot.ports import Stop
from bot.settings import Settings

LATE, STUCK = 60.0, 600.0
"""Seconds by which the oldest due row may be late before it wants a look, and before it is broken."""
SHOWN = 5
_FILE = "sqlite+aiosqlite:///"


def producers(house: House, settings: Settings) -> Mapping[str, Producer]:
    """One that looks at the schema and at the work, one that reads the whole record."""
    url = settings.database_url.get_secret_value()
    return {
        "database": partial(_database, house, url),
        "record": partial(_record, house, url, settings.anchor),
    }


async def _database(house: House, url: str) -> Sequence[Finding]:
    if absent(url):
        says = "there is none yet; `dw run` or `dw migrate` makes it"
        return [Finding(name="database", ok=None, says=says)]
    have, want = await house.schema(url)
    if have is None:
        return [
            Finding(name="database", ok=None, says="is empty; `dw run` or `dw migrate` fills it")
        ]
    if have != want:
        says = f"has schema {have}, this version works with {want} → `dw migrate`, after a backup"
        return [Finding(name="database", ok=None, says=says)]
    answers = Finding(name="database", ok=True, says=f"answers; schema {have}")
    database = house.open(url)
    try:
        return [answers, *await _work(house, database)]
    finally:
        await database.close()


async def _record(house: House, url: str, anchor: Path | None) -> Sequence[Finding]:
    if absent(url) or (await house.schema(url))[0] is None:
        return []
    heads = await asyncio.to_thread(read, anchor) if anchor and _exists(anchor) else ()
    last = (heads[-1].number, heads[-1].hash) if heads else None
    problems = await house.record(url, last)
    if problems:
        return [Finding(name="record", ok=False, says=says) for says in problems]
    if anchor is None:
        says = (
            "journals and receipts hold, but no anchor (DW_ANCHOR) would tell if some were cut off"
        )
        return [Finding(name="record", ok=None, says=says)]
    return [Finding(name="record", ok=True, says=f"journals and receipts hold; anchor {anchor}")]


def _exists(path: Path) -> bool:
    return path.exists()


def absent(url: str) -> bool:
    """Only looking at an SQLite file that is not there would make one."""
    return url.startswith(_FILE) and not Path(url.removeprefix(_FILE)).exists()


async def _work(house: House, database: Database) -> Sequence[Finding]:
    stats = await database.stats(house.clock.now())
    return [
        _backlog(stats.waiting, stats.oldest_seconds),
        _poisoned(stats.poisoned),
        _kept(await database.kept()),
        *_stops(await database.stops()),
    ]


def _backlog(waiting: int, oldest: float) -> Finding:
    if oldest <= LATE:
        return Finding(
            name="work", ok=True, says=f"{waiting} rows due, the oldest {oldest:.0f} s late"
        )
    ok = None if oldest <= STUCK else False
    says = f"{waiting} rows due, the oldest {oldest:.0f} s late → is `dw run` running?"
    return Finding(name="work", ok=ok, says=says)


def _poisoned(keys: Sequence[str]) -> Finding:
    if not keys:
        return Finding(name="given up", ok=True, says="nothing")
    listed = ", ".join(keys[:SHOWN]) + (" …" if len(keys) > SHOWN else "")
    says = f"{len(keys)} rows after too many tries: {listed} → their incidents say why"
    return Finding(name="given up", ok=False, says=says)


def _kept(count: int) -> Finding:
    if not count:
        return Finding(name="unread", ok=True, says="everything that arrived was understood")
    says = f"{count} messages arrived that could not be read; they are kept as they came"
    return Finding(name="unread", ok=None, says=says)


def _stops(stops: Sequence[Stop]) -> Sequence[Finding]:
    if not stops:
        return [Finding(name="stop", ok=True, says="not stopped")]
    return [Finding(name="stop", ok=None, says=_halted(stop)) for stop in stops]


def _halted(stop: Stop) -> str:
    name = stop.scope.partition(":")[2]
    what = f" {name}" if name else ""
    why = f" ({stop.reason})" if stop.reason else ""
    when = f"{stop.at:%Y-%m-%d %H:%M} UTC"
    return f"stopped{what} by {stop.by} at {when}{why} → an admin lifts it: /dw resume{what}"
