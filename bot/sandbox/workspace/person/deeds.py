"""What people do among themselves: say, edit, delete, read, change their presence."""

import re
from dataclasses import dataclass, replace

from bot.sandbox.workspace import membership, show, talk
from bot.sandbox.workspace.authors import by_person
from bot.sandbox.workspace.blocks.check import length
from bot.sandbox.workspace.core import Core
from bot.sandbox.workspace.errors import Json, SlackError
from bot.sandbox.workspace.seed import Person
from bot.sandbox.workspace.state import Conversation, Message

#: What Slack's own clients let somebody type.
_MOST_TYPED = 12_000
_COMMAND = re.compile(r"/[a-z]")


@dataclass(frozen=True, slots=True)
class Words:
    """Something to say: `text` as typed, maybe into a thread, maybe with files (Slack file objects)."""

    text: str
    thread_ts: str = ""
    broadcast: bool = False
    files: tuple[Json, ...] = ()


def post(core: Core, who: Person, channel: str, words: Words) -> Message:
    """Say something. `/me …` and files give the subtypes Slack gives them; other commands are refused here."""
    conversation = core.state.conversation(channel)
    if who.id not in conversation.members:
        raise SlackError("not_in_channel", f"{who.name} is not in that channel.")
    if not words.text.strip() and not words.files:
        raise SlackError("no_text", "There is nothing to say.")
    if length(words.text) > _MOST_TYPED:
        raise SlackError(
            "msg_too_long", f"A message can't be longer than {_MOST_TYPED} characters."
        )
    body = _typed(core, who, words.text)
    if words.files:
        body |= {"subtype": "file_share", "files": list(words.files), "upload": False}
    if words.thread_ts:
        body["thread_ts"] = words.thread_ts
    return talk.say(
        core, conversation, talk.threaded(conversation, body, broadcast=words.broadcast)
    )


def _typed(core: Core, who: Person, text: str) -> Json:
    if text.startswith("/me "):
        return by_person(core, who.id, text.removeprefix("/me ")) | {"subtype": "me_message"}
    if _COMMAND.match(text):
        raise SlackError("use_command", "That is a command: send it to /sandbox/command.")
    return by_person(core, who.id, text)


def _own(core: Core, who: Person, channel: str, ts: str) -> Message:
    message = talk.message_at(core.state.conversation(channel), ts)
    if message.body.get("user") != who.id or message.app_id:
        raise SlackError("cant_update_message", "That is somebody else's message.")
    return message


def edit(core: Core, who: Person, channel: str, ts: str, text: str) -> Message:
    """Edit an own message."""
    message = _own(core, who, channel, ts)
    talk.change(
        core, message, {**message.body, **_typed(core, who, text), "ts": message.ts}, editor=who.id
    )
    return message


def delete(core: Core, who: Person, channel: str, ts: str) -> None:
    """Delete an own message."""
    talk.remove(core, _own(core, who, channel, ts))


def read(core: Core, who: Person, conversation: Conversation, ts: str = "") -> None:
    """Mark a conversation as read, up to `ts` or to its newest message."""
    top = conversation.top()
    conversation.last_read[who.id] = ts or (top[-1].ts if top else "")
    core.streams.tell(who.id, "channel", {"channel": show.channel(conversation, who.id)})


def presence(core: Core, who: Person, said: Json) -> Person:
    """Change presence (`active`, `away`), do-not-disturb (`dnd_until`, epoch seconds) or status."""
    status = said.get("status") or {"text": who.status_text, "emoji": who.status_emoji}
    changed = replace(
        who,
        presence=said.get("presence") or who.presence,
        dnd_until=float(said.get("dnd_until", who.dnd_until) or 0),
        status_text=str(status.get("text", "")),
        status_emoji=str(status.get("emoji", "")),
    )
    membership.profile(core, changed)
    return changed
