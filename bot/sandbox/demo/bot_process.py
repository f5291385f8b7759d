"""The bot as the demo runs it: a process of its own, so that it can be killed and started again."""

import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import bot
from bot.sandbox.demo.processes import Child, Command, Ending, Household

#: Where `bot` was imported from: the bot's process must run the same code.
_ROOT = Path(bot.__file__).resolve().parents[1]
ARGV = (sys.executable, "-m", "bot", "run")
_AT_ONCE = Ending(ask=signal.SIGKILL, grace_s=5)


class BotProcess:
    """One bot. `env` holds its whole configuration."""

    def __init__(
        self,
        household: Household,
        workdir: Path,
        env: Mapping[str, str],
        argv: Sequence[str] = ARGV,
    ) -> None:
        self._household = household
        whole = {"HOME": str(workdir), "PYTHONPATH": str(_ROOT), **env}
        self._command = Command(argv=argv, env=whole, cwd=workdir)
        self._child: Child | None = None

    async def start(self) -> None:
        """Start it; it is up when its socket is, which only the workspace can tell."""
        self._child = await self._household.start("bot", self._command)

    async def kill(self) -> None:
        """SIGKILL: it gets no chance to put anything in order."""
        if self._child is not None:
            await self._household.stop(self._child, ending=_AT_ONCE)
