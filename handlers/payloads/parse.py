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
from policies.approval import Choice
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
    )


def decision(body: Body, at: datetime) -> c.Received:
    """A tap on Approve or Reject, with or without a reason."""

    def read() -> c.Stored:
        click = models.Click.model_validate(body)
        tag = ids.decode(click.action.chosen)
        return c.Decide(
            key=click_key(body),
            incident_id=tag.incident,
            request_id=tag.request,
            person=click.user.id,
            name=click.user.name or click.user.username,
            team=click.user.team_id or (click.team.id if click.team else ""),
            choice="yes" if click.action.action_id == ids.APPROVE else "no",
            digest=tag.digest,
            where=_place(click),
            at=at,
            reason=ids.REASONS.get(tag.reason, ""),
            respond_to=_address(click),
        )

    return received(click_key(body), body, at, read)


def done(body: Body, at: datetime) -> c.Received:
    """A tap on Mark done."""

    def read() -> c.Stored:
        click = models.Click.model_validate(body)
        tag = ids.decode(click.action.chosen)
        return c.MarkDone(
            key=click_key(body),
            incident_id=tag.incident,
            step_id=tag.step,
            person=click.user.id,
            at=at,
            respond_to=_address(click),
        )

    return received(click_key(body), body, at, read)


def question(body: Body, at: datetime) -> c.Received:
    """A question that was typed into the form."""
    key = _form_key(body, ids.ASK_VIEW)

    def read() -> c.Stored:
        sent = models.Submission.model_validate(body)
        tag = ids.decode(sent.view.private_metadata)
        return c.AskQuestion(
            key=key,
            incident_id=tag.incident,
            request_id=tag.request,
            person=sent.user.id,
            text=sent.view.field(ids.QUESTION_BLOCK, ids.QUESTION),
            at=at,
        )

    return received(key, body, at, read)


def with_more(
    body: Body, at: datetime, step_up: str | None, key: str | None, choice: Choice = "yes"
) -> c.Received:
    """A decision that was sent with a form. `key` is another identity than the form's own."""
    key = key or _form_key(body, ids.APPROVE_VIEW if choice == "yes" else ids.REJECT_VIEW)

    def read() -> c.Stored:
        sent = models.Submission.model_validate(body)
        tag, back = ids.opened(sent.view.private_metadata)
        return c.Decide(
            key=key,
            incident_id=tag.incident,
            request_id=tag.request,
            person=sent.user.id,
            name=sent.user.name or sent.user.username,
            team=sent.user.team_id or "",
            choice=choice,
            digest=tag.digest,
            where=where_of(back),
            at=at,
            reason=sent.view.field(ids.REASON_BLOCK, ids.REASON),
            respond_to=_back(back, sent.user.id),
            step_up=step_up,
        )

    return received(key, _without_code(body), at, read)


def handing(body: Body, at: datetime) -> c.Received:
    """Somebody chose who shall decide instead."""
    key = _form_key(body, ids.HAND_OVER_VIEW)

    def read() -> c.Stored:
        sent = models.Submission.model_validate(body)
        tag, back = ids.opened(sent.view.private_metadata)
        return c.HandOn(
            key=key,
            incident_id=tag.incident,
            request_id=tag.request,
            person=sent.user.id,
            to=sent.view.field(ids.TO_BLOCK, ids.TO),
            at=at,
            respond_to=_back(back, sent.user.id),
        )

    return received(key, body, at, read)


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
    return f"{action.get('action_ts')}:{_of(body, 'user', 'id')}:{action.get('action_id')}"


def _form_key(body: Body, view: str) -> str:
    return f"{_of(body, 'view', 'id')}:{_of(body, 'user', 'id')}:{view}"


def _without_code(body: Body) -> Body:
    """A code is checked and forgotten: it stands in nothing that is kept."""
    view = body.get("view")
    state = view.get("state") if isinstance(view, Mapping) else None
    values = state.get("values") if isinstance(state, Mapping) else None
    if not isinstance(view, Mapping) or not isinstance(values, Mapping):
        return body
    kept = {block: value for block, value in values.items() if block != ids.CODE_BLOCK}
    return {**body, "view": {**view, "state": {"values": kept}}}


def _of(body: Body, part: str, key: str) -> str:
    value = body.get(part)
    return str(value.get(key)) if isinstance(value, Mapping) else ""


def _place(click: models.Click) -> str:
    return where_of(click.channel_id or "")


def where_of(back: str) -> str:
    """The place of a tap: a channel, or words of ours."""
    channel = back.partition(" ")[0]
    if not channel:
        return "home tab"
    return "direct message" if channel.startswith("D") else channel


def _back(back: str, person: str) -> str | None:
    channel, _, thread = back.partition(" ")
    return Address(channel=channel, user=person, thread_ts=thread).encode()


def place_of(click: models.Click) -> str:
    """Where a form was opened, to come back with it: channel and thread."""
    return f"{click.channel_id or ''} {click.container.thread_ts or ''}".strip()


def respond_to(body: Body) -> str | None:
    """The way back to whoever tapped, as far as it can be read."""
    try:
        return _address(models.Click.model_validate(body))
    except ValidationError:
        return None


def _address(click: models.Click) -> str | None:
    return Address(
        url=click.response_url or "",
        channel=click.channel_id or "",
        user=click.user.id,
        thread_ts=click.container.thread_ts or "",
    ).encode()
