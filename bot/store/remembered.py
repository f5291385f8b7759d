"""Journals that were read lately. A journal is only ever appended to, so what was read once is not read again.

Without this every fact of a trouble with three hundred alerts would read and replay all those before it.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from policies.events import Entry
from policies.incident import Incident
from policies.lifecycle import advance, replay

_MOST = 64


@dataclass(frozen=True, slots=True)
class Story:
    """The entries so far, and what they add up to; no state without entries."""

    entries: tuple[Entry, ...] = ()
    state: Incident | None = None

    def and_then(self, incident_id: str, more: Sequence[Entry]) -> "Story":
        """With what was appended since. Raises `InvalidTransition` for what can't be true."""
        if not more:
            return self
        state = self.state
        if state is None:
            return Story(tuple(more), replay(incident_id, more))
        for entry in more:
            state = advance(state, entry.event, entry.at)
        return Story((*self.entries, *more), state)


class Remembered:
    """The stories of the last incidents that were looked at."""

    def __init__(self) -> None:
        self._stories: OrderedDict[str, Story] = OrderedDict()

    def get(self, incident_id: str) -> Story:
        """What is known of it; an empty story when nothing is."""
        return self._stories.get(incident_id, Story())

    def keep(self, incident_id: str, story: Story) -> None:
        """Remember it, and forget the one that was not looked at for the longest."""
        self._stories[incident_id] = story
        self._stories.move_to_end(incident_id)
        if len(self._stories) > _MOST:
            self._stories.popitem(last=False)
