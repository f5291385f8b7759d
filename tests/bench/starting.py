"""Start → connected, and memory: `dw run` in a process of its own beside the smallest Bolt app there is."""

import asyncio
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.sandbox.demo import seed
from bot.sandbox.demo.config import Places, environment, write_rules
from bot.sandbox.workspace import Workspace, until
from tests.bench.figures import Figure, p50
from tests.bench.stage import BARE, a_workspace

ROUNDS, SETTLED = 5, 2.0
_ROOT = Path(__file__).parents[2]
_SECONDS, _MEGABYTES = 2.0, 150
_BARE = """
import asyncio, sys
from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

async def main():
    client = AsyncWebClient(token="xoxb-bare", base_url=sys.argv[1])
    await AsyncSocketModeHandler(AsyncApp(client=client), "xapp-bare").start_async()

asyncio.run(main())
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Start:
    """Seconds until the workspace saw its socket, and its memory in MB a little later."""

    seconds: float
    megabytes: float


async def measure(folder: Path) -> tuple[Figure, Figure]:
    """The middle of a few starts, in turn; the database is there already, as after any restart."""
    ours, theirs = [], []
    async with a_workspace() as workspace:
        env = _house(folder, workspace)
        for number in range(ROUNDS + 1):
            bare = (sys.executable, "-c", _BARE, workspace.api_url)
            one = await start(workspace, BARE.app_id, bare, {})
            other = await start(workspace, seed.BOT_APP, (sys.executable, "-m", "bot", "run"), env)
            if number:  # the first round makes the database and compiles
                theirs.append(one)
                ours.append(other)
    return _figures(ours, theirs)


async def start(
    workspace: Workspace, app_id: str, argv: Sequence[str], env: Mapping[str, str]
) -> Start:
    """Start it, wait for its socket, look at its memory, and end it."""
    whole = {"PATH": os.defpath, "PYTHONPATH": str(_ROOT), **env}
    began = time.perf_counter()
    quiet = asyncio.subprocess.DEVNULL
    child = await asyncio.create_subprocess_exec(*argv, env=whole, stdout=quiet, stderr=quiet)
    try:
        await until(lambda: workspace.connections(app_id), 60, f"A socket of {argv}")
        seconds = time.perf_counter() - began
        await asyncio.sleep(SETTLED)
        megabytes = await asyncio.to_thread(_resident, child.pid)
    finally:
        child.terminate()
        await child.wait()
    await until(lambda: not workspace.connections(app_id), 10, "Silence")
    return Start(seconds=seconds, megabytes=megabytes)


def _house(folder: Path, workspace: Workspace) -> Mapping[str, str]:
    nowhere = "postgresql://reader@127.0.0.1:9/shop"
    places = Places(
        dagster="http://127.0.0.1:9",
        primary=nowhere,
        replica=nowhere,
        warehouse=folder / "warehouse.duckdb",
    )
    write_rules(folder / "dw.yml", places)
    return {"HOME": str(folder), **environment(folder, slack=workspace.api_url)}


def _resident(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    kilobytes = next(line.split()[1] for line in lines if line.startswith("VmRSS:"))
    return int(kilobytes) / 1024


def _figures(ours: list[Start], theirs: list[Start]) -> tuple[Figure, Figure]:
    seconds, memory = p50([s.seconds for s in ours]), p50([s.megabytes for s in ours])
    beside = "the smallest Bolt app on a socket"
    return (
        Figure(
            name=f"start → connected, p50 of {ROUNDS}, SQLite",
            unit="s",
            ours=seconds,
            baseline=p50([s.seconds for s in theirs]),
            beside=beside,
            goal=f"< {_SECONDS:g} s",
            met=seconds < _SECONDS,
        ),
        Figure(
            name="memory when settled (RSS)",
            unit="MB",
            ours=memory,
            baseline=p50([s.megabytes for s in theirs]),
            beside=beside,
            goal=f"< {_MEGABYTES} MB",
            met=memory < _MEGABYTES,
        ),
    )
