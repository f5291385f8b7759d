"""Answers that are JSON and yet not what was promised: one place of one answer is something else."""

import copy
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

Path = tuple[str | int, ...]
GONE = object()
#: what may stand where something else was promised
ODD: Sequence[Any] = (
    GONE,
    None,
    True,
    7,
    -1,
    1e300,
    "",
    "x",
    "9" * 400,
    "2026-13-45T99:99:99Z",
    "\ud800",
    [],
    [7],
    [None],
    {},
    {"x": {"y": []}},
)


@dataclass(frozen=True)
class Change:
    """In the answer by this number, what stands at the path becomes something odd."""

    number: int
    path: Path
    odd: Any

    def made(self, body: Any) -> Any:
        if not self.path:
            return None if self.odd is GONE else self.odd
        changed = copy.deepcopy(body)
        at = changed
        for part in self.path[:-1]:
            at = at[part]
        if self.odd is GONE:
            del at[self.path[-1]]
        else:
            at[self.path[-1]] = self.odd
        return changed


class Changing(httpx.AsyncBaseTransport):
    """A server that is well but for one change; without one it remembers what it answered."""

    def __init__(self, server: httpx.AsyncBaseTransport, change: Change | None = None) -> None:
        self._server = server
        self._change = change
        self.bodies: list[Any] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = await self._server.handle_async_request(request)
        body = read(await answer.aread())
        self.bodies.append(body)
        if self._change is None or len(self.bodies) - 1 != self._change.number or body is GONE:
            return answer
        text = json.dumps(self._change.made(body))
        headers = {"content-type": "application/json"}
        return httpx.Response(answer.status_code, headers=headers, text=text)


def read(content: bytes) -> Any:
    """`GONE` for what is no JSON: the text of a log."""
    try:
        return json.loads(content)
    except ValueError:
        return GONE


def changes(bodies: Sequence[Any], most: int, seed: str) -> list[Change]:
    """At most so many of all there are, the same ones each time."""
    every = [
        Change(number, path, odd)
        for number, body in enumerate(bodies)
        if body is not GONE
        for path in paths(body)
        for odd in ODD
    ]
    return random.Random(seed).sample(every, min(most, len(every)))  # noqa: S311 - no secret


def paths(body: Any, at: Path = (), depth: int = 0) -> Iterator[Path]:
    """Every place; of a list the first one stands for all."""
    yield at
    inner: Sequence[tuple[str | int, Any]] = ()
    if isinstance(body, dict):
        inner = tuple(body.items())
    elif isinstance(body, list) and body:
        inner = ((0, body[0]),)
    for name, value in inner if depth < 8 else ():
        yield from paths(value, (*at, name), depth + 1)
