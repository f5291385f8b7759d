"""Slack's JSON into a signal, as plainly as the recognisers need it; the real one is the edge's."""

import html
import json
import re
from pathlib import Path
from typing import Any

from policies.signal import Link, Sender, Signal, Words
from tests.clock import NIGHT

PAYLOADS = Path(__file__).parent.parent / "payloads"
_MARK = re.compile(r"<([^<>|]+)\|?([^<>]*)>")


def sample(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((PAYLOADS / f"{name}.json").read_text())
    return found


def signal_of(event: dict[str, Any], key: str = "Ev1") -> Signal:
    told = event.get("message") or event
    words, links = _flat(told)
    return Signal(
        key=key,
        source="slack",
        received_at=NIGHT,
        sender=Sender(bot_id=told.get("bot_id"), app_id=told.get("app_id"), user=told.get("user")),
        channel=event.get("channel"),
        ts=event.get("ts"),
        thread_ts=event.get("thread_ts"),
        subtype=event.get("subtype"),
        words=tuple(words),
        links=tuple(links),
    )


def message(
    *texts: str, app_id: str = "A0DAGPLUS", buttons: dict[str, str] | None = None
) -> Signal:
    """A bot's message: headline, sections, and link buttons (label → URL)."""
    blocks = [{"text": {"type": "mrkdwn", "text": text}} for text in texts]
    pressed = [{"text": {"text": label}, "url": url} for label, url in (buttons or {}).items()]
    return signal_of(
        {
            "text": texts[0] if texts else "",
            "blocks": [*blocks, {"elements": pressed}],
            "app_id": app_id,
            "ts": "1.0",
        }
    )


def _flat(told: dict[str, Any]) -> tuple[list[Words], list[Link]]:
    words: list[Words] = []
    links: list[Link] = []

    def text(value: str, where: str) -> None:
        words.append(Words(where=where, value=html.unescape(_MARK.sub(_label, value))))
        links.extend(
            Link(where=where, url=html.unescape(found[1]), label=found[2])
            for found in _MARK.finditer(value)
        )

    text(told.get("text", ""), "text")
    for i, block in enumerate(told.get("blocks", [])):
        if block.get("text"):
            text(block["text"]["text"], f"blocks.{i}.text")
        for j, element in enumerate(block.get("elements", [])):
            where = f"blocks.{i}.elements.{j}"
            if element.get("url"):
                label = element["text"]["text"]
                words.append(Words(where=f"{where}.text", value=label))
                links.append(Link(where=where, url=element["url"], label=label))
    return words, links


def _label(found: re.Match[str]) -> str:
    return found[2] or found[1]
