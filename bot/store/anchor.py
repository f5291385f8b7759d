"""The head of the receipt chain, kept in a file outside the database.

Whoever can rewrite the database can rewrite the whole chain so that it verifies. What they can't do is
make it end where this file says it ended, unless they can write here too: put it on another disk,
or where lines can be added and never changed.
"""

import asyncio
import os
import re
from pathlib import Path

_LINE = re.compile(r"(\d+) (sha256:[0-9a-f]{64})")


class AnchorUnreadable(RuntimeError):
    """The anchor file can't be read or written, or holds something else. No receipt was changed."""


class Anchor:
    """One `number hash` a line, oldest first."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def append(self, head: tuple[int, str]) -> bool:
        """Add the head of the chain, on disk when this returns. False when it stands there already.

        Raises `AnchorUnreadable` when the file knows a longer chain, or this number by another hash:
        then the database was rewritten or restored, and the file is the witness.
        """
        return await asyncio.to_thread(self._append, head)

    async def last(self) -> tuple[int, str] | None:
        """The last line, None while there is none. What a crash left half written does not count."""
        return await asyncio.to_thread(self._last)

    def _append(self, head: tuple[int, str]) -> bool:
        last = self._last()
        if head[0] == 0 or head == last:
            return False
        if last is not None and head[0] <= last[0]:
            raise AnchorUnreadable(
                f"{self._path} knows receipt {last[0]}, the database ends at {head[0]} or tells it "
                "differently. Nothing was written. Run `dw receipts verify`."
            )
        self._write(f"{head[0]} {head[1]}\n")
        return True

    def _last(self) -> tuple[int, str] | None:
        whole = [line for line in self._text().splitlines(keepends=True) if line.endswith("\n")]
        if not whole:
            return None
        found = _LINE.fullmatch(whole[-1].rstrip("\n"))
        if found is None:
            raise self._unreadable(f"its last line is {whole[-1]!r}")
        return int(found[1]), found[2]

    def _write(self, line: str) -> None:
        text = self._text()
        torn = bool(text) and not text.endswith("\n")
        try:
            with self._path.open("a", encoding="ascii") as file:
                file.write(("\n" if torn else "") + line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise self._unreadable(str(error)) from error

    def _text(self) -> str:
        try:
            return self._path.read_text(encoding="ascii")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            raise self._unreadable(str(error)) from error

    def _unreadable(self, why: str) -> AnchorUnreadable:
        return AnchorUnreadable(
            f"The anchor file {self._path} can't be used: {why}. No receipt was changed. "
            "Mend the file or its permissions, then run `dw receipts verify`."
        )
