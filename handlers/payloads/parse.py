"""Payload in, `Received` out: pure, total, and nothing is lost that can't be read."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from pydantic import ValidationError

from bot import commands as c
from handlers import ids
from handlers.payloads import models, wording
from handlers.payloads.address import Address
from handlers.payloads.flatten import flatten
from handlers.payloads.own import Identity
from policies.signal import Sender, Signal

Body = Mapping[str, Any]
#: not ours to store: passwords of the moment and Slack's old verification secret
_SECRET: Final = ("token", "trigger_id", "response_url", "authorizations", "authed_users")
#: a new message; edits, deletions, joins and the like are not
_NEW: Final = (None, "bot_message")


def message(body: Body, at: datetime, me: Identity, channels: frozenset[str]) -> c.Received | None:
    """A message event: a signal, a question in a direct message, or None when it is none of ours."""
    direct = _direct(body)
    if _event(body).get("channel") not in channels and not direct:
        return None
    try:
        parsed = models.EventBody.model_validate(body)
    except ValidationError as error:
        return _kept(_event_key(body), body, at, error)
    if me.wrote(parsed) or parsed.event.subtype not in _NEW:
        return None
    command = _answer(parsed, at, me) if direct else c.ReceiveSignal(signal=signal(parsed, at))
    place = None if direct else f"{parsed.event.channel}:{parsed.event.ts}"
    return c.Received(key=parsed.event_id, command=command, raw=raw(body), at=at, place=place)


def mention(body: Body, at: datetime, me: Identity) -> c.Received | None:
    """Somebody said our name in a channel; None when it was a bot: what alerts say is data, no order."""
    try:
        parsed = models.EventBody.model_validate(body)
    except ValidationError as error:
        return _kept(_event_key(body), body, at, error)
    if me.wrote(parsed) or parsed.event.bot_id or not parsed.event.user:
        return None
    answer = _answer(parsed, at, me)
    return c.Received(key=parsed.event_id, command=answer, raw=raw(body), at=at)


def signal(body: models.EventBody, at: datetime) -> Signal:
    """The words and links of a message, whoever posted it."""
    event = body.event
    words, links = flatten(event)
    return Signal(
        key=body.event_id,
        source="slack",
        received_at=at,
        sender=Sender(bot_id=event.bot_id, app_id=event.app, user=event.user),
        channel=event.channel,
        ts=event.ts,
        thread_ts=event.thread_ts,
        subtype=event.subtype,
        words=words,
        links=links,
        posted_as=event.calls_itself,
    )


def _answer(body: models.EventBody, at: datetime, me: Identity) -> c.Answer:
    event = body.event
    said = re.sub(rf"<@{re.escape(me.user)}(?:\|[^>]*)?>", " ", event.text or "")
    return c.Answer(
        key=body.event_id,
        person=event.user or "",
        channel=event.channel,
        thread_ts=event.thread_ts or event.ts,
        text=wording.normal(wording.readable(said)),
        at=at,
    )


def received(key: str, body: Body, at: datetime, read: Callable[[], c.Stored]) -> c.Received:
    """What was read, or the payload as it came when it can't be read."""
    try:
        return c.Received(key=key, command=read(), raw=raw(body), at=at)
    except (ValidationError, ids.UnreadableTag) as error:
        return _kept(key, body, at, error)


def order(body: Body, form: models.CommandForm, words: str, at: datetime) -> c.Received:
    """A typed command under the identity of its delivery."""
    key = f"command:{form.trigger_id}"
    command = c.Order(key=key, person=form.user_id, text=words, at=at)
    return c.Received(key=key, command=command, raw=raw(body), at=at)


def _kept(key: str, body: Body, at: datetime, error: Exception) -> c.Received:
    keep = c.Keep(key=key, why=_short(error), at=at)
    return c.Received(key=key, command=keep, raw=raw(body), at=at)


def raw(body: Body) -> str:
    """The payload as JSON, without what gives access to anything."""
    kept = {key: value for key, value in body.items() if key not in _SECRET}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"), default=str)


def _short(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return "the button carries something this version can't read"
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def _event(body: Body) -> Body:
    event = body.get("event")
    return event if isinstance(event, Mapping) else {}


def _direct(body: Body) -> bool:
    event = _event(body)
    return event.get("channel_type") == "im" and not event.get("bot_id")


def _event_key(body: Body) -> str:
    event = _event(body)
    return str(body.get("event_id") or f"event:{event.get('channel')}:{event.get('ts')}")


def click_key(body: Body) -> str:
    """The tap's own identity: delivered again it is the same."""
    actions = body.get("actions")
    first = actions[0] if isinstance(actions, list) and actions else {}
    action = first if isinstance(first, Mapping) else {}
    return f"{action.get('action_ts')}:{of(body, 'user', 'id')}:{action.get('action_id')}"


def of(body: Body, part: str, key: str) -> str:
    """A field of a part of a payload, empty when it is not there."""
    value = body.get(part)
    return str(value.get(key)) if isinstance(value, Mapping) else ""


def where_of_tap(click: models.Click) -> str:
    """The place of a tap, in words when it is no channel."""
    return where_of(click.channel_id or "")


def where_of(back: str) -> str:
    """The place of a tap: a channel, or words of ours."""
    channel = back.partition(" ")[0]
    if not channel:
        return "home tab"
    return "direct message" if channel.startswith("D") else channel


def back_to(back: str, person: str) -> str | None:
    """The way back to whoever sent a form, from where it was opened."""
    channel, _, thread = back.partition(" ")
    return Address(channel=channel, user=person, thread_ts=thread).encode()


def place_of(click: models.Click) -> str:
    """Where a form was opened, to come back with it: channel and thread."""
    return f"{click.channel_id or ''} {click.container.thread_ts or ''}".strip()


def respond_to(body: Body) -> str | None:
    """The way back to whoever tapped, as far as it can be read."""
    try:
        return address(models.Click.model_validate(body))
    except ValidationError:
        return None


def address(click: models.Click) -> str | None:
    """The way back to whoever tapped."""
    return Address(
        url=click.response_url or "",
        channel=click.channel_id or "",
        user=click.user.id,
        thread_ts=click.container.thread_ts or "",
    ).encode()
