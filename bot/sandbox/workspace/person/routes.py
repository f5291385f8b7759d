"""`/sandbox/*`: what the page and tests may do as a person. api.md gives the shapes."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from bot.sandbox.workspace import acting, asking, membership, show, talk
from bot.sandbox.workspace.acting import Pointer
from bot.sandbox.workspace.core import Core
from bot.sandbox.workspace.errors import Json, SlackError
from bot.sandbox.workspace.person import deeds
from bot.sandbox.workspace.person.deeds import Words
from bot.sandbox.workspace.state import Message

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
#: Messages a page gets at once.
_PAGE = 200


class People:
    """The person API of one workspace."""

    def __init__(self, core: Core) -> None:
        """Open for one workspace."""
        self._core = core

    def routes(self) -> list[web.RouteDef]:
        """All routes."""
        posts = {
            "post": self.post,
            "command": self.command,
            "click": self.click,
            "submit": self.submit,
            "close": self.close,
            "shortcut": self.shortcut,
            "suggest": self.suggest,
            "open_home": self.open_home,
            "open_dm": self.open_dm,
            "read": self.read,
            "join": self.join,
            "leave": self.leave,
            "invite": self.invite,
            "react": self.react,
            "edit": self.edit,
            "delete": self.delete,
            "presence": self.presence,
        }
        gets = {"state": self.state, "messages": self.messages}
        return [
            *(web.post(f"/sandbox/{name}", _json_body(do)) for name, do in posts.items()),
            *(web.get(f"/sandbox/{name}", _query(do)) for name, do in gets.items()),
        ]

    async def state(self, said: Json) -> Json:
        """Everything the page needs to start; for whoever comes first if it does not say for whom."""
        core = self._core
        me = core.state.person(str(said.get("as") or _anybody(core)))
        seen = [c for c in core.state.conversations.values() if talk.may_see(c, me.id)]
        homes = {a: core.state.home(a, me.id) for a in core.state.apps}
        return {
            "now": core.mint.now(),
            "me": show.person(core, me),
            "team": {
                "id": core.state.team.id,
                "name": core.state.team.name,
                "domain": core.state.team.domain,
            },
            "people": [show.person(core, p) for p in core.state.people.values()],
            "apps": [show.app(core, a) for a in core.state.apps.values()],
            "channels": [show.channel(c, me.id) for c in seen],
            "usergroups": [show.group(g) for g in core.state.groups.values()],
            "commands": [show.command(c) for c in core.state.commands],
            "homes": {
                app_id: show.view(view) for app_id, view in homes.items() if view is not None
            },
            "views": [show.view(v) for v in core.state.stack(me.id)],
        }

    async def messages(self, said: Json) -> Json:
        """A channel's or a thread's messages."""
        me = self._core.state.person(_text(said, "as"))
        conversation = self._core.state.conversation(_text(said, "channel"))
        if not talk.may_see(conversation, me.id):
            raise SlackError("channel_not_found")
        thread = str(said.get("thread_ts") or "")
        found: list[Message] = conversation.top()
        if thread:
            found = [talk.message_at(conversation, thread), *conversation.replies(thread)]
        own = [
            w for w in conversation.whispers.values() if w.reader == me.id and w.thread_ts == thread
        ]
        before = str(said.get("before") or "9")
        lines = sorted((m for m in [*found, *own] if m.ts < before), key=lambda m: m.ts)
        limit = int(said.get("limit") or _PAGE)
        shown = [show.message(self._core, m, me.id) for m in lines[-limit:]]
        return {"channel": conversation.id, "messages": shown, "has_more": len(lines) > limit}

    async def post(self, said: Json) -> Json:
        """Say something."""
        who = acting.actor(self._core, _text(said, "as"))
        message = deeds.post(self._core, who, _text(said, "channel"), _words(said))
        shown = show.message(self._core, message, who.id)
        return {"channel": message.channel, "ts": message.ts, "message": shown}

    async def command(self, said: Json) -> Json:
        """Type a slash command."""
        who = acting.actor(self._core, _text(said, "as"))
        await asking.command(self._core, who, _text(said, "channel"), _text(said, "text"))
        return {}

    async def click(self, said: Json) -> Json:
        """Use a button or another element."""
        await acting.click(self._core, acting.actor(self._core, _text(said, "as")), _pointer(said))
        return {}

    async def submit(self, said: Json) -> Json:
        """Submit a modal."""
        who = acting.actor(self._core, _text(said, "as"))
        outcome = await acting.submit(
            self._core, who, _text(said, "view_id"), said.get("values") or {}
        )
        view = outcome.get("view")
        return outcome | ({"view": show.view(view)} if view is not None else {})

    async def close(self, said: Json) -> Json:
        """Close a modal."""
        who = acting.actor(self._core, _text(said, "as"))
        acting.close(self._core, who, _text(said, "view_id"), everything=bool(said.get("all")))
        return {}

    async def shortcut(self, said: Json) -> Json:
        """Use a shortcut."""
        who = acting.actor(self._core, _text(said, "as"))
        ts = said.get("message_ts")
        message = (
            acting.message_for(self._core, who, _text(said, "channel"), str(ts)) if ts else None
        )
        await asking.shortcut(self._core, who, _text(said, "callback_id"), message)
        return {}

    async def suggest(self, said: Json) -> Json:
        """Options of an external select."""
        who = acting.actor(self._core, _text(said, "as"))
        return await asking.suggest(self._core, who, _pointer(said), str(said.get("value") or ""))

    async def open_home(self, said: Json) -> Json:
        """Open an app's home tab."""
        who = acting.actor(self._core, _text(said, "as"))
        app, view = asking.open_home(self._core, who, str(said.get("app_id") or ""))
        return {"app_id": app.app_id, "view": show.view(view) if view else None}

    async def open_dm(self, said: Json) -> Json:
        """Open a direct message."""
        who = acting.actor(self._core, _text(said, "as"))
        other = self._core.state.person(_text(said, "user"))
        conversation, there = self._core.direct({who.id, other.id})
        if not there:
            talk.channel_changed(self._core, conversation)
        return {"channel": show.channel(conversation, who.id)}

    async def read(self, said: Json) -> Json:
        """Mark a channel as read."""
        who = self._core.state.person(_text(said, "as"))
        conversation = self._core.state.conversation(_text(said, "channel"))
        deeds.read(self._core, who, conversation, str(said.get("ts") or ""))
        return {"channel": show.channel(conversation, who.id)}

    async def join(self, said: Json) -> Json:
        """Join a public channel."""
        who = acting.actor(self._core, _text(said, "as"))
        conversation = self._core.state.conversation(_text(said, "channel"))
        if conversation.kind != "channel":
            raise SlackError("channel_not_found")
        membership.join(self._core, conversation, who.id)
        return {"channel": show.channel(conversation, who.id)}

    async def leave(self, said: Json) -> Json:
        """Leave a channel."""
        who = acting.actor(self._core, _text(said, "as"))
        conversation = self._core.state.conversation(_text(said, "channel"))
        membership.leave(self._core, conversation, who.id)
        return {"channel": show.channel(conversation, who.id)}

    async def invite(self, said: Json) -> Json:
        """Invite somebody (or a bot) into a channel."""
        who = acting.actor(self._core, _text(said, "as"))
        conversation = self._core.state.conversation(_text(said, "channel"))
        if who.id not in conversation.members:
            raise SlackError("not_in_channel")
        invited = self._core.state.person(_text(said, "user"))
        membership.join(self._core, conversation, invited.id, inviter=who.id)
        return {"channel": show.channel(conversation, who.id)}

    async def react(self, said: Json) -> Json:
        """React to a message."""
        who = acting.actor(self._core, _text(said, "as"))
        message = acting.message_for(self._core, who, _text(said, "channel"), _text(said, "ts"))
        talk.react(
            self._core, message, who.id, _text(said, "name"), remove=bool(said.get("remove"))
        )
        return {"message": show.message(self._core, message, who.id)}

    async def edit(self, said: Json) -> Json:
        """Edit an own message."""
        who = acting.actor(self._core, _text(said, "as"))
        message = deeds.edit(
            self._core, who, _text(said, "channel"), _text(said, "ts"), _text(said, "text")
        )
        return {"message": show.message(self._core, message, who.id)}

    async def delete(self, said: Json) -> Json:
        """Delete an own message."""
        who = acting.actor(self._core, _text(said, "as"))
        deeds.delete(self._core, who, _text(said, "channel"), _text(said, "ts"))
        return {}

    async def presence(self, said: Json) -> Json:
        """Change presence, do-not-disturb or status."""
        who = acting.actor(self._core, _text(said, "as"))
        return {"person": show.person(self._core, deeds.presence(self._core, who, said))}


