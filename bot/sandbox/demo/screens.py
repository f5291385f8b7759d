"""What people see in the workspace, through the person API: the demo knows the bot only from its messages."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Any

import httpx

from bot.sandbox.demo import seed
from bot.sandbox.demo.errors import WentWrong

Message = dict[str, Any]

HANDED_OVER = "*A person takes it from here*"


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """An Approve button on somebody's screen."""

    who: str
    channel: str
    ts: str
    action_id: str


class Screens:
    """Everybody's screen."""

    def __init__(self, base_url: str) -> None:
        self._http = httpx.AsyncClient(base_url=base_url, timeout=10, trust_env=False)

    async def close(self) -> None:
        """Let go of connections."""
        await self._http.aclose()

    async def asks(self, people: Sequence[str]) -> list[Ask]:
        """The Approve buttons that wait in these people's direct messages."""
        return [
            Ask(who=who, channel=message["channel"], ts=message["ts"], action_id=button)
            for who in people
            for message in await self._direct(who)
            for button in _approvals(message)
        ]

    async def approved(self, people: Sequence[str]) -> bool:
        """True when a direct message of the bot's to one of them says that it was approved."""
        messages = [message for who in people for message in await self._direct(who)]
        return any("*Approved*" in words(message) for message in messages)

    async def approve(self, ask: Ask) -> None:
        """Press it. Raises `WentWrong`."""
        click = {
            "as": ask.who,
            "channel": ask.channel,
            "message_ts": ask.ts,
            "action_id": ask.action_id,
        }
        answer = (await self._http.post("/sandbox/click", json=click)).json()
        if not answer["ok"]:
            raise WentWrong(f"{ask.who}'s click was not taken: {answer}")

    async def bot_roots(self) -> list[Message]:
        """The bot's own top messages among the alerts: one for each incident."""
        return [m for m in await self._read("ana", seed.ALERTS) if _is_bots(m)]

    async def handed_over(self) -> str | None:
        """What the bot says when an incident goes to a person: a no, silence, or a failed check."""
        said = [words(root).splitlines() for root in await self.bot_roots()]
        found = [line for lines in said for line in lines if line.startswith(HANDED_OVER)]
        return found[0] if found else None

    async def receipt(self) -> str | None:
        """The words of the receipt in one of the threads, when there is one."""
        for root in await self._read("ana", seed.ALERTS):
            if root.get("reply_count"):
                thread = await self._read("ana", seed.ALERTS, thread_ts=root["ts"])
                for message in thread:
                    if _is_bots(message) and words(message).startswith("*Receipt "):
                        return words(message)
        return None

    async def _direct(self, who: str) -> list[Message]:
        channels = (await self._get("/sandbox/state", {"as": who}))["channels"]
        found = [c["id"] for c in channels if c["is_im"]]
        read = [message for channel in found for message in await self._read(who, channel)]
        return [message for message in read if _is_bots(message)]

    async def _read(self, who: str, channel: str, **more: str) -> list[Message]:
        params = {"as": who, "channel": channel, **more}
        answer = await self._get("/sandbox/messages", params)
        return list(answer.get("messages", ()))

    async def _get(self, path: str, params: dict[str, str]) -> dict[str, Any]:
        answer: dict[str, Any] = (await self._http.get(path, params=params)).json()
        return answer


def words(message: Message) -> str:
    """All that a message's blocks say, a line for each; its text when it has none."""
    return "\n".join(_texts(message.get("blocks") or ())) or str(message.get("text", ""))


def plain(text: str) -> str:
    """Slack's markup as a terminal can show it: labels of links and dates, names of people."""
    named = re.sub(r"<@(\w+)>", lambda found: f"@{seed.name_of(found[1])}", text)
    labelled = re.sub(r"<[^<>|]*\|([^<>]*)>", r"\1", named)
    return unescape(labelled)


def _texts(blocks: Sequence[Message]) -> Iterator[str]:
    for block in blocks:
        if block["type"] in ("section", "header") and "text" in block:
            yield str(block["text"]["text"])
        elif block["type"] == "context":
            yield " ".join(str(part.get("text", "")) for part in block["elements"])


def _approvals(message: Message) -> Iterator[str]:
    for block in message.get("blocks") or ():
        for element in block["elements"] if block["type"] == "actions" else ():
            if element["type"] == "button" and element["text"]["text"] == "Approve":
                yield str(element["action_id"])


def _is_bots(message: Message) -> bool:
    return message.get("app_id") == seed.BOT_APP or message.get("bot_id") == "B0DWBOT"
