"""Message bodies as each kind of author makes them: a person, a bot with its token, a bot under another name, a webhook."""

from typing import Any

from bot.sandbox.workspace.blocks.surface import check_message
from bot.sandbox.workspace.blocks.walk import completed
from bot.sandbox.workspace.core import Core
from bot.sandbox.workspace.errors import Json, SlackError
from bot.sandbox.workspace.seed import App
from bot.sandbox.workspace.text import rich_text, typed

#: Longer texts are cut here when posted, and refused when updating.
MOST_TEXT = 40_000


def content(core: Core, said: Json) -> Json:
    """What is to be said, checked and completed: `text`, `blocks`, `attachments`. Says `no_text` if there is nothing."""
    blocks, attachments = said.get("blocks"), said.get("attachments")
    check_message(blocks, attachments)
    text = str(said.get("text") or "")
    if not text.strip() and not blocks and not attachments:
        raise SlackError("no_text")
    body: Json = {"text": text}
    if blocks:
        body["blocks"] = completed(blocks, core.mint.short)
    if attachments:
        body["attachments"] = [
            _attachment(core, a, number) for number, a in enumerate(attachments, start=1)
        ]
    return body


def _attachment(core: Core, given: Json, number: int) -> Json:
    fallback = given.get("title") or given.get("text") or "[no preview available]"
    blocks: Any = (
        {"blocks": completed(given["blocks"], core.mint.short)} if "blocks" in given else {}
    )
    return {"fallback": fallback, **given, "id": number, **blocks}


def by_bot(core: Core, app: App, body: Json) -> Json:
    """As an app's bot user."""
    team = core.state.team.id
    profile = {
        "id": app.bot_id,
        "app_id": app.app_id,
        "name": app.name,
        "team_id": team,
        "deleted": False,
    }
    return {
        "user": app.user_id,
        "bot_id": app.bot_id,
        "app_id": app.app_id,
        "team": team,
        "bot_profile": profile,
        **body,
    }


def by_name(app: App, body: Json, username: str, icon: str = "", bot_id: str = "") -> Json:
    """As an app under a name of its choice: a `bot_message` without a user."""
    icons = (
        {}
        if not icon
        else {"icons": {"emoji": icon} if icon.startswith(":") else {"image_48": icon}}
    )
    return {
        "subtype": "bot_message",
        "bot_id": bot_id or app.bot_id,
        "app_id": app.app_id,
        "username": username or app.name,
        **icons,
        **body,
    }


def by_person(core: Core, user_id: str, text: str) -> Json:
    """As a person typing."""
    stored = typed(core.state, text)
    team = core.state.people[user_id].team_id
    elsewhere = {"user_team": team, "source_team": team} if team != core.state.team.id else {}
    return {
        "user": user_id,
        "team": team,
        **elsewhere,
        "client_msg_id": core.mint.envelope(),
        "text": stored,
        "blocks": [rich_text(stored, core.mint.short())],
    }
