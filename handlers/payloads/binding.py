"""What an admin says of a sender: the form that binds it, and the tap that takes that back."""

from datetime import datetime

from bot import commands as c
from handlers import ids
from handlers.payloads import models
from handlers.payloads.parse import Body, address, back_to, click_key, of, received


def binding(body: Body, at: datetime) -> c.Received:
    """The form, sent; whether this person may is looked up when it is taken up."""
    key = f"{of(body, 'view', 'id')}:{of(body, 'user', 'id')}:{ids.BIND_VIEW}"

    def read() -> c.Stored:
        sent = models.Submission.model_validate(body)
        sender, _, back = sent.view.private_metadata.partition("\n")
        return c.BindSender(
            key=key,
            sender=sender,
            person=sent.user.id,
            at=at,
            system=sent.view.field(ids.SYSTEM_BLOCK, ids.SYSTEM),
            connection=sent.view.field(ids.CONNECTION_BLOCK, ids.CONNECTION),
            respond_to=back_to(back, sent.user.id),
        )

    return received(key, body, at, read)


def unbinding(body: Body, at: datetime) -> c.Received:
    """A tap on Unbind."""

    def read() -> c.Stored:
        click = models.Click.model_validate(body)
        return c.BindSender(
            key=click_key(body),
            sender=click.action.chosen,
            person=click.user.id,
            at=at,
            respond_to=address(click),
        )

    return received(click_key(body), body, at, read)
