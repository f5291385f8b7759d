"""A process that can die at every await of its own code: desk, worker and store, down to each statement.

The driver runs a coroutine as the event loop would. Whenever something that was awaited has come to pass,
the reaper is asked; if it says so, nothing after that point happens any more. What is open in the database
then is rolled back, as a database does for whoever is gone. Dying before an await is dying after the one
before it, so this is all there is.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Iterator, Mapping
from contextlib import _AsyncGeneratorContextManager
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from types import AsyncGeneratorType, CoroutineType, FrameType, GeneratorType
from typing import Any

from tests.machine.mortal import Died

_ROOMS = tuple(f"{Path(__file__).parents[2] / room}/" for room in ("bot", "connectors"))
_MANAGED = (
    _AsyncGeneratorContextManager.__aenter__.__code__,
    _AsyncGeneratorContextManager.__aexit__.__code__,
)
#: what waits in a chain of awaits: its frame, and what it waits for
_KINDS: Mapping[type, Callable[[Any], tuple[FrameType | None, Any]]] = {
    CoroutineType: attrgetter("cr_frame", "cr_await"),
    AsyncGeneratorType: attrgetter("ag_frame", "ag_await"),
    GeneratorType: attrgetter("gi_frame", "gi_yieldfrom"),
}
_STORE = _ROOMS[0] + "store/"
Place = tuple[tuple[str, int], ...]


@dataclass
class Reaper:
    """Dies once in each place, in each kind of work: a place is an await and all the calls that lead to it."""

    known: set[tuple[str, Place]] = field(default_factory=set)
    times: int = 0
    what: str = ""

    def begins(self, what: str) -> None:
        """Another piece of work, of this kind."""
        self.what = what

    def takes(self, place: Place) -> bool:
        """Whether this is the end."""
        new = self._is_new(place)
        self.times += new
        return new

    def meanwhile(self, _place: Place) -> Coroutine[Any, Any, None] | None:
        """What goes on elsewhere while nothing happens here."""
        return None

    def _is_new(self, place: Place) -> bool:
        known = (self.what, place) in self.known
        self.known.add((self.what, place))
        return not known


@dataclass
class Sandman(Reaper):
    """Nobody dies: in each place the process is stopped once, until others have done what they do then.

    `only` are the kinds of work in which it is, where not in all. Not within a transaction, for those who sleep there hold up everybody else until the database throws
    them out, and that is a death.
    """

    others: Callable[[], Coroutine[Any, Any, None]] | None = None
    only: frozenset[str] = frozenset()

    def takes(self, _place: Place) -> bool:
        """Never."""
        return False

    def meanwhile(self, place: Place) -> Coroutine[Any, Any, None] | None:
        """Once in each place."""
        inside = not place or place[-1][0].startswith(_STORE)
        if inside or self.others is None or (self.only and self.what not in self.only):
            return None
        if not self._is_new(place):
            return None
        self.times += 1
        return self.others()


@dataclass
class Countdown:
    """Dies in the `left`-th place."""

    left: int

    def takes(self, _place: Place) -> bool:
        """Whether this is the end."""
        self.left -= 1
        return self.left == 0

    def meanwhile(self, _place: Place) -> Coroutine[Any, Any, None] | None:
        """Nothing."""
        return None


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
                new, last = awaited is not last and not taken, awaited
                others = self.reaper.meanwhile(place) if new else None
                if others is not None:
                    yield from others.__await__()
                taken = taken or (new and self.reaper.takes(place))
                waits = self.work.throw(Died()) if taken and new else self.work.send(None)
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
    while (kind := _KINDS.get(type(work))) is not None:
        frame, behind = kind(work)
        if frame is None:
            return
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
