"""`make faults CLICKS=10000`: the campaign over both databases, its table, and docs/faults.md."""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tests.faults.campaign.field import TAPS
from tests.faults.campaign.playing import PEOPLE, Outcome, Plan, play
from tests.faults.campaign.report import PAGE, report, table
from tests.postgres_server import running, sql


async def main(clicks: int, pause: float, *, write: bool) -> int:
    """Play both; 1 when anything was lost, doubled or decided by somebody who may not."""
    requests = max(clicks // (2 * PEOPLE * TAPS), 1)
    with tempfile.TemporaryDirectory(prefix="dw-faults-") as name:
        folder = Path(name)
        outcomes = [await play_it(folder, requests, pause) for play_it in (_sqlite, _postgres)]
    sys.stdout.write(table(outcomes) + "\n")
    wrong = [line for outcome in outcomes for line in outcome.count.wrong]
    sys.stdout.writelines(f"WRONG: {line}\n" for line in wrong)
    if write:
        PAGE.write_text(report(outcomes, f"make faults CLICKS={clicks}"), encoding="utf-8")
    return 1 if wrong else 0


async def _sqlite(folder: Path, requests: int, pause: float) -> Outcome:
    url = f"sqlite+aiosqlite:///{folder / 'dw.db'}"
    return await play(url, folder, Plan(database="SQLite", requests=requests, pause=pause))


async def _postgres(folder: Path, requests: int, pause: float) -> Outcome:
    with running() as server:
        sql(server, "CREATE DATABASE dw")
        url = server.dsn("dw").replace("postgresql://", "postgresql+asyncpg://")
        plan = Plan(database="PostgreSQL", requests=requests, pause=pause, server=server)
        return await play(url, folder, plan)


if __name__ == "__main__":
    words = argparse.ArgumentParser(description="Play the fault campaign and write docs/faults.md.")
    words.add_argument("--clicks", type=int, default=10_000)
    words.add_argument("--pause", type=float, default=4.0, help="seconds between two blows")
    words.add_argument("--dry", action="store_true", help="leave docs/faults.md as it is")
    given = words.parse_args()
    sys.exit(asyncio.run(main(given.clicks, given.pause, write=not given.dry)))
