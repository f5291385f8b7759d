"""People as tests drive them: `await ana.click("Approve")`, `await ana.sees("rerun queued")`.

A driver does what the page does, through the same checks, and waits for what the person would wait for.
"""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from bot.sandbox.workspace import acting, asking, show, talk
from bot.sandbox.workspace.acting import Pointer
from bot.sandbox.workspace.blocks.walk import elements_of
from bot.sandbox.workspace.core import Core
from bot.sandbox.workspace.errors import Json, SlackError
from bot.sandbox.workspace.person import deeds
from bot.sandbox.workspace.person.deeds import Words
from bot.sandbox.workspace.seed import Person
from bot.sandbox.workspace.state import Message, View
from bot.sandbox.workspace.wire.record import Delivery

_GLANCE = 0.005
T = TypeVar("T")


async def until(find: Callable[[], T | None], within: float, what: str) -> T:
    """What `find` gives as soon as it gives something; `AssertionError` saying what never came after `within` seconds."""
    try:
        async with asyncio.timeout(within):
            while True:
                found = find()
                if found:
                    return found
                await asyncio.sleep(_GLANCE)
    except TimeoutError:
        raise AssertionError(f"{what} never came within {within} s") from None


def words_of(shown: Any) -> str:
    """All the text in a message or view, one piece a line."""
    if isinstance(shown, dict):
        own = [
            v
            for k, v in shown.items()
            if k in {"text", "title", "pretext", "fallback", "footer", "value"}
            and isinstance(v, str)
        ]
        return "\n".join(
            [*own, *(words_of(v) for v in shown.values() if isinstance(v, dict | list))]
        )
    return "\n".join(words_of(v) for v in shown) if isinstance(shown, list) else ""


