"""A process that can die at every await of its own code: desk, worker and store, down to each statement.

The driver runs a coroutine as the event loop would. Whenever something that was awaited has come to pass,
the reaper is asked; if it says so, nothing after that point happens any more. What is open in the database
then is rolled back, as a database does for whoever is gone. Dying before an await is dying after the one
before it, so this is all there is.
"""

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Generator, Iterator
from contextlib import _AsyncGeneratorContextManager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from tests.machine.mortal import Died

_ROOMS = tuple(f"{Path(__file__).parents[2] / room}/" for room in ("bot", "connectors"))
_MANAGED = (
    _AsyncGeneratorContextManager.__aenter__.__code__,
    _AsyncGeneratorContextManager.__aexit__.__code__,
)
Place = tuple[tuple[str, int], ...]


@dataclass
class Reaper:
    """Dies once in each place, for each way through the code that leads there; `idle` dies nowhere.

    A way begins anew with each piece of work, so `begins` must be told of it.
    """

    known: set[int] = field(default_factory=set)
    deaths: int = 0
    idle: bool = False
    way: int = 0

    def begins(self, what: str) -> None:
        """Another piece of work, of this kind."""
        self.way = hash(what)

    def takes(self, place: Place) -> bool:
        """Whether this is the end."""
        self.way = hash((self.way, place))
        if self.idle or self.way in self.known:
            return False
        self.known.add(self.way)
        self.deaths += 1
        return True


@dataclass
class Countdown:
    """Dies in the `left`-th place."""

    left: int

    def takes(self, _place: Place) -> bool:
        """Whether this is the end."""
        self.left -= 1
        return self.left == 0


@dataclass
class Doomed:
    """Awaiting it drives the coroutine until its end, or until the reaper takes it: then `Died`."""

    work: Coroutine[Any, Any, Any]
    reaper: Reaper | Countdown

    def __await__(self) -> Generator[Any, Any, Any]:
        taken, last = False, None
        try:
            waits = self.work.send(None)
            while True:
                place, awaited = where(self.work)
                yield waits
                new, last = awaited is not last, awaited
                if new and not taken and self.reaper.takes(place):
                    taken = True
                    waits = self.work.throw(Died())
                else:
                    waits = self.work.send(None)
        except StopIteration as end:
            return end.value


def where(work: Any) -> tuple[Place, Any]:
    """The lines of our own code that wait, outermost first, and what the innermost of them awaits."""
    place: list[tuple[str, int]] = []
    awaited: Any = None
    for frame, waits_for in _waiting(work):
        if frame.f_code.co_filename.startswith(_ROOMS):
            place.append((frame.f_code.co_filename, frame.f_lasti))
            awaited = waits_for
    return tuple(place), awaited


def _waiting(work: Any) -> Iterator[tuple[FrameType, Any]]:
    while work is not None:
        kind = next((k for k in ("cr", "ag", "gi") if hasattr(work, f"{k}_frame")), None)
        frame = getattr(work, f"{kind}_frame") if kind else None
        if frame is None:
            return
        behind = getattr(work, "gi_yieldfrom" if kind == "gi" else f"{kind}_await")
        yield frame, behind
        work = _managed(frame) if frame.f_code in _MANAGED else behind


def _managed(frame: FrameType) -> AsyncGenerator[Any, Any]:
    """What stands behind `async with` of one of our own context managers."""
    generator: AsyncGenerator[Any, Any] = frame.f_locals["self"].gen
    return generator


class Slow:
    """A port of the imaginary world whose answer takes a moment, so that one can die while it comes."""

    def __init__(self, behind: Any) -> None:
        self._behind = behind

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._behind, name)
        if not asyncio.iscoroutinefunction(found):
            return found

        async def call(*args: Any, **named: Any) -> Any:
            answer = await found(*args, **named)
            await asyncio.sleep(0)
            return answer

        return call
