"""A small cast for the page's tests: a workspace, and an app over real Bolt that asks for a yes."""

from collections.abc import Awaitable, Callable
from typing import Any

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.sandbox.workspace import (
    USUAL_EVENTS,
    App,
    Channel,
    Completion,
    Person,
    Shortcut,
    SlashCommand,
    UserGroup,
    Workspace,
    WorkspaceSeed,
)

SEED = WorkspaceSeed(
    people=(
        Person("U_ANA", "ana", "Ana Ruiz", "ana@example.com", "Owner of raw_sessions"),
        Person("U_BEN", "ben", "Ben Okafor", "ben@example.com", "Analytics engineer"),
        Person("U_DW", "dw", "dw", is_bot=True, app_id="A_DW"),
        Person("U_DAG", "dagster", "Dagster+", is_bot=True, app_id="A_DAG"),
    ),
    apps=(
        App(
            "A_DW",
            "B_DW",
            "U_DW",
            "dw",
            bot_token="xoxb-page",
            app_token="xapp-page",
            events=USUAL_EVENTS,
            has_home=True,
            shortcuts=(Shortcut("open_incident", "Open an incident from this"),),
        ),
        App("A_DAG", "B_DAG", "U_DAG", "Dagster+", bot_token="xoxb-dagster"),
    ),
    channels=(
        Channel("C_ALERTS", "data-alerts", ("U_ANA", "U_BEN", "U_DW", "U_DAG"), topic="Alerts"),
        Channel("C_GROWTH", "growth-data", ("U_ANA", "U_BEN", "U_DW")),
    ),
    usergroups=(UserGroup("S_GROWTH", "growth-owners", users=("U_ANA",)),),
    commands=(
        SlashCommand(
            "/dw",
            "A_DW",
            "Ask the bot",
            "[status | stop]",
            (Completion("status", "What is open"), Completion("stop", "Halt everything")),
        ),
    ),
)


def words(text: str) -> dict[str, str]:
    return {"type": "plain_text", "text": text}


def button(text: str, action_id: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "button",
        "text": words(text),
        "action_id": action_id,
        "value": action_id,
        **more,
    }


REQUEST: list[dict[str, Any]] = [
    {"type": "header", "text": words("Asked of Ana: 2 steps")},
    {"type": "section", "text": {"type": "mrkdwn", "text": "<@U_ANA> launches the backfill"}},
    {
        "type": "actions",
        "block_id": "decide",
        "elements": [
            button(
                "Approve",
                "approve",
                style="primary",
                confirm={
                    "title": words("Approve?"),
                    "text": words("It runs once."),
                    "confirm": words("Yes, approve"),
                    "deny": words("Not yet"),
                },
            ),
            button("Reject …", "reject", style="danger"),
            button("Say nothing", "silent"),
            {
                "type": "users_select",
                "action_id": "hand_over",
                "placeholder": words("Hand over to"),
            },
        ],
    },
]

REASON: dict[str, Any] = {
    "type": "modal",
    "callback_id": "reason",
    "title": words("Reject 2 steps"),
    "submit": words("Reject"),
    "close": words("Cancel"),
    "blocks": [
        {
            "type": "input",
            "block_id": "why",
            "label": words("Why"),
            "element": {"type": "plain_text_input", "action_id": "text", "multiline": True},
        },
        {
            "type": "input",
            "block_id": "next",
            "label": words("What next"),
            "element": {
                "type": "static_select",
                "action_id": "choice",
                "options": [
                    {"text": words("Ask the next in the chain"), "value": "next"},
                    {"text": words("Repair by hand"), "value": "hand"},
                ],
            },
        },
    ],
}

HOME: dict[str, Any] = {
    "type": "home",
    "blocks": [
        {"type": "header", "text": words("Good morning, Ana")},
        {"type": "actions", "elements": [button("Refresh", "refresh")]},
    ],
}

Ack = Callable[..., Awaitable[None]]


class Bot:
    """The app. What it heard is in `heard`."""

    def __init__(self, workspace: Workspace) -> None:
        self.heard: list[tuple[str, Any]] = []
        self.client = AsyncWebClient("xoxb-page", base_url=workspace.api_url)
        self.app = AsyncApp(client=self.client)
        self.socket = AsyncSocketModeHandler(self.app, "xapp-page")
        self._listen()

    def _listen(self) -> None:
        self.app.action("approve")(self.approve)
        self.app.action("reject")(self.reject)
        self.app.action("hand_over")(self.hand_over)
        self.app.action("refresh")(self.refresh)
        self.app.action("silent")(self.silent)
        self.app.view("reason")(self.reason)
        self.app.command("/dw")(self.command)
        self.app.event("app_home_opened")(self.home)
        self.app.event("message")(self.message)

    async def ask(self, title: str = "raw_sessions is short of rows") -> str:
        """A card with a request in its thread; gives the card's ts."""
        card = await self.client.chat_postMessage(channel="C_ALERTS", text=title)
        await self.client.chat_postMessage(
            channel="C_ALERTS", thread_ts=card["ts"], text="Please decide", blocks=REQUEST
        )
        return str(card["ts"])

    async def approve(self, ack: Ack, body: dict[str, Any]) -> None:
        await ack()
        self.heard.append(("approve", body["user"]["id"]))
        await self.client.chat_update(
            channel="C_ALERTS", ts=body["message"]["ts"], text="Approved by Ana", blocks=[]
        )

    async def reject(self, ack: Ack, body: dict[str, Any]) -> None:
        await ack()
        await self.client.views_open(trigger_id=body["trigger_id"], view=REASON)

    async def hand_over(self, ack: Ack, body: dict[str, Any]) -> None:
        await ack()
        self.heard.append(("hand_over", body["actions"][0]["selected_user"]))

    async def refresh(self, ack: Ack) -> None:
        await ack()
        self.heard.append(("refresh", None))

    async def silent(self) -> None:
        """No ack: the person must be told."""

    async def reason(self, ack: Ack, view: dict[str, Any]) -> None:
        values = view["state"]["values"]
        said = values["why"]["text"]["value"]
        if said == "because":
            await ack(response_action="errors", errors={"why": "Say a little more."})
            return
        await ack()
        self.heard.append(("reason", (said, values["next"]["choice"]["selected_option"]["value"])))

    async def command(self, ack: Ack, body: dict[str, Any]) -> None:
        await ack(f"1 open incident ({body['text']})")

    async def home(self, event: dict[str, Any]) -> None:
        await self.client.views_publish(user_id=event["user"], view=HOME)

    async def message(self, event: dict[str, Any]) -> None:
        self.heard.append(("message", event.get("text")))
