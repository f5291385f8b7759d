"""A tap on Take back becomes a command."""

from datetime import datetime

from bot import commands as c
from handlers import ids
from handlers.payloads import models
from handlers.payloads.parse import Body, click_key, received, respond_to


def taking_back(body: Body, at: datetime) -> c.Received:
    """Whose decision is meant is whoever tapped."""
    key = click_key(body)

    def read() -> c.Stored:
        click = models.Click.model_validate(body)
        tag = ids.decode(click.action.chosen)
        return c.Revoke(
            key=key,
            incident_id=tag.incident,
            request_id=tag.request,
            person=click.user.id,
            at=at,
            respond_to=respond_to(body),
        )

    return received(key, body, at, read)
