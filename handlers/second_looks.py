"""Approve where a yes needs more than a tap, and Hand over: both open a form."""

from slack_bolt.async_app import AsyncApp

from handlers import ids, views
from handlers.blocks import View
from handlers.payloads import forms, parse
from handlers.payloads.models import Click, Submission
from handlers.step_up import KIND, Proof
from handlers.wiring import Ack, Body, Wiring
from policies.approval import ApprovalRule

USED = "This code was used already. Wait for the next one"


def register(app: AsyncApp, wiring: Wiring) -> None:
    """Listen to the two buttons and to their forms."""

    async def approve(body: Body, ack: Ack) -> None:
        await ack()
        click = Click.model_validate(body)
        form = await _form(wiring, click)
        await wiring.client.views_open(trigger_id=click.trigger_id, view=form)

    async def hand_over(body: Body, ack: Ack) -> None:
        await ack()
        click = Click.model_validate(body)
        meta = ids.opening(click.action.chosen, parse.place_of(click))
        await wiring.client.views_open(trigger_id=click.trigger_id, view=views.hand_over_form(meta))

    async def approved(body: Body, ack: Ack) -> None:
        problem = await _approved(wiring, body)
        if problem:
            await ack(response_action="errors", errors={ids.CODE_BLOCK: problem})
        else:
            await ack()

    async def handed_over(body: Body, ack: Ack) -> None:
        await wiring.desk.receive(forms.handing(body, wiring.clock.now()))
        await ack()

    app.action(ids.APPROVE_WITH)(approve)
    app.action(ids.HAND_OVER)(hand_over)
    app.view(ids.APPROVE_VIEW)(approved)
    app.view(ids.HAND_OVER_VIEW)(handed_over)


async def _form(wiring: Wiring, click: Click) -> View:
    """What a yes needs besides the tap; a login is done on its own page, where the answer is given too."""
    tag, person = ids.decode(click.action.chosen), click.user.id
    rule = await _rule(wiring, tag)
    if rule is None:
        return views.shown(*_unknown())
    meta = ids.opening(click.action.chosen, parse.place_of(click))
    if not rule.step_up or wiring.login_page is None:
        return views.approve_form(rule, meta)
    page = wiring.login_page(tag, person)
    return (
        views.approve_form(rule, meta, page)
        if wiring.step_up.knows(person)
        else views.login_form(page)
    )


async def _approved(wiring: Wiring, body: Body) -> str | None:
    """Store the yes, or say what is wrong with its code. Nothing is stored of a wrong one."""
    sent, now = Submission.model_validate(body), wiring.clock.now()
    tag, _ = ids.opened(sent.view.private_metadata)
    rule = await _rule(wiring, tag)
    if rule is None or not rule.step_up:
        await wiring.desk.receive(forms.with_more(body, now, None, None))
        return None
    code = sent.view.field(ids.CODE_BLOCK, ids.CODE)
    proof = wiring.step_up.check(sent.user.id, code)
    if not isinstance(proof, Proof):
        return proof
    fresh = await wiring.desk.receive(forms.with_more(body, now, KIND, proof.key))
    return None if fresh else USED


async def _rule(wiring: Wiring, tag: ids.Tag) -> ApprovalRule | None:
    found = await wiring.desk.look(tag.incident)
    state = found[0].requests.get(tag.request) if found else None
    return state.request.rule if state else None


def _unknown() -> tuple[str, views.Message]:
    return "Not found", views.unknown("this request")
