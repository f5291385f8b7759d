"""A form that was sent, as a command."""

from collections.abc import Mapping
from datetime import datetime

from bot import commands as c
from handlers import ids
from handlers.payloads import models
from handlers.payloads.parse import Body, back_to, of, received, where_of
from policies.approval import Choice


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
            respond_to=back_to(back, sent.user.id),
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
            respond_to=back_to(back, sent.user.id),
        )

    return received(key, body, at, read)


def _form_key(body: Body, view: str) -> str:
    return f"{of(body, 'view', 'id')}:{of(body, 'user', 'id')}:{view}"


def _without_code(body: Body) -> Body:
    """A code is checked and forgotten: it stands in nothing that is kept."""
    view = body.get("view")
    state = view.get("state") if isinstance(view, Mapping) else None
    values = state.get("values") if isinstance(state, Mapping) else None
    if not isinstance(view, Mapping) or not isinstance(values, Mapping):
        return body
    kept = {block: value for block, value in values.items() if block != ids.CODE_BLOCK}
    return {**body, "view": {**view, "state": {"values": kept}}}
