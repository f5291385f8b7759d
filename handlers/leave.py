"""`away until … → @delegate` and `back`: somebody says that they are not there, and who decides instead."""

import re
from typing import Final

from bot.clock import Clock
from bot.desk import Desk
from bot.ports import Directory
from handlers import views
from handlers.blocks import Message
from policies.absence import Unclear, read
from policies.people import Absence, Person

_MENTION: Final = re.compile(r"^<?@?([UW][A-Z0-9]{2,})(?:\|[^>]*)?>?[.,!]?$")


class Leave:
    """Answers both words; what they say is stored before they are answered."""

    def __init__(self, desk: Desk, directory: Directory, clock: Clock) -> None:
        self._desk, self._directory, self._clock = desk, directory, clock

    async def away(self, rest: str, person: str) -> Message:
        """Store it, or say why not."""
        me = await self._directory.person(person, fresh=True)
        if me is None:
            return views.not_gone("Slack could not tell me who you are")
        try:
            until, named = read(rest, self._clock.now(), me.tz)
        except Unclear as unclear:
            return views.not_gone(str(unclear))
        absence = Absence(person=person, until=until)
        if named is not None:
            found = await self._delegate(named)
            if isinstance(found, str):
                return views.not_gone(found)
            absence = Absence(person=person, until=until, delegate=found.id)
        problem = await self._desk.leave(absence)
        return views.not_gone(problem) if problem else views.gone(absence)

    async def back(self, _rest: str, person: str) -> Message:
        """They are there again."""
        return views.back(await self._desk.come_back(person))

    async def _delegate(self, named: str) -> Person | str:
        """Who was named, or why they can't decide for anybody."""
        mention = _MENTION.match(named)
        ref = mention[1] if mention else named
        if mention is None and "@" not in named[1:]:
            return f"I don't know who {named} is. Pick them from the list Slack offers, or write their email"
        person = await self._directory.someone(ref)
        if person is None:
            return f"Slack knows nobody called {ref}"
        barred = person.barred()
        return f"<@{person.id}> can't decide for you: {barred}" if barred else person
