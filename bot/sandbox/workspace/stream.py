"""What the page is told as it happens: a queue for each open page."""

import asyncio
from collections.abc import Callable

from bot.sandbox.workspace.errors import Json

#: Event name and its data; None ends the stream.
Item = tuple[str, Json] | None


class Streams:
    """Open pages by person."""

    def __init__(self) -> None:
        """None is open."""
        self._open: list[tuple[str, asyncio.Queue[Item]]] = []

    def open(self, user_id: str) -> asyncio.Queue[Item]:
        """A queue that gets everything this person is told from now on."""
        queue: asyncio.Queue[Item] = asyncio.Queue()
        self._open.append((user_id, queue))
        return queue

    def close(self, queue: asyncio.Queue[Item]) -> None:
        """Forget a page that went away."""
        self._open = [(user_id, q) for user_id, q in self._open if q is not queue]

    def tell(self, user_id: str, name: str, data: Json) -> None:
        """Tell one person."""
        for reader, queue in self._open:
            if reader == user_id:
                queue.put_nowait((name, data))

    def tell_each(self, name: str, data: Callable[[str], Json | None]) -> None:
        """Tell everybody in their own words; `data` gives None for those it is none of their business."""
        for reader, queue in self._open:
            words = data(reader)
            if words is not None:
                queue.put_nowait((name, words))

    def end(self) -> None:
        """End all streams: the workspace shuts."""
        for _, queue in self._open:
            queue.put_nowait(None)
