"""Whatever the demo starts is ended again: on the way out, after a crash, and when it will not go."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.sandbox.demo.errors import AlreadyRunning, ProcessFailed
from bot.sandbox.demo.processes import Child, Command, Ending, Household
from bot.sandbox.demo.waiting import until

STUBBORN = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("up", flush=True)
time.sleep(60)
"""


def command(tmp_path: Path, code: str, **more: Ending) -> Command:
    return Command(argv=(sys.executable, "-c", code), env={}, cwd=tmp_path, **more)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
async def household(tmp_path: Path) -> AsyncIterator[Household]:
    found = Household(tmp_path)
    await found.open()
    yield found
    await found.close()


async def up(household: Household, child: Child) -> None:
    async def says_so() -> bool:
        return household.tail(child.name).startswith("up")

    await until("its first word", says_so, within_s=20)


async def test_a_process_is_ended_and_its_pid_file_goes_with_it(
    household: Household, tmp_path: Path
) -> None:
    child = await household.start("sleeper", command(tmp_path, "import time; time.sleep(60)"))
    await household.close()
    assert not is_alive(child.pid)
    assert not list((tmp_path / "run").iterdir())


async def test_one_that_ignores_the_request_is_killed(household: Household, tmp_path: Path) -> None:
    ending = Ending(grace_s=0.1)
    child = await household.start("stubborn", command(tmp_path, STUBBORN, ending=ending))
    await up(household, child)
    await household.close()
    assert child.process.returncode == -signal.SIGKILL


async def test_its_children_go_with_it(household: Household, tmp_path: Path) -> None:
    code = "import subprocess; p = subprocess.Popen(['sleep', '60']); print('up', p.pid, flush=True); p.wait()"
    child = await household.start("parent", command(tmp_path, code))
    await up(household, child)
    grandchild = int(household.tail("parent").split()[1])
    await household.close()

    async def gone() -> bool:
        return not is_alive(grandchild)

    await until("the end of the grandchild", gone, within_s=10)


async def test_one_that_ends_by_itself_is_told_with_the_end_of_its_log(
    household: Household, tmp_path: Path
) -> None:
    child = await household.start(
        "brief", command(tmp_path, "print('no disk'); raise SystemExit(3)")
    )
    await child.process.wait()
    with pytest.raises(ProcessFailed, match=r"brief ended with 3\.\nno disk"):
        household.check_all()


async def test_a_command_that_fails_is_told_with_the_end_of_its_log(
    household: Household, tmp_path: Path
) -> None:
    with pytest.raises(ProcessFailed, match="no disk"):
        await household.run("init", command(tmp_path, "raise SystemExit('no disk')"))


async def test_what_a_crashed_demo_left_is_ended_by_the_next(
    household: Household, tmp_path: Path
) -> None:
    child = await household.start("orphan", command(tmp_path, "import time; time.sleep(60)"))
    (tmp_path / "run" / "demo.pid").unlink()  # as after a crash, when that process is gone
    after = Household(tmp_path)
    await after.open()
    await asyncio.wait_for(child.process.wait(), 5)
    assert not (tmp_path / "run" / "orphan.pid").exists()
    await after.close()


async def test_a_pid_that_is_somebody_elses_by_now_is_left_alone(
    household: Household, tmp_path: Path
) -> None:
    child = await household.start("other", command(tmp_path, "import time; time.sleep(60)"))
    (tmp_path / "run" / "demo.pid").unlink()
    note = f'{{"pid": {child.pid}, "started": "Thu Jan  1 00:00:00 1970"}}'
    (tmp_path / "run" / "other.pid").write_text(note)
    await Household(tmp_path).open()
    assert is_alive(child.pid)


@pytest.mark.parametrize("text", ["", "{", '{"pid": 1}', '{"pid": "x", "started": "y"}'])
async def test_a_half_written_pid_file_is_only_removed(
    household: Household, tmp_path: Path, text: str
) -> None:
    (tmp_path / "run" / "demo.pid").unlink()
    (tmp_path / "run" / "half.pid").write_text(text)
    after = Household(tmp_path)
    await after.open()
    assert not (tmp_path / "run" / "half.pid").exists()


async def test_a_second_demo_in_the_same_folder_is_refused_and_harms_nothing(
    household: Household, tmp_path: Path
) -> None:
    child = await household.start("ours", command(tmp_path, "import time; time.sleep(60)"))
    second = Household(tmp_path)
    with pytest.raises(AlreadyRunning, match=f"as process {os.getpid()}"):
        await second.open()
    await second.close()
    assert is_alive(child.pid)
    assert (tmp_path / "run" / "demo.pid").exists()
