"""The whole night, as `make demo AUTO=1` plays it, and how it ends when it is interrupted."""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

import pytest

from bot.sandbox.demo.postgres import Pair, Ports
from bot.sandbox.demo.processes import Household
from bot.sandbox.demo.run import Options, run_demo
from bot.sandbox.demo.waiting import until
from tests.live.demo.places import DAGSTER, ROOT

pytestmark = [pytest.mark.live, pytest.mark.timeout(600)]

SMALLEST = (sys.executable, str(Path(__file__).parent / "smallest_bot.py"))
DEMO = """
import asyncio, sys
from pathlib import Path
from bot.sandbox.demo.run import Options, run_demo
options = Options(workdir=Path(sys.argv[1]), venv=Path(sys.argv[2]), port=None, auto=False, bot_argv=sys.argv[3:])
sys.exit(asyncio.run(run_demo(options, lambda text: print(text, flush=True))))
"""


def options(tmp_path: Path, *more: str) -> Options:
    return Options(workdir=tmp_path, venv=DAGSTER, auto=True, bot_argv=(*SMALLEST, *more))


async def test_the_night_is_played_to_its_receipt(tmp_path: Path) -> None:
    said: list[str] = []
    assert await run_demo(options(tmp_path), said.append) == 0, said
    assert any("23,100 rows" in line for line in said)
    assert any("*Receipt 1*" in line and "28,300 rows" in line for line in said)
    assert not list((tmp_path / "run").iterdir())


async def test_two_incidents_for_one_trouble_are_a_failure(tmp_path: Path) -> None:
    said: list[str] = []
    assert await run_demo(options(tmp_path, "--two-cards"), said.append) == 1, said
    assert any("made 2 incidents, not one" in line for line in said)


async def test_an_incident_that_goes_to_a_person_ends_the_night_with_the_reason(
    tmp_path: Path,
) -> None:
    said: list[str] = []
    assert await run_demo(options(tmp_path, "--gives-up"), said.append) == 1, said
    assert any("went to a person" in line and "could not be read" in line for line in said)


async def started(tmp_path: Path) -> tuple[asyncio.subprocess.Process, list[int]]:
    """A demo with people, as a process of its own, far enough for all its processes to be there."""
    argv = (sys.executable, "-c", DEMO, str(tmp_path), str(DAGSTER), *SMALLEST)
    env = {"PYTHONPATH": str(ROOT), "PATH": os.defpath}
    demo = await asyncio.create_subprocess_exec(*argv, env=env, stdout=asyncio.subprocess.DEVNULL)
    names = {"postgres-primary", "postgres-replica", "dagster-web", "dagster-daemon", "bot"}

    async def pids() -> list[int] | None:
        files = {file.stem: file for file in (tmp_path / "run").glob("*.pid")}
        notes = [file.read_text() for file in files.values()]
        whole = names <= set(files) and all(notes)
        return [json.loads(note)["pid"] for note in notes] if whole else None

    return demo, await until("the demo's processes", pids, within_s=200)


def alive(pids: list[int]) -> list[int]:
    return [pid for pid in pids if Path(f"/proc/{pid}").exists()]


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_everything_in_order(tmp_path: Path, sign: signal.Signals) -> None:
    demo, pids = await started(tmp_path)
    demo.send_signal(sign)
    assert await demo.wait() == 0
    assert alive(pids) == []


async def test_what_a_killed_demo_leaves_is_ended_by_the_next(tmp_path: Path) -> None:
    """And what it had put outside its folder is removed."""
    demo, pids = await started(tmp_path)
    demo.kill()
    await demo.wait()
    assert alive(pids)
    note = tmp_path / "postgres-is-elsewhere"
    elsewhere = Path(note.read_text()) if note.exists() else tmp_path / "nowhere"
    household = Household(tmp_path)
    await household.open()
    await household.close()
    Pair(tmp_path / "postgres", household, Ports(primary=1, replica=2)).remove()
    assert not elsewhere.exists()

    async def gone() -> bool:
        return alive([pid for pid in pids if pid != demo.pid]) == []

    await until("the end of the orphans", gone, within_s=20)
