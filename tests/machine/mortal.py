"""A worker that can die at any call of a port, and a database that can be away at any.

What a call changes is one transaction or one request to the outside, so a death inside it comes to one
of two things: nothing of it was done, or all of it was and the answer was lost. Both can be had here.
"""

import asyncio
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.ports import StoreUnavailable
from bot.worker.context import Context
from bot.worker.loop import Work, Worker


class Died(BaseException):
    """The process is gone. Nothing of ours catches this, as nothing catches SIGKILL."""


class Restless(BaseException):
    """What is due at once makes more due at once, without end."""


_ENOUGH = 5_000


@dataclass
class Fate:
    """At which call the process dies (never: None), of those of a name where there is one, whether that
    one is still carried out, and by how much the rows it takes are out of order.

    With `gone` nobody dies: at that call the database is away, and at the next it is there again. With
    `awaits` it dies at that await of its own code, whichever it is.
    """

    left: int | None = None
    done: bool = False
    turn: int = 0
    at: str | None = None
    gone: bool = False
    awaits: int = 0
    calls: int = 0

    def strikes(self, name: str) -> bool:
        """Count one more call: True when it is the last. Raises `Restless`."""
        self.calls += 1
        if self.calls > _ENOUGH:
            raise Restless
        if self.left is None or self.at not in (None, name):
            return False
        self.left -= 1
        return self.left == 0

    def end(self) -> BaseException:
        """What comes of it."""
        return StoreUnavailable("the database is away") if self.gone else Died()


class Mortal:
    """A port behind which the process may die, before or after the call."""

    def __init__(self, behind: Any, fate: Fate) -> None:
        self._behind, self._fate = behind, fate

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._behind, name)
        if not inspect.iscoroutinefunction(found):
            return found

        async def call(*args: Any, **named: Any) -> Any:
            last = self._fate.strikes(name)
            if last and not self._fate.done:
                raise self._fate.end()
            answer = await found(*args, **named)
            if last:
                raise self._fate.end()
            return answer if name != "claim" else turned(answer, self._fate.turn)

        return call


def turned(rows: list[Any], by: int) -> list[Any]:
    """The same rows in another order: several workers do not keep to any."""
    first = by % len(rows) if rows else 0
    again = [*rows[first:], *rows[:first]]
    return again[::-1] if by % 2 else again


def mortal_worker(context: Context, kinds: Mapping[str, Work], fate: Fate) -> Worker:
    """A fresh worker over the same world, with this fate."""
    store = Mortal(context.store, fate)
    if fate.gone:
        return Worker(replace(context, store=store), kinds, asyncio.Event())  # type: ignore[arg-type]
    systems = context.systems
    parts: dict[str, Any] = {
        "readers": _all(systems.readers, fate),
        "orchestrators": _all(systems.orchestrators, fate),
        "actuators": _all(systems.actuators, fate),
    }
    ports: dict[str, Any] = {
        name: Mortal(getattr(context, name), fate)
        for name in ("announcer", "directory", "answerer")
    }
    doomed = replace(context, systems=replace(systems, **parts), store=store, **ports)
    return Worker(doomed, kinds, asyncio.Event())


def _all(named: Mapping[str, Any], fate: Fate) -> dict[str, Mortal]:
    return {name: Mortal(one, fate) for name, one in named.items()}
