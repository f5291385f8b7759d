"""What apps answer through a `response_url`, in the ack of a command, or through an incoming webhook."""

import json

from aiohttp import web

from bot.sandbox.workspace import talk
from bot.sandbox.workspace.authors import MOST_TEXT, by_name, content
from bot.sandbox.workspace.core import Core, ResponseUrl
from bot.sandbox.workspace.errors import Json, SlackError, TooFast
from bot.sandbox.workspace.seed import App, IncomingWebhook
from bot.sandbox.workspace.state import Conversation, Message


def answer(core: Core, app: App, conversation: Conversation, user_id: str, said: Json) -> Message:
    """Say something for one person (`ephemeral`, the default) or for all (`in_channel`), the bot's membership or not."""
    body = by_name(app, content(core, said), app.name)
    body["text"] = body["text"][:MOST_TEXT]
    if said.get("thread_ts"):
        body = talk.threaded(conversation, {**body, "thread_ts": str(said["thread_ts"])})
    if said.get("response_type") == "in_channel":
        return talk.say(core, conversation, body, app_id=app.app_id)
    return talk.whisper(core, conversation, body, user_id, app.app_id)


def _spent(core: Core, key: str) -> ResponseUrl:
    found = core.response_urls.get(key)
    if found is None or core.mint.now() > found.until:
        raise SlackError("expired_url")
    if found.uses >= core.timing.response_uses:
        raise SlackError("used_url")
    found.uses += 1
    return found


def _origin(conversation: Conversation, url: ResponseUrl) -> Message | None:
    return conversation.whispers.get(url.message_ts) or conversation.messages.get(url.message_ts)


def respond(core: Core, key: str, said: Json) -> None:
    """One use of a response_url: a new message, or the origin replaced or deleted."""
    url = _spent(core, key)
    conversation = core.state.conversations[url.channel]
    app = core.state.apps[url.app_id]
    origin = _origin(conversation, url)
    if said.get("delete_original"):
        _delete(core, app, origin)
    elif said.get("replace_original"):
        _replace(core, app, origin, said)
    else:
        answer(core, app, conversation, url.user_id, said)


def _owned(app: App, origin: Message | None) -> Message:
    if origin is None or origin.app_id != app.app_id:
        raise SlackError("message_not_found")
    return origin


def _delete(core: Core, app: App, origin: Message | None) -> None:
    message = _owned(app, origin)
    if message.reader:
        talk.unwhisper(core, message)
    else:
        talk.remove(core, message)


def _replace(core: Core, app: App, origin: Message | None, said: Json) -> None:
    message = _owned(app, origin)
    kept = {
        k: v
        for k, v in message.body.items()
        if k not in {"text", "blocks", "attachments", "edited"}
    }
    body = {**kept, **content(core, said)}
    if message.reader:
        talk.rewhisper(core, message, body)
    else:
        talk.change(core, message, body, editor=app.user_id)


async def _sent(request: web.Request) -> Json:
    if request.content_type == "application/x-www-form-urlencoded":
        said = json.loads(str((await request.post()).get("payload", "{}")))
    else:
        said = json.loads(await request.text())
    if not isinstance(said, dict):
        raise SlackError("invalid_payload")
    return said


#: Slack answers a spent or unknown address as if it were not there, and bad content as a bad request.
_MISSING = {"expired_url", "used_url", "no_service", "message_not_found"}


class Responses:
    """`POST /response/{key}` and `POST /services/{path}`."""

    def __init__(self, core: Core) -> None:
        """Open for one workspace."""
        self._core = core

    async def respond(self, request: web.Request) -> web.Response:
        """One use of a response_url."""
        try:
            respond(self._core, request.match_info["key"], await _sent(request))
        except ValueError:
            return web.json_response({"ok": False, "error": "invalid_payload"}, status=400)
        except SlackError as refusal:
            return web.json_response(
                refusal.body(), status=404 if refusal.code in _MISSING else 400
            )
        return web.json_response({"ok": True})

    async def webhook(self, request: web.Request) -> web.Response:
        """An incoming webhook, as alert tools use it: a `bot_message` by a bot of its own."""
        try:
            app, hook = self._hook(request.match_info["path"])
            said = await _sent(request)
            conversation = self._core.state.conversation(hook.channel)
            self._core.pace.post(app.app_id, conversation.id)
            name = str(said.get("username") or hook.username or app.name)
            icon = str(said.get("icon_emoji") or said.get("icon_url") or "")
            body = by_name(app, content(self._core, said), name, icon, hook.bot_id)
            talk.say(self._core, conversation, body)
        except ValueError:
            return web.Response(status=400, text="invalid_payload")
        except TooFast as slow_down:
            return web.Response(
                status=429, text="ratelimited", headers={"Retry-After": str(slow_down.retry_after)}
            )
        except SlackError as refusal:
            return web.Response(status=404 if refusal.code in _MISSING else 400, text=refusal.code)
        return web.Response(text="ok")

    def _hook(self, path: str) -> tuple[App, IncomingWebhook]:
        for app in self._core.state.apps.values():
            for hook in app.webhooks:
                if hook.path == path:
                    return app, hook
        raise SlackError("no_service")
