"""`/dw sources`: who posts in the alert channels, whose alerts that is, and what became of it."""

from bot.desk import Desk
from bot.ports import Directory
from handlers import views
from handlers.blocks import Message


class Senders:
    """Answers the word. Nothing is bound by typing: a form confirms, and what it says is stored.

    `home` is the address of the workspace, for links to messages; empty: none are shown.
    """

    def __init__(self, desk: Desk, directory: Directory, home: str) -> None:
        self._desk, self._directory, self._home = desk, directory, home

    async def say(self, _rest: str, person: str) -> Message:
        """Every sender; the buttons only for those who may bind."""
        known = await self._directory.person(person)
        return views.sources(await self._desk.sources(known), self._home)
