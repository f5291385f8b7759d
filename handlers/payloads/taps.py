"""A tap on a button as a command."""

from datetime import datetime

from bot import commands as c
from handlers import ids
from handlers.payloads import models
from handlers.payloads.parse import Body, address, click_key, received, where_of_tap


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
            where=where_of_tap(click),
            at=at,
            reason=ids.REASONS.get(tag.reason, ""),
            respond_to=address(click),
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
            respond_to=address(click),
        )

    return received(click_key(body), body, at, read)
