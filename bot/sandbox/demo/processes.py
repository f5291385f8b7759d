"""Every process the demo starts, each in a group of its own, each ended by its own pid.

A pid file per process outlives a crash of the demo; the next start reads them and ends what is left.
A pid alone may have been given to somebody else since, so the start time is kept beside it.
"""

import asyncio
import json
import os
import pwd
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.sandbox.demo.errors import AlreadyRunning, ProcessFailed

#: The children get what they need and nothing from the person's own environment.
BARE_ENV = {"PATH": os.defpath, "LANG": "C.UTF-8", "PYTHONUNBUFFERED": "1"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Ending:
    """How a process is asked to end, and how many seconds it gets before it is killed.

    `last`: only when the others have ended, because they still need it.
    """

    ask: signal.Signals = signal.SIGTERM
    grace_s: float = 8
    last: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Command:
    """What to start. `user` is a system user to become, which only root can."""

    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: Path
    user: str | None = None
    ending: Ending = Ending()


@dataclass(frozen=True, kw_only=True, slots=True)
class Child:
    """A process that was started. Its pid is its group's id too."""

    name: str
    process: asyncio.subprocess.Process
    ending: Ending
    pid_file: Path

    @property
    def pid(self) -> int:
        """Process id and group id."""
        return self.process.pid

    @property
    def alive(self) -> bool:
        """False when it has ended."""
        return self.process.returncode is None


async def start_time(pid: int) -> str:
    """When this process started, as `ps` says it; empty when there is none."""
    ps = await asyncio.create_subprocess_exec(
        "ps", "-o", "lstart=", "-p", str(pid), stdout=asyncio.subprocess.PIPE
    )
    out, _ = await ps.communicate()
    return out.decode().strip()


def signal_group(pid: int, what: signal.Signals) -> bool:
    """Signal a whole group; False when nobody is left in it."""
    try:
        os.killpg(pid, what)
    except ProcessLookupError:
        return False
    return True


class Household:
    """The processes of one demo. Logs go to `workdir/logs`, pid files to `workdir/run`."""

    def __init__(self, workdir: Path) -> None:
        self._logs = workdir / "logs"
        self._run = workdir / "run"
        self._own = self._run / "demo.pid"
        self._opened = False
        self._children: list[Child] = []
        self._stopping: set[str] = set()

    async def open(self) -> None:
        """Make the folders and end what a crashed demo left behind. Raises `AlreadyRunning`."""
        for folder in (self._logs, self._run):
            folder.mkdir(parents=True, exist_ok=True)
        pid, started = _noted(self._own)
        if started and await start_time(pid) == started:
            raise AlreadyRunning(f"a demo runs in {self._run.parent} already, as process {pid}")
        self._own.unlink(missing_ok=True)
        for file in tuple(self._run.glob("*.pid")):
            await _end_leftover(*_noted(file))
            file.unlink(missing_ok=True)
        for log in self._logs.glob("*.log"):
            log.unlink()
        await _note(self._own, os.getpid())
        self._opened = True

    async def start(self, name: str, command: Command) -> Child:
        """Start a process that stays."""
        process = await self._spawn(name, command)
        pid_file = self._run / f"{name}.pid"
        child = Child(name=name, process=process, ending=command.ending, pid_file=pid_file)
        self._children.append(child)
        await _note(pid_file, child.pid)
        return child

    async def run(self, name: str, command: Command) -> None:
        """Run a process to its end. Raises `ProcessFailed` when it ends badly."""
        process = await self._spawn(name, command)
        try:
            code = await process.wait()
        except asyncio.CancelledError:
            signal_group(process.pid, signal.SIGKILL)
            raise
        if code != 0:
            raise ProcessFailed(f"{name} ended with {code}.\n{self.tail(name)}")

    async def stop(self, child: Child, *, ending: Ending | None = None) -> None:
        """Ask it to end, wait, then kill what is left of its group."""
        how = ending or child.ending
        self._stopping.add(child.name)
        if child.alive:
            signal_group(child.pid, how.ask)
            try:
                await asyncio.wait_for(child.process.wait(), how.grace_s)
            except TimeoutError:
                signal_group(child.pid, signal.SIGKILL)
                await child.process.wait()
        signal_group(child.pid, signal.SIGKILL)
        child.pid_file.unlink(missing_ok=True)
        self._children.remove(child)
        self._stopping.discard(child.name)

    async def close(self) -> None:
        """End all. Whoever interrupts this gets them killed at once, but never left running."""
        try:
            for last in (False, True):
                async with asyncio.TaskGroup() as stopping:
                    for child in [c for c in self._children if c.ending.last is last]:
                        stopping.create_task(self.stop(child))
        finally:
            for child in self._children:
                signal_group(child.pid, signal.SIGKILL)
            if self._opened:
                self._own.unlink(missing_ok=True)

    def check_all(self) -> None:
        """Raise `ProcessFailed` when any process has ended that nobody asked to end."""
        for child in self._children:
            if child.name not in self._stopping:
                self.check(child)

    def check(self, child: Child) -> None:
        """Raise `ProcessFailed` when a process that should stay has ended."""
        if not child.alive:
            code = child.process.returncode
            raise ProcessFailed(f"{child.name} ended with {code}.\n{self.tail(child.name)}")

    def tail(self, name: str, lines: int = 15) -> str:
        """The end of its log, with the path of the whole."""
        path = self._log(name)
        text = path.read_text(errors="replace") if path.exists() else ""
        return "\n".join([*text.splitlines()[-lines:], f"(all of it: {path})"])

    async def _spawn(self, name: str, command: Command) -> asyncio.subprocess.Process:
        user = command.user
        with self._log(name).open("ab") as log:
            return await asyncio.create_subprocess_exec(
                *command.argv,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=command.cwd,
                env={**BARE_ENV, **command.env},
                start_new_session=True,
                user=user,
                group=None if user is None else pwd.getpwnam(user).pw_gid,
                extra_groups=None if user is None else (),
            )

    def _log(self, name: str) -> Path:
        return self._logs / f"{name}.log"


async def _note(file: Path, pid: int) -> None:
    note = json.dumps({"pid": pid, "started": await start_time(pid)})
    await asyncio.to_thread(file.write_text, note)


def _noted(file: Path) -> tuple[int, str]:
    """Pid and start time; (0, "") when there is no file, or the crash came while it was written."""
    try:
        note = json.loads(file.read_text())
        return int(note["pid"]), str(note["started"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0, ""


async def _end_leftover(pid: int, started: str) -> None:
    if started and await start_time(pid) == started:
        signal_group(pid, signal.SIGTERM)
        for _ in range(30):
            if not await start_time(pid):
                break
            await asyncio.sleep(0.1)
        signal_group(pid, signal.SIGKILL)
