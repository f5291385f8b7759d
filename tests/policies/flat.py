"""Slack's JSON into a signal, through the edge that does it for real."""

import json
from pathlib import Path
from typing import Any

from handlers.payloads import parse
from handlers.payloads.models import EventBody
from policies.signal import Signal
from tests.clock import NIGHT

PAYLOADS = Path(__file__).parent.parent / "payloads"


def sample(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((PAYLOADS / f"{name}.json").read_text())
    return found


def signal_of(event: dict[str, Any], key: str = "Ev1") -> Signal:
    return parse.signal(EventBody.model_validate({"event_id": key, "event": event}), NIGHT)


def message(
    *texts: str, app_id: str = "A0DAGPLUS", buttons: dict[str, str] | None = None
) -> Signal:
    """A bot's message: headline, sections, and link buttons (label → URL)."""
    sections = [{"type": "section", "text": {"type": "mrkdwn", "text": text}} for text in texts]
    pressed = [
        {"type": "button", "text": {"type": "plain_text", "text": label}, "url": url}
        for label, url in (buttons or {}).items()
    ]
    return signal_of(
        {
            "type": "message",
            "channel": "C0ALERTS",
            "ts": "1.0",
            "app_id": app_id,
            "text": texts[0] if texts else "",
            "blocks": [*sections, {"type": "actions", "elements": pressed}],
        }
    )
