"""`/dw autonomy`: how much is done alone, where and why; and the first half of changing it."""

from bot.desk import Desk
from bot.ports import Directory
from handlers import views
from handlers.blocks import Message
from policies.autonomy.levels import EVERY, NoSuchLevel, level_of
from policies.autonomy.setting import Ask

_HOW = "write `/dw autonomy set <domain> [class] <level> [reason]`, such as `set growth run_job L3`"


class Autonomy:
    """Answers the word. Nothing is changed by typing: a button confirms, and that tap is stored."""

    def __init__(self, desk: Desk, directory: Directory) -> None:
        self._desk, self._directory = desk, directory

    async def say(self, rest: str, person: str) -> Message:
        """The whole picture, or the question whether a level is really to be changed."""
        verb, _, words = rest.partition(" ")
        if verb.lower() != "set":
            return views.autonomy(await self._desk.autonomy())
        ask = _read(words, person)
        if isinstance(ask, str):
            return views.level_kept(ask)
        known = await self._directory.person(person, fresh=True)
        found = await self._desk.would_set(ask, known)
        if isinstance(found, str):
            return views.level_kept(found)
        return views.confirm_level(ask, found.before, found.people, found.known)


def _read(words: str, person: str) -> Ask | str:
    """`growth run_job L3 ten clean runs`; without a class it is the whole domain."""
    domain, _, rest = words.strip().partition(" ")
    first, _, more = rest.strip().partition(" ")
    second, _, last = more.strip().partition(" ")
    for change_class, level, reason in ((EVERY, first, more), (first, second, last)):
        try:
            named = level_of(level)
        except NoSuchLevel:
            continue
        return Ask(
            domain=domain,
            change_class=change_class,
            level=named,
            person=person,
            reason=reason.strip(),
        )
    return _HOW
