"""A tap on a button for a whole list."""

from datetime import datetime

from bot.commands import Decide
from handlers import ids
from handlers.payloads.models import Click
from handlers.payloads.parse import Body, click_key, respond_to, where_of


def together(body: Body, at: datetime) -> tuple[Decide, int]:
    """The decision as it names the list, and how many were on it. Raises `UnreadableTag`, ValidationError."""
    click = Click.model_validate(body)
    tag = ids.decode(click.action.chosen)
    if not tag.step.isdecimal():
        raise ids.UnreadableTag(ids.UnreadableTag.__doc__)
    one = Decide(
        key=click_key(body),
        incident_id=tag.incident,
        request_id=tag.request,
        person=click.user.id,
        name=click.user.name or click.user.username,
        team=click.user.team_id or (click.team.id if click.team else ""),
        choice="yes" if click.action.action_id == ids.APPROVE_ALL else "no",
        digest=tag.digest,
        where=where_of(click.channel_id or ""),
        at=at,
        respond_to=respond_to(body),
    )
    return one, int(tag.step)
