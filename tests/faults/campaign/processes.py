"""The processes of the campaign: started, killed, paused and woken by their own ids."""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from tests.faults.campaign import child

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.faults.campaign.child"])


@dataclass
class Replica:
    """One house after the other in the same place; `told` is what each `main` is started with."""

    who: int
    told: dict[str, Any]
    main: Callable[[dict[str, Any]], None] = child.main
    lives: int = 0
    kills: int = 0
    _process: BaseProcess | None = field(default=None, repr=False)

    def start(self, *, statements: int = 0) -> None:
        """Start one. With `statements` it kills itself before that many changes of the database."""
        words = {**self.told, "who": self.who, "statements": statements}
        self._process = _CONTEXT.Process(target=self.main, args=(words,), daemon=True)
        self._process.start()
        self.lives += 1

    @property
    def alive(self) -> bool:
        """Whether there is a process, paused or not."""
        return self._process is not None and self._process.is_alive()

    def kill(self) -> None:
        """SIGKILL, in the middle of whatever it does."""
        self._signal(signal.SIGKILL)

    def pause(self) -> None:
        """SIGSTOP: it notices nothing."""
        self._signal(signal.SIGSTOP)

    def wake(self) -> None:
        """SIGCONT: it goes on as if nothing had happened."""
        self._signal(signal.SIGCONT)

    async def dead(self) -> None:
        """Wait until it is gone."""
        while self.alive:  # noqa: ASYNC110 - a process wakes nobody
            await asyncio.sleep(0.02)

    async def end(self) -> None:
        """Let it drain; what takes longer than ten seconds is killed."""
        self.wake()
        self._signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(10):
                await self.dead()
        except TimeoutError:
            self.kill()
            await self.dead()

    def _signal(self, number: signal.Signals) -> None:
        if self.alive and self._process is not None and self._process.pid is not None:
            self.kills += number is signal.SIGKILL
            os.kill(self._process.pid, number)


async def end_all(replicas: Iterable[Replica]) -> None:
    """End every one of them."""
    await asyncio.gather(*(replica.end() for replica in replicas))


def last_words(folder: Path, count: int = 15) -> str:
    """The last lines of each log, for a failure's message."""
    files = sorted(folder.glob("*.log"))
    return "\n".join(f"{f.name}: {f.read_text()[-200 * count :]}" for f in files)
