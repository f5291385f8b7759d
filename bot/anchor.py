"""The anchor: a file outside the database that remembers the head of the receipts, one line each.

    2026-09-29T07:55:10Z 17 sha256:5f…

Appended after every receipt. Whoever rewrites or cuts off the chain would have to change this file
too: keep it on another disk, or on one that only appends.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from policies.receipt import Broken, Receipt, verify

_LINE = re.compile(r"^(\S+) ([1-9]\d*) (sha256:[0-9a-f]{64})$")
_TORN = re.compile(r"^\d[\dT:Z-]*( \d*( [sha256:0-9a-f]*)?)?$")
"""What a crash in the middle of a line leaves behind."""


class AnchorUnreadable(RuntimeError):
    """The anchor file can't be used. No receipt was changed, and nothing was verified against it."""


class AnchorDisagrees(AnchorUnreadable):
    """The anchor remembers another chain than the database holds. Nothing was written to it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Anchored:
    """One line of the anchor: at this time the receipts ended with this number and hash."""

    at: str
    number: int
    hash: str


def append(path: Path, number: int, digest: str, at: datetime) -> bool:
    """Add the head, on the disk when this returns. False when the last line has it already.

    Raises `AnchorDisagrees` when the file knows a longer chain, or this number by another hash: then
    the database was rewritten or restored, and the file is the witness.
    """
    text = _text(path) if path.exists() else ""
    last = _parsed(text, path)[-1:]
    if last and (last[0].number, last[0].hash) == (number, digest):
        return False
    if last and number <= last[0].number:
        raise AnchorDisagrees(
            f"{path} remembers receipt {last[0].number}; the database ends at {number}, or tells it "
            "differently. Nothing was written to it. Run `dw receipts verify`."
        )
    torn = "\n" if text and not text.endswith("\n") else ""
    when = at.isoformat(timespec="seconds").replace("+00:00", "Z")
    _write(path, f"{torn}{when} {number} {digest}\n")
    return True


def read(path: Path) -> Sequence[Anchored]:
    """Every anchored head, in the order it was written. Raises `AnchorUnreadable`."""
    return _parsed(_text(path), path)


def broken(receipts: Sequence[Receipt], anchored: Sequence[Anchored] = ()) -> Broken | None:
    """The first receipt that does not hold: by itself, by the one before, or by any anchored head.

    Every line counts, not only the last: a rewritten chain that was anchored again is found too.
    """
    hashes = {receipt.number: receipt.hash for receipt in receipts}
    heads = sorted((head.number, head.hash) for head in anchored)
    first = next(((n, digest) for n, digest in heads if hashes.get(n) != digest), None)
    found = [verify(receipts), verify(receipts, first)]
    return min((b for b in found if b is not None), key=lambda b: b.number, default=None)


def _parsed(text: str, path: Path) -> list[Anchored]:
    found = []
    for i, line in enumerate(text.splitlines(), 1):
        match = _LINE.match(line)
        if match is not None:
            found.append(Anchored(at=match[1], number=int(match[2]), hash=match[3]))
        elif not _TORN.match(line):
            raise AnchorUnreadable(
                f"{path}, line {i}, is no anchor (`time number hash`). Nothing was verified."
            )
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not text"
        raise AnchorUnreadable(f"{path} can't be read ({why}). Nothing was verified.") from error


def _write(path: Path, line: str) -> None:
    try:
        with path.open("a", encoding="ascii") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise AnchorUnreadable(
            f"{path} can't be written ({error.strerror}). The receipt is safe in the database."
        ) from error