class PersonDriver:
    """One person with a keyboard. `channel` is where they look unless told otherwise."""

    def __init__(self, core: Core, user_id: str) -> None:
        """Sit down as `user_id`."""
        self._core = core
        self.id = user_id

    @property
    def me(self) -> Person:
        """The profile as it is now."""
        return self._core.state.people[self.id]

    # ------------------------------------------------------------------ doing

    async def post(
        self,
        channel: str,
        text: str,
        *,
        thread_ts: str = "",
        broadcast: bool = False,
        files: tuple[Json, ...] = (),
    ) -> Message:
        """Say something; `text` as typed."""
        who = acting.actor(self._core, self.id)
        return deeds.post(self._core, who, channel, Words(text, thread_ts, broadcast, files))

    async def edit(self, message: Message, text: str) -> None:
        """Edit an own message."""
        deeds.edit(self._core, self.me, message.channel, message.ts, text)

    async def delete(self, message: Message) -> None:
        """Delete an own message."""
        deeds.delete(self._core, self.me, message.channel, message.ts)

    async def command(self, channel: str, text: str) -> Delivery:
        """Type a slash command and wait until the app acked it."""
        return await asking.command(self._core, acting.actor(self._core, self.id), channel, text)

    async def click(
        self,
        text: str = "",
        *,
        on: Message | View | None = None,
        action_id: str = "",
        value: Any = None,
        **given: Any,
    ) -> Delivery | None:
        """Use the element labelled `text` (or with `action_id`) on a message or view, by default wherever it is on screen.

        `value` stands for what a stale screen still shows, or for what is chosen in a select.
        """
        target, block, element = self._on_screen(on, text, action_id)
        extra = given if value is None else {**given, "value": value}
        where = (
            {"view_id": target.id}
            if isinstance(target, View)
            else {"channel": target.channel, "ts": target.ts}
        )
        at = Pointer(element["action_id"], block["block_id"], given=extra, **where)
        return await acting.click(self._core, acting.actor(self._core, self.id), at)

    async def submit(self, values: Json | None = None, *, view: View | None = None) -> Json:
        """Fill in and submit the modal on top. Keys are block ids or action ids; a value may be bare."""
        shown = view or self.modal()
        given = _by_block(shown, values or {})
        return await acting.submit(self._core, acting.actor(self._core, self.id), shown.id, given)

    async def close(self, *, everything: bool = False) -> None:
        """Close the modal on top, or the whole stack."""
        acting.close(self._core, self.me, self.modal().id, everything=everything)

    async def shortcut(self, callback_id: str, on: Message | None = None) -> Delivery:
        """Use a global or, on a message, a message shortcut."""
        return await asking.shortcut(self._core, self.me, callback_id, on)

    async def open_home(self) -> None:
        """Open the first app's home tab."""
        asking.open_home(self._core, self.me)

    async def react(self, message: Message, name: str) -> None:
        """React to a message."""
        talk.react(self._core, message, self.id, name)

    # ------------------------------------------------------------------ seeing

    def reads(self, channel: str, thread_ts: str = "") -> list[Message]:
        """What is in a channel (or a thread of it), own ephemerals included, oldest first."""
        conversation = self._core.state.conversation(channel)
        if not talk.may_see(conversation, self.id):
            raise SlackError("channel_not_found")
        said = [
            *conversation.messages.values(),
            *(w for w in conversation.whispers.values() if w.reader == self.id),
        ]
        return sorted((m for m in said if thread_ts in {"", m.thread_ts, m.ts}), key=lambda m: m.ts)

    def everything(self) -> list[Message]:
        """All messages this person can see anywhere, newest last."""
        rooms = [c.id for c in self._core.state.conversations.values() if talk.may_see(c, self.id)]
        return sorted((m for c in rooms for m in self.reads(c)), key=lambda m: m.ts)

    def text_of(self, message: Message) -> str:
        """All the words of a message as this person sees it."""
        return words_of(show.message(self._core, message, self.id))

    def dm(self, app_name: str) -> str:
        """The id of the direct message with a bot, opened if need be."""
        bot = next(a for a in self._core.state.apps.values() if a.name == app_name)
        return self._core.direct({self.id, bot.user_id})[0].id

    async def wait_for_message(
        self, text: str, *, channel: str = "", within: float = 5.0
    ) -> Message:
        """The newest message with these words, as soon as there is one."""

        def found() -> Message | None:
            lines = self.reads(channel) if channel else self.everything()
            return next((m for m in reversed(lines) if text in self.text_of(m)), None)

        return await until(found, within, f"A message with {text!r}")

    async def wait_for_modal(self, text: str = "", *, within: float = 5.0) -> View:
        """The modal on top, as soon as it says these words."""

        def found() -> View | None:
            stack = self._core.state.stack(self.id)
            return stack[-1] if stack and text in words_of(stack[-1].body) else None

        return await until(found, within, f"A modal with {text!r}")

    async def wait_for_home(self, text: str = "", *, within: float = 5.0) -> View:
        """The home tab of any app, as soon as it says these words."""

        def found() -> View | None:
            homes = [self._core.state.home(a, self.id) for a in self._core.state.apps]
            return next((v for v in homes if v is not None and text in words_of(v.body)), None)

        return await until(found, within, f"A home tab with {text!r}")

    def modal(self) -> View:
        """The modal on top."""
        stack = self._core.state.stack(self.id)
        if not stack:
            raise AssertionError(f"{self.me.name} has no modal open")
        return stack[-1]

    def sees_button(self, text: str, on: Message | View | None = None) -> bool:
        """Whether an element with this label is on screen."""
        try:
            self._on_screen(on, text, "")
        except AssertionError:
            return False
        return True

    def _on_screen(
        self, on: Message | View | None, text: str, action_id: str
    ) -> tuple[Message | View, Json, Json]:
        for target in [on] if on is not None else self._screens():
            for block, element in elements_of(self._blocks(target)):
                if element["action_id"] == action_id or (text and text == _label(element)):
                    return target, block, element
        raise AssertionError(f"{self.me.name} sees no {text or action_id!r} on screen")

    def _screens(self) -> list[Message | View]:
        homes = [self._core.state.home(a, self.id) for a in self._core.state.apps]
        return [
            *self._core.state.stack(self.id)[::-1],
            *self.everything()[::-1],
            *(h for h in homes if h),
        ]

    def _blocks(self, target: Message | View) -> list[Json]:
        if isinstance(target, View):
            return list(show.view(target)["blocks"])
        return acting.all_blocks(show.message(self._core, target, self.id))


def _label(element: Json) -> str:
    text = element.get("text") or element.get("placeholder") or {}
    return str(text.get("text", ""))


def _by_block(view: View, values: Json) -> Json:
    known = {(b["block_id"], e["action_id"]) for b, e in elements_of(view.body["blocks"])}
    given: Json = {}
    for key, value in values.items():
        spot = next(((b, a) for b, a in known if key in {a, b}), None)
        if spot is None:
            raise AssertionError(f"The form has no field {key!r}")
        given.setdefault(spot[0], {})[spot[1]] = value
    return given


class Crowd:
    """The people of a workspace by name or id: `workspace.people["ana"]`."""

    def __init__(self, core: Core) -> None:
        """Everybody in the workspace."""
        self._core = core

    def __getitem__(self, ref: str) -> PersonDriver:
        """Sit down as somebody."""
        return PersonDriver(self._core, self._core.state.person(ref).id)
