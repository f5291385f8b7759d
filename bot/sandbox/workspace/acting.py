"""What a person does to an app's messages and views: the workspace checks it could really be done, asks the app, and shows the outcome."""

from dataclasses import dataclass, field
from typing import Any

from bot.sandbox.workspace import modals, payloads, talk
from bot.sandbox.workspace.blocks.walk import find, visible
from bot.sandbox.workspace.core import Core
from bot.sandbox.workspace.errors import Json, SlackError
from bot.sandbox.workspace.forms import CARRIERS, complaints, fill, held
from bot.sandbox.workspace.seed import App, Person
from bot.sandbox.workspace.state import Message, View
from bot.sandbox.workspace.wire.record import Delivery

TIMED_OUT = "operation_timeout"


@dataclass(frozen=True, slots=True)
class Pointer:
    """Where something was clicked: an element of a message (`channel`, `ts`) or of a view (`view_id`)."""

    action_id: str
    block_id: str | None = None
    channel: str = ""
    ts: str = ""
    view_id: str = ""
    given: Json = field(default_factory=dict)


def actor(core: Core, ref: str) -> Person:
    """Who acts: a person who still works here."""
    who = core.state.person(ref)
    if who.deleted:
        raise SlackError("account_inactive", f"{who.name} has left and can't do anything here.")
    return who


def all_blocks(body: Json) -> list[Json]:
    """A message's blocks, those in attachments included."""
    inner = [a["blocks"] for a in body.get("attachments", []) if "blocks" in a]
    return [*body.get("blocks", []), *(b for blocks in inner for b in blocks)]


def message_for(core: Core, who: Person, channel: str, ts: str) -> Message:
    """A message this person has on screen and may act on."""
    conversation = core.state.conversation(channel)
    if who.id not in conversation.members:
        raise SlackError("not_in_channel", f"{who.name} is not in that channel.")
    whisper = conversation.whispers.get(ts)
    if whisper is not None and whisper.reader == who.id:
        return whisper
    return talk.message_at(conversation, ts)


def view_for(core: Core, who: Person, view_id: str) -> View:
    """A view this person has on screen."""
    view = core.state.views.get(view_id)
    if view is None or view.user_id != who.id:
        raise SlackError("no_such_view", "That form is no longer open.")
    return view


def element_at(blocks: list[Json], at: Pointer, who: Person) -> tuple[Json, Json]:
    """The element pointed at, with its block; it must be there now and be shown to this person."""
    found = find(blocks, at.action_id, at.block_id)
    if found is None:
        raise SlackError("no_such_element", "That button is no longer there.")
    if not visible(found[1], who.id):
        raise SlackError("not_visible", f"{who.name} can't see that button.")
    return found


def _used(core: Core, block: Json, element: Json, given: Json) -> Json:
    if element["type"] in CARRIERS:
        carrier = CARRIERS[element["type"]][0]
        now = held(element, given.get(carrier, given.get("value")))
        return payloads.block_action(block, element, now, core.mint.ts())
    value = given.get("value", element.get("value"))
    return payloads.block_action(
        block, element, {} if value is None else {"value": str(value)}, core.mint.ts()
    )


def app_of(core: Core, app_id: str) -> App:
    """The app behind a message."""
    app = core.state.apps.get(app_id)
    if app is None:
        raise SlackError("no_such_element", "No app stands behind that.")
    return app


def in_time(core: Core, who: Person, app: App, delivery: Delivery, **where: str) -> None:
    """Tell the person, and refuse, when the app did not ack."""
    if delivery.state != "acked":
        text = f"{app.name} did not answer in time."
        core.toast(who.id, TIMED_OUT, text, **where)
        raise SlackError(TIMED_OUT, text)


