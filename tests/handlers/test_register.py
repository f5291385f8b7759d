"""One listener for each thing that can arrive, and the manifest asks for exactly what is used."""

import logging
from pathlib import Path
from typing import Any

import pytest
import yaml
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient

import handlers
from bot.clock import SystemClock
from handlers import app as building
from handlers import ids, probe
from handlers.payloads.own import Identity
from handlers.wiring import Wiring

MANIFEST = yaml.safe_load(
    Path(__file__).parent.parent.parent.joinpath("manifest.yml").read_text(encoding="utf-8")
)
RESPONSE = BoltResponse(status=200)


@pytest.fixture
def listeners() -> list[Any]:
    me = Identity(team="T1", user="U1", bot="B1")
    access = building.Access(base_url="http://127.0.0.1:1/api", bot_token="xoxb-x")
    app = building.bolt(access, me, AsyncWebClient(base_url=access.base_url))
    names = ("desk", "client", "directory", "answerer", "homes", "whispers", "step_up")
    known: dict[str, Any] = dict.fromkeys(names)
    wiring = Wiring(me=me, clock=SystemClock(), alert_channels=frozenset, **known)
    handlers.register(app, wiring)
    return app._async_listeners


def test_bolt_sets_no_level_on_our_own_lines(listeners: list[Any]) -> None:
    assert listeners
    assert logging.getLogger("dw").level == logging.NOTSET


def event(kind: str) -> dict[str, Any]:
    return {"type": "event_callback", "event": {"type": kind}}


def click(action_id: str) -> dict[str, Any]:
    return {"type": "block_actions", "actions": [{"action_id": action_id, "block_id": "b"}]}


def form(callback_id: str, kind: str = "view_submission") -> dict[str, Any]:
    return {"type": kind, "view": {"type": "modal", "callback_id": callback_id}}


SHORTCUTS = {
    name: {
        "type": "message_action" if name == ids.STOP_HERE else "shortcut",
        "callback_id": name,
    }
    for name in ids.SHORTCUTS
}
COMMAND = {"command": "/dw", "text": ""}
EVENTS = ("message", "app_mention", "app_home_opened")
ALL = {
    **{f"event {kind}": event(kind) for kind in EVENTS},
    **{f"button {name}": click(name) for name in ids.ACTIONS},
    **{f"form {name}": form(name) for name in ids.VIEWS},
    **{f"shortcut {name}": body for name, body in SHORTCUTS.items()},
    "command": COMMAND,
}
STRAYS = {
    "event": event("reaction_added"),
    "button": click("old"),
    "form": form("old"),
    "closed": form("old", "view_closed"),
    "shortcut": {"type": "shortcut", "callback_id": "old"},
    "message shortcut": {"type": "message_action", "callback_id": "old"},
    "command": {"command": "/old", "text": ""},
    "options": {"type": "block_suggestion", "action_id": "old", "block_id": "b"},
}


async def matching(listeners: list[Any], body: dict[str, Any]) -> list[str]:
    request = AsyncBoltRequest(mode="socket_mode", body=body)
    heard = [x for x in listeners if await x.async_matches(req=request, resp=RESPONSE)]
    return [f"{x.ack_function.__module__}.{x.ack_function.__name__}" for x in heard]


@pytest.mark.parametrize("name", ALL)
async def test_exactly_one_listener_wants_it_before_the_strays(
    listeners: list[Any], name: str
) -> None:
    wanted, stray = await matching(listeners, ALL[name])
    assert not wanted.startswith("handlers.strays") or name == f"button {ids.LINK}"
    assert stray.startswith("handlers.strays")


@pytest.mark.parametrize("name", STRAYS)
async def test_what_nobody_wants_is_taken_by_one_stray(listeners: list[Any], name: str) -> None:
    (taken,) = await matching(listeners, STRAYS[name])
    assert taken.startswith("handlers.strays")


def test_every_id_is_listed_once() -> None:
    named = {
        value
        for name, value in vars(ids).items()
        if isinstance(value, str) and value.startswith("dw.")
    }
    listed = [*ids.ACTIONS, *ids.VIEWS, *ids.SHORTCUTS]
    assert len(listed) == len(set(listed))
    assert named - set(listed) == {*ids.FIELDS, ids.SHOWN_VIEW}


def test_the_manifest_subscribes_to_what_is_heard_and_to_nothing_else() -> None:
    asked = MANIFEST["settings"]["event_subscriptions"]["bot_events"]
    assert {name.split(".")[0] for name in asked} == set(EVENTS)
    assert {n for n in asked if "." in n} == {"message.channels", "message.groups", "message.im"}


def test_the_manifest_names_the_command_and_the_shortcuts() -> None:
    features = MANIFEST["features"]
    assert [c["command"] for c in features["slash_commands"]] == [ids.COMMAND]
    assert tuple(s["callback_id"] for s in features["shortcuts"]) == ids.SHORTCUTS
    assert MANIFEST["settings"]["interactivity"]["is_enabled"] is True
    assert MANIFEST["settings"]["socket_mode_enabled"] is True


def test_the_manifest_asks_for_the_scopes_that_the_doctor_looks_for() -> None:
    assert set(MANIFEST["oauth_config"]["scopes"]["bot"]) == probe.SCOPES


def test_the_usage_hint_names_every_word_that_is_understood() -> None:
    hint = MANIFEST["features"]["slash_commands"][0]["usage_hint"]
    words = {part.split()[0] for part in hint.split(" | ")}
    assert words == {
        "help",
        "status",
        "incidents",
        "why",
        "approvals",
        "receipts",
        "stop",
        "resume",
        "away",
        "back",
        "connections",
        "who-can",
        "autonomy",
        "sources",
    }
