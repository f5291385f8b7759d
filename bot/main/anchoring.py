"""The anchor of this process: a file of its own that follows the head of the chain.

One replica writes each receipt's head at once; the others follow, so that the file of any of them is a
witness of the whole chain, and losing one machine loses no proof.
"""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from bot import anchor
from bot.clock import Clock
from bot.ports import Receipts

log = structlog.get_logger("anchor")


@dataclass(kw_only=True, slots=True)
class FileAnchor:
    """`bot.ports.Anchor` over a file."""

    path: Path
    clock: Clock
    _refused: str = ""
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def write(self, number: int, head: str) -> None:
        """Append; a thread, because the disk may be slow."""
        async with self._turn:
            await self._append(number, head)

    async def follow(self, receipts: Receipts) -> None:
        """Write the head as it is now. A file that can't be used is told once, not at every look."""
        async with self._turn:  # nobody writes a newer head between the look and the line
            number, head = await receipts.head()
            try:
                if number:
                    await self._append(number, head)
                self._refused = ""
            except anchor.AnchorUnreadable as problem:
                if self._refused != str(problem):
                    log.error("not_anchored", problem=str(problem))  # noqa: TRY400 - its words say all
                self._refused = str(problem)

    async def _append(self, number: int, head: str) -> None:
        await asyncio.to_thread(anchor.append, self.path, number, head, self.clock.now())
