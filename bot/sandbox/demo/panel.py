"""The bar above the workspace: where the night stands, and what a person may do outside the chat."""

import asyncio
from dataclasses import dataclass, field
from typing import Any, Literal

from aiohttp import web

TITLE = "Monday night"
SCALE = (
    "Rows are 1:100 and the night's hours pass in a minute. The replica is held with"
    " pg_wal_replay_pause where the story has an hour of index build to replay. The systems are real;"
    " the alert's sender is played."
)

Standing = Literal["later", "now", "done", "failed"]


@dataclass(kw_only=True, slots=True)
class Line:
    """One line of the story."""

    key: str
    time: str
    text: str
    state: Standing = "later"


@dataclass(kw_only=True, slots=True)
class Button:
    """Something a person may do. `as_` is who does it."""

    key: str
    label: str
    as_: str
    hint: str
    style: str = ""
    enabled: bool = False
    pressed: asyncio.Event = field(default_factory=asyncio.Event)


class Panel:
    """The state that the page asks for, and the buttons it may press."""

    def __init__(self, lines: list[Line], buttons: list[Button]) -> None:
        self._lines = {line.key: line for line in lines}
        self._buttons = {button.key: button for button in buttons}
        self._clock = lines[0].time
        self._note = "is being set up …"

    def note(self, text: str) -> None:
        """What happens now, in one sentence."""
        self._note = text

    def begin(self, key: str, note: str) -> None:
        """A line of the story is being played."""
        line = self._lines[key]
        line.state, self._clock, self._note = "now", line.time, note

    def done(self, key: str, text: str | None = None) -> None:
        """It has been played; `text` replaces its words by what really came out."""
        line = self._lines[key]
        line.state, line.text = "done", text or line.text

    def failed(self, note: str) -> None:
        """The night stops here."""
        self._note = note
        for line in self._lines.values():
            if line.state == "now":
                line.state = "failed"

    def reached(self, key: str) -> bool:
        """True from the moment this line begins."""
        return self._lines[key].state != "later"

    def enable(self, key: str, *, on: bool = True) -> None:
        """Let a button be pressed, or not any more."""
        self._buttons[key].enabled = on

    async def wait_for(self, key: str) -> None:
        """Until somebody presses it; it can be pressed again after that."""
        pressed = self._buttons[key].pressed
        await pressed.wait()
        pressed.clear()

    def was_pressed(self, key: str) -> bool:
        """True when somebody has pressed it."""
        return self._buttons[key].pressed.is_set()

    def press(self, key: str, who: str) -> str | None:
        """Press a button; returns why not, if not."""
        button = self._buttons.get(key)
        if button is None:
            return "There is no such button."
        if not button.enabled:
            return f"Not now. {button.hint}"
        if who != button.as_:
            return f"This is for {button.as_} to press."
        button.pressed.set()
        return None

    def state(self) -> dict[str, Any]:
        """What the page shows."""
        return {
            "ok": True,
            "title": TITLE,
            "clock": self._clock,
            "note": self._note,
            "scale_note": SCALE,
            "steps": [
                {"time": line.time, "text": line.text, "state": line.state}
                for line in self._lines.values()
            ],
            "actions": [
                {
                    "id": button.key,
                    "label": button.label,
                    "as": button.as_,
                    "hint": button.hint,
                    "style": button.style,
                    "enabled": button.enabled,
                }
                for button in self._buttons.values()
            ],
        }

    def routes(self) -> list[web.RouteDef]:
        """To be mounted beside the workspace's own."""
        return [web.get("/demo/state", self._get), web.post("/demo/action", self._post)]

    async def _get(self, _request: web.Request) -> web.Response:
        return web.json_response(self.state())

    async def _post(self, request: web.Request) -> web.Response:
        try:
            body = await request.json()
            key, who = str(body["id"]), str(body["as"])
        except (ValueError, KeyError, TypeError):
            return web.json_response(_no("Send {id, as} as JSON."))
        refused = self.press(key, who)
        return web.json_response({"ok": True} if refused is None else _no(refused))


def _no(message: str) -> dict[str, Any]:
    return {"ok": False, "error": "not_now", "message": message}
