"""A tap that confirms the change of a level."""

from datetime import datetime

from bot import commands as c
from handlers import ids
from handlers.payloads import models
from handlers.payloads.parse import Body, click_key, received, respond_to
from policies.autonomy.levels import Level, NoSuchLevel, level_of


def level(body: Body, at: datetime) -> c.Received:
    """The command; whether this person may is looked up when it is taken up."""

    def read() -> c.Stored:
        click = models.Click.model_validate(body)
        tag = ids.decode_level(click.action.chosen)
        return c.SetLevel(
            key=click_key(body),
            domain=tag.domain,
            change_class=tag.change_class,
            level=_level(tag.level),
            person=click.user.id,
            reason=tag.reason,
            at=at,
            respond_to=respond_to(body),
        )

    return received(click_key(body), body, at, read)


def _level(word: str) -> Level:
    try:
        return level_of(word)
    except NoSuchLevel as error:
        raise ids.UnreadableTag(ids.UnreadableTag.__doc__) from error
