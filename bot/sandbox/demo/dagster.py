"""A real Dagster on loopback: code server, webserver and daemon, from an environment of its own.

The order is learnt: the instance's tables are made by one process alone, since three at once collide; the
code server must answer before the others look, since they cache a failed look; and it is ended last.
"""

import asyncio
import shutil
import signal
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.sandbox.demo.dagster_api import LOCATION, DagsterPages
from bot.sandbox.demo.errors import NotInstalled
from bot.sandbox.demo.processes import Child, Command, Ending, Household
from bot.sandbox.demo.waiting import until

_CODE = Path(__file__).parent / "dagster_project"
_INSTANCE = """\
telemetry: {enabled: false}
run_coordinator:
  module: dagster.core.run_coordinator
  class: QueuedRunCoordinator
  config: {dequeue_interval_seconds: 1}
concurrency:
  runs: {max_concurrent_runs: 2}
"""
_POLITELY = Ending()
#: `dagster api grpc` sits out SIGTERM for over 20 s and holds no state.
_KILL = Ending(ask=signal.SIGKILL, grace_s=5, last=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ports:
    """Where the webserver and the code server listen."""

    web: int
    code: int


class Dagster:
    """The three processes. `env` is what the project's code reads: replica and warehouse."""

    def __init__(
        self, venv: Path, home: Path, household: Household, ports: Ports, env: Mapping[str, str]
    ) -> None:
        self._bin = venv / "bin"
        self._home = home
        self._fresh = venv / "fresh-instance"
        self._household = household
        self._ports = ports
        self._env = {
            "DAGSTER_HOME": str(home),
            "DAGSTER_DISABLE_TELEMETRY": "1",
            "HOME": str(home),
            **env,
        }
        self.pages = DagsterPages(f"http://127.0.0.1:{ports.web}")

    async def start(self) -> None:
        """All three, ready to take runs. Raises `NotInstalled`, `ProcessFailed` or `Missing`."""
        if not (self._bin / "dagster-webserver").exists():
            raise NotInstalled(
                f"there is no Dagster in {self._bin}: run `make .venv-dagster/.ready`"
            )
        await self._make_home()
        await self._start_code()
        workspace = ["-w", str(self._home / "workspace.yaml")]
        web = ["-h", "127.0.0.1", "-p", str(self._ports.web), *workspace]
        webserver = await self._household.start(
            "dagster-web", self._command("dagster-webserver", *web)
        )
        await self._household.start(
            "dagster-daemon", self._command("dagster-daemon", "run", *workspace)
        )
        await self._ready("Dagster's webserver", webserver, self.pages.is_ready)

    async def close(self) -> None:
        """Let go of connections; the household ends the processes."""
        await self.pages.close()

    async def _start_code(self) -> None:
        options = ["-d", str(_CODE), "-m", "definitions", "-h", "127.0.0.1"]
        options += ["-p", str(self._ports.code), "--location-name", LOCATION]
        command = self._dagster("api", "grpc", *options, ending=_KILL)
        child = await self._household.start("dagster-code", command)

        async def listens() -> bool:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", self._ports.code)
            except OSError:
                return False
            writer.close()
            return True

        await self._ready("Dagster's code server", child, listens)

    async def _ready(self, what: str, child: Child, look: Callable[[], Awaitable[bool]]) -> None:
        async def checked() -> bool:
            self._household.check(child)
            return await look()

        await until(what, checked, within_s=180, every_s=0.2)

    def _dagster(self, *args: str, ending: Ending = _POLITELY) -> Command:
        return self._command("dagster", *args, ending=ending)

    def _command(self, program: str, *args: str, ending: Ending = _POLITELY) -> Command:
        argv = [str(self._bin / program), *args]
        return Command(argv=argv, env=self._env, cwd=self._home, ending=ending)

    async def _make_home(self) -> None:
        """A fresh instance: a copy of one whose tables are made, since making them takes seconds."""
        if not self._fresh.exists():
            shutil.rmtree(self._home, ignore_errors=True)
            self._configure()
            await self._household.run("dagster-init", self._dagster("instance", "info"))
            self._home.rename(self._fresh)
        shutil.rmtree(self._home, ignore_errors=True)
        await asyncio.to_thread(shutil.copytree, self._fresh, self._home)
        self._configure()

    def _configure(self) -> None:
        self._home.mkdir(parents=True, exist_ok=True)
        (self._home / "dagster.yaml").write_text(_INSTANCE)
        where = f"{{host: 127.0.0.1, port: {self._ports.code}, location_name: {LOCATION}}}"
        (self._home / "workspace.yaml").write_text(f"load_from:\n  - grpc_server: {where}\n")