def _anybody(core: Core) -> str:
    people = core.state.people.values()
    return next((p.id for p in people if not (p.is_bot or p.deleted)), "")


def _text(said: Json, name: str) -> str:
    value = said.get(name)
    if not isinstance(value, str) or not value:
        raise SlackError("invalid_arguments", f"{name} is missing.")
    return value


def _words(said: Json) -> Words:
    return Words(_text(said, "text"), str(said.get("thread_ts") or ""), bool(said.get("broadcast")))


def _pointer(said: Json) -> Pointer:
    return Pointer(
        action_id=_text(said, "action_id"),
        block_id=said.get("block_id"),
        channel=str(said.get("channel") or ""),
        ts=str(said.get("message_ts") or ""),
        view_id=str(said.get("view_id") or ""),
        given=said,
    )


async def _answered(do: Callable[[Json], Awaitable[Json]], said: Any) -> web.Response:
    if not isinstance(said, dict):
        return web.json_response(
            {"ok": False, "error": "invalid_json", "message": "The body must be a JSON object."}
        )
    try:
        answer = {"ok": True, **await do(said)}
    except SlackError as refusal:
        answer = {"message": refusal.message, **refusal.body()}
    return web.json_response(answer)


def _json_body(do: Callable[[Json], Awaitable[Json]]) -> Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        try:
            said = json.loads(await request.text())
        except ValueError:
            said = None
        return await _answered(do, said)

    return handle


def _query(do: Callable[[Json], Awaitable[Json]]) -> Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        return await _answered(do, dict(request.query))

    return handle
