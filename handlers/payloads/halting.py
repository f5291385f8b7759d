"""A stop that was tapped: one chosen reason on the home tab, or the form that asks what and why."""

from datetime import datetime

from bot.commands import StopAll
from handlers import ids
from handlers.payloads.models import Click, Submission
from handlers.payloads.parse import Body


def quick(body: Body, at: datetime) -> StopAll | None:
    """Everything, for the reason that was chosen; None where somebody wants to say more than that."""
    click = Click.model_validate(body)
    reason = ids.STOP_REASONS.get(click.action.chosen)
    return StopAll(person=click.user.id, reason=reason, at=at) if reason else None


def sent(body: Body, at: datetime) -> StopAll:
    """What the form says; own words go before the chosen reason."""
    form = Submission.model_validate(body)
    chosen = form.view.field(ids.WHY_BLOCK, ids.WHY)
    return StopAll(
        person=form.user.id,
        reason=form.view.field(ids.REASON_BLOCK, ids.REASON) or ids.STOP_REASONS.get(chosen, ""),
        at=at,
        scope=form.view.field(ids.SCOPE_BLOCK, ids.SCOPE),
    )
