"""The whole house over the local workspace: what a journey plays on.

The house is the real one, with real listeners on an unmodified Bolt, desk, worker and store. Only the
data stack is imagined, and time: it runs, and may be set ahead.
"""

import asyncio
import socket
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import func, or_, select

from bot.main import House, Means, house, live
from bot.sandbox.demo import seed
from bot.sandbox.workspace import PersonDriver, Workspace, until
from bot.sandbox.workspace.state import Message
from bot.store.tables import due
from policies.events import Entry
from policies.incident import Incident
from policies.rules import Rules
from policies.run import Run
from tests.journeys.clock import RunningClock
from tests.journeys.props import FASTER, PATIENCE, TIMING, means, rules, seeded, settings
from tests.journeys.stack import Stack
from tests.postgres_server import free_port


def listens(port: int) -> bool:
    """True when somebody listens there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@dataclass
class Stage:
    """One workspace, one stack, one database, and a house that may be opened, cut off and opened again."""

    url: str
    workspace: Workspace
    clock: RunningClock
    stack: Stack
    rules: Rules
    tasks: asyncio.TaskGroup
    mode: Mapping[str, Any] = field(default_factory=dict)
    faster: float = FASTER
    built: House | None = None
    _living: asyncio.Task[None] | None = None
    _stopping: asyncio.Event = field(default_factory=asyncio.Event)

    # ------------------------------------------------------------------ the house

    async def open(self) -> None:
        """Open a house, and wait until it hears."""
        self.built, self._stopping = None, asyncio.Event()
        http = self.mode.get("slack_mode") == "http"
        if http:
            self.mode = {**self.mode, "port": free_port()}
        self._living = self.tasks.create_task(self._live())
        await until(lambda: self._hears() or self._fell(), 10, "The house")
        if http:
            url = f"http://127.0.0.1:{self.mode['port']}/slack/events"
            await self.workspace.use_http(seed.BOT_APP, url)

    async def cut(self) -> None:
        """Cut the house off where it stands, as a crash does; what it had claimed stays claimed."""
        if self._living is not None:
            self._living.cancel()
            await asyncio.wait([self._living])
        await until(lambda: not self.workspace.connections(seed.BOT_APP), 5, "Silence")

    async def shut(self) -> None:
        """Let the house end what it has in hand."""
        self._stopping.set()
        if self._living is not None:
            await asyncio.wait([self._living])

    async def _live(self) -> None:
        given = settings(self.url, self.workspace.api_url, **self.mode)
        async with house(given, self.rules, self.means()) as built:
            self.built = built
            await live(built, self._stopping)

    def means(self) -> Means:
        """What the house is built with."""
        return means(self.clock, self.stack, self.faster)

    def _hears(self) -> bool:
        if self.mode.get("slack_mode") == "http":
            return listens(self.mode["port"])
        return self.workspace.connections(seed.BOT_APP) == 2

    def _fell(self) -> bool:
        """Ends the wait when the house could not be opened; raises why."""
        if self._living is not None and self._living.done():
            self._living.result()
        return False

    async def idle(self) -> None:
        """Wait until nothing is due any more, and nothing is in hand."""
        assert self.built is not None
        async with asyncio.timeout(PATIENCE):
            while await self._busy(self.built):  # noqa: ASYNC110 - a database wakes nobody
                await asyncio.sleep(0.02)
            await asyncio.sleep(0.2)

    async def _busy(self, built: House) -> bool:
        now = self.clock.now()
        work = or_(due.c.at <= now, due.c.claimed_until > now)
        count = select(func.count()).where(~due.c.poisoned, work)
        async with built.store.database.read() as connection:
            return bool((await connection.execute(count)).scalar_one())

    # ------------------------------------------------------------------ people

    def person(self, name: str) -> PersonDriver:
        """Sit down as somebody."""
        return self.workspace.people[name]

    @property
    def ana(self) -> PersonDriver:
        """Owns raw_sessions."""
        return self.person("ana")

    # ------------------------------------------------------------------ what is seen

    def ours(self, channel: str = seed.ALERTS) -> list[Message]:
        """What the bot has said in a channel, threads included, oldest first."""
        said = self.workspace.core.state.conversation(channel).messages.values()
        return [m for m in said if m.app_id == seed.BOT_APP]

    def cards(self) -> list[Message]:
        """The bot's messages in the channel itself."""
        return [m for m in self.ours() if not m.thread_ts]

    def thread(self) -> list[str]:
        """What the bot's replies say, oldest first."""
        return [self.ana.text_of(m) for m in self.ours() if m.thread_ts]

    async def card(self, words: str, *, within: float = PATIENCE) -> Message:
        """The card, as soon as it says this."""
        ana = self.ana

        def found() -> Message | None:
            return next((m for m in self.cards() if words in ana.text_of(m)), None)

        return await until(found, within, f"A card with {words!r}, but\n{self._said()}\n,")

    async def reply(self, words: str, *, within: float = PATIENCE) -> Message:
        """The thread's reply, as soon as there is one that says this."""
        ana = self.ana

        def found() -> Message | None:
            replies = (m for m in self.ours() if m.thread_ts)
            return next((m for m in replies if words in ana.text_of(m)), None)

        return await until(found, within, f"A reply with {words!r}")

    async def says(self, message: Message, words: str, *, within: float = PATIENCE) -> None:
        """Wait until a message that is there says this."""
        shown = self.ana
        await until(lambda: words in shown.text_of(message), within, f"{words!r} in {message.ts}")

    async def either(self, words: str, *, within: float = PATIENCE) -> Message:
        """What the bot said to anybody at all that says this, whispers included."""

        def found() -> Message | None:
            rooms = self.workspace.core.state.conversations.values()
            said = [m for r in rooms for m in (*r.messages.values(), *r.whispers.values())]
            return next((m for m in said if words in self.ana.text_of(m)), None)

        return await until(found, within, f"Something with {words!r}")

    def doubled(self) -> list[str]:
        """The names of all copies that stand anywhere more than once."""
        rooms = self.workspace.core.state.conversations
        labels = [m.body.get("metadata") or {} for room in rooms for m in self.ours(room)]
        names = [str(label.get("event_payload")) for label in labels if label]
        return [name for name, count in Counter(names).items() if count > 1]

    def members(self, message: Message) -> list[str]:
        """Who is in the room where this was said."""
        return self.workspace.core.state.conversation(message.channel).members

    async def rollups(self, within: float = PATIENCE) -> Run:
        """The run of the rollups, as soon as there is one."""
        return (await until(self.stack.rollups, within, "The run of the rollups"))[0]

    async def dm(
        self, name: str, words: str = "needs a yes or no", *, within: float = PATIENCE
    ) -> Message:
        """The direct message to somebody that says this."""
        person = self.person(name)
        return await person.wait_for_message(words, channel=person.dm("dw"), within=within)

    def _said(self) -> str:
        return "\n---\n".join(self.ana.text_of(m) for m in self.cards())

    # ------------------------------------------------------------------ what is stored

    async def incident(self, name: str = "DW-1") -> Incident:
        """As the journal has it."""
        assert self.built is not None
        found = await self.built.store.load(name)
        assert found is not None
        return found

    async def journal(self, name: str = "DW-1") -> list[Entry]:
        """Its entries."""
        assert self.built is not None
        return list(await self.built.store.entries(name))


@asynccontextmanager
async def a_stage(url: str, **changes: Any) -> AsyncIterator[Stage]:
    """The stage with an open house.

    `changes`: `timing`, `rules`, `mode`, `faster`; `clock`, `seed` and `kind` for another estate.
    """
    clock = changes.get("clock") or RunningClock()
    timing = changes.get("timing", TIMING)
    async with (
        Workspace(changes.get("seed") or seeded(), clock=clock, timing=timing) as workspace,
        asyncio.TaskGroup() as tasks,
    ):
        stage = changes.get("kind", Stage)(
            url=url,
            workspace=workspace,
            clock=clock,
            stack=Stack(clock),
            rules=changes.get("rules", rules()),
            mode=changes.get("mode", {}),
            faster=changes.get("faster", FASTER),
            tasks=tasks,
        )
        await stage.open()
        try:
            yield stage
        finally:
            await stage.shut()