async def click(core: Core, who: Person, at: Pointer) -> Delivery | None:
    """Use an element; `operation_timeout` when the app does not ack. Never sent twice.

    None for a link button of an app that takes no clicks: the link is all there is to it.
    """
    if at.view_id:
        return await _click_in_view(core, who, at)
    message = message_for(core, who, at.channel, at.ts)
    app = app_of(core, message.app_id or str(message.body.get("app_id", "")))
    block, element = element_at(all_blocks(message.body), at, who)
    if not (app.app_token or app.request_url):
        if "url" in element:
            return None
        raise SlackError("not_interactive", f"{app.name} does not take clicks.")
    action = _used(core, block, element, at.given)
    payload = payloads.message_actions(core, app, who, message, [action])
    delivery = await core.courier.ask(app, "interactive", payload)
    in_time(
        core,
        who,
        app,
        delivery,
        channel=message.channel,
        message_ts=message.ts,
        action_id=at.action_id,
    )
    return delivery


async def _click_in_view(core: Core, who: Person, at: Pointer) -> Delivery:
    view = view_for(core, who, at.view_id)
    app = core.state.apps[view.app_id]
    block, element = element_at(view.body["blocks"], at, who)
    action = _used(core, block, element, at.given)
    view.values = fill(view.body["blocks"], view.values, at.given.get("state") or {})
    if element["type"] in CARRIERS and element["type"] != "overflow":
        now = {k: v for k, v in action.items() if k in {"type", CARRIERS[element["type"]][0]}}
        view.values.setdefault(block["block_id"], {})[element["action_id"]] = now
    delivery = await core.courier.ask(
        app, "interactive", payloads.view_actions(core, app, who, view, [action])
    )
    in_time(core, who, app, delivery, view_id=view.id, action_id=at.action_id)
    return delivery


async def submit(core: Core, who: Person, view_id: str, given: Json) -> Json:
    """Submit a modal. Gives `{"result": …}`; refuses with `errors` when Slack or the app finds fault with the fields."""
    view = view_for(core, who, view_id)
    if not view.body["submit"]:
        raise SlackError("no_such_element", "That form has nothing to submit.")
    app = core.state.apps[view.app_id]
    view.values = fill(view.body["blocks"], view.values, given)
    wrong = complaints(view.body["blocks"], view.values)
    if wrong:
        _refused(core, view, wrong)
    delivery = await core.courier.ask(
        app, "interactive", payloads.view_submission(core, app, who, view)
    )
    in_time(core, who, app, delivery, view_id=view.id)
    try:
        return _obeyed(core, app, view, delivery.answer or {})
    except SlackError as refusal:
        if refusal.code != "errors":
            core.toast(
                who.id,
                refusal.code,
                f"{app.name} gave an answer Slack does not accept.",
                view_id=view.id,
            )
        raise


def _refused(core: Core, view: View, wrong: dict[str, str]) -> None:
    modals.refuse(core, view, wrong)
    raise SlackError("errors", next(iter(wrong.values())), errors=wrong)


def _obeyed(core: Core, app: App, view: View, said: Any) -> Json:
    action = said.get("response_action") if isinstance(said, dict) else None
    if action == "errors":
        known = {b["block_id"] for b in view.body["blocks"] if b["type"] == "input"}
        wrong = said.get("errors") or {}
        if not wrong or not wrong.keys() <= known:
            raise SlackError(
                "invalid_response", "The app complained about a field the form does not have."
            )
        _refused(core, view, wrong)
    if action == "update":
        return {"result": "updated", "view": modals.update(core, view, said.get("view") or {})}
    if action == "push":
        return {"result": "pushed", "view": modals.push(core, app, view, said.get("view") or {})}
    if action == "clear":
        modals.close_all(core, view)
        return {"result": "cleared"}
    if view.id in core.state.views:
        modals.close(core, view)
    return {"result": "closed"}


def close(core: Core, who: Person, view_id: str, *, everything: bool = False) -> None:
    """Close a modal or the whole stack; the app hears of it if it asked to (`notify_on_close`)."""
    view = view_for(core, who, view_id)
    app = core.state.apps[view.app_id]
    cleared = everything or bool(view.body["clear_on_close"])
    if view.body["notify_on_close"]:
        payload = payloads.view_closed(core, app, who, view, cleared=cleared)
        core.courier.tell(app, "interactive", payload)
    (modals.close_all if cleared else modals.close)(core, view)
