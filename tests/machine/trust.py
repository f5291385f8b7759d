"""What must hold of everything that goes on without a fresh yes: it is in the name of those who delegated it.

Read afresh here from the levels that were set, and from who is who in that moment.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from policies.autonomy.levels import LevelEntry
from tests.bot.worker.world import World

_ABOUT = (("growth", "run_job"), ("growth", "*"))


@dataclass
class Trust:
    """`known` levels were there when it was judged last: what is new since may have come before or after."""

    world: World
    known: int = 0

    async def holds(self, people: set[str], what: str) -> None:
        """Raise `AssertionError` unless these delegated it and their delegation is in force."""
        entries = await self.world.store.levels()
        cuts = range(self.known, len(entries) + 1)
        given = [_delegators(entries[:cut]) for cut in cuts]
        assert people in given, f"{what} in the name of {people}, and {given} delegated it"
        assert people <= set(self.world.context.rules.admins), (
            f"{what} for somebody who is no admin"
        )
        assert all(self.able(person) for person in people), f"{what} for somebody who left"

    async def seen(self) -> None:
        """Nobody but an admin raises anything; the bot only lowers."""
        entries = await self.world.store.levels()
        admins = set(self.world.context.rules.admins)
        for entry in entries[self.known :]:
            assert set(entry.by) <= admins or (entry.by, entry.level) == (("dw",), "L2"), entry
        self.known = len(entries)

    def able(self, slack_id: str) -> bool:
        """Whether Slack knows them now as a member like any other."""
        person = self.world.people.people.get(slack_id)
        return person is not None and not (person.deactivated or person.guest or person.bot)


def _delegators(entries: Sequence[LevelEntry]) -> set[str]:
    """Who stands for what goes on alone after these entries; nobody where nothing may."""
    newest = [x for x in entries if x.about in _ABOUT and x.receipt is not None][-1:]
    return {p for x in newest if x.level in ("L3", "L4") for p in x.by if p != "dw"}
