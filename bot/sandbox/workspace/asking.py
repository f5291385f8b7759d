"""What a person asks of an app out of the blue: commands, shortcuts, options while typing, its home tab."""

from bot.sandbox.workspace import modals, payloads, talk
from bot.sandbox.workspace.acting import (
    TIMED_OUT,
    Pointer,
    all_blocks,
    app_of,
    element_at,
    in_time,
    message_for,
    view_for,
)
from bot.sandbox.workspace.core import Core
from bot.sandbox.workspace.errors import Json, SlackError
from bot.sandbox.workspace.events import wrapped
from bot.sandbox.workspace.responses import answer
from bot.sandbox.workspace.seed import App, Person
from bot.sandbox.workspace.state import Conversation, Message, View
from bot.sandbox.workspace.text import typed as typed_as
from bot.sandbox.workspace.wire.record import Delivery


async def command(core: Core, who: Person, channel: str, typed: str) -> Delivery:
    """Type a slash command; what the app acks with is shown, and an app that stays silent too long is an error."""
    conversation = core.state.conversation(channel)
    if not talk.may_see(conversation, who.id):
        raise SlackError("channel_not_found")
    name, _, text = typed.strip().partition(" ")
    known = next((c for c in core.state.commands if c.command == name), None)
    if known is None:
        raise SlackError("no_such_command", f"{name} is not a valid command here.")
    app = core.state.apps[known.app_id]
    text = typed_as(core.state, text) if known.should_escape else text
    payload = payloads.command(core, app, who, conversation, (name, text.strip()))
    delivery = await core.courier.ask(app, "slash_commands", payload)
    _answered(core, app, who, conversation, (name, delivery))
    return delivery


def _answered(
    core: Core, app: App, who: Person, conversation: Conversation, ran: tuple[str, Delivery]
) -> None:
    name, delivery = ran
    if delivery.state != "acked":
        text = f'{name} failed with the error "{TIMED_OUT}"'
        core.toast(who.id, TIMED_OUT, text, channel=conversation.id)
        raise SlackError(TIMED_OUT, text)
    said = delivery.answer
    if isinstance(said, str) and said.strip():
        said = {"text": said}
    if isinstance(said, dict) and any(said.get(k) for k in ("text", "blocks", "attachments")):
        try:
            answer(core, app, conversation, who.id, said)
        except SlackError as refusal:
            core.toast(
                who.id, refusal.code, f"{app.name} gave an answer Slack does not accept: {refusal}"
            )
            raise


async def shortcut(
    core: Core, who: Person, callback_id: str, message: Message | None = None
) -> Delivery:
    """Use a global shortcut or, with a message, a message shortcut."""
    kind = "shortcut" if message is None else "message_action"
    for app in core.state.apps.values():
        if any(s.callback_id == callback_id and s.kind == kind for s in app.shortcuts):
            break
    else:
        raise SlackError("no_such_shortcut", f"No app offers {callback_id!r}.")
    if message is None:
        payload = payloads.shortcut(core, app, who, callback_id)
    else:
        payload = payloads.message_shortcut(core, app, who, callback_id, message)
    delivery = await core.courier.ask(app, "interactive", payload)
    in_time(core, who, app, delivery)
    return delivery


async def suggest(core: Core, who: Person, at: Pointer, typed: str) -> Json:
    """Ask an app for the options of an external select."""
    if at.view_id:
        view = view_for(core, who, at.view_id)
        app, blocks = core.state.apps[view.app_id], view.body["blocks"]
        about: Json = {
            "container": {"type": "view", "view_id": view.id},
            "view": modals.payload(core, view),
        }
    else:
        message = message_for(core, who, at.channel, at.ts)
        app, blocks = app_of(core, message.app_id), all_blocks(message.body)
        about = {
            "container": {
                "type": "message",
                "message_ts": message.ts,
                "channel_id": message.channel,
            }
        }
    block, element = element_at(blocks, at, who)
    about |= {"action_id": element["action_id"], "block_id": block["block_id"]}
    delivery = await core.courier.ask(
        app, "interactive", payloads.suggestion(core, app, who, about, typed)
    )
    in_time(core, who, app, delivery, action_id=at.action_id)
    said = delivery.answer if isinstance(delivery.answer, dict) else {}
    return {k: said[k] for k in ("options", "option_groups") if k in said}


def open_home(core: Core, who: Person, app_id: str = "") -> tuple[App, View | None]:
    """Open an app's home tab; the app gets `app_home_opened`."""
    homes = [a for a in core.state.apps.values() if a.has_home and app_id in {"", a.app_id}]
    if not homes:
        raise SlackError("not_enabled", "That app has no home tab.")
    app = homes[0]
    conversation, _ = core.direct({who.id, app.user_id})
    view = core.state.home(app.app_id, who.id)
    event = {
        "type": "app_home_opened",
        "user": who.id,
        "channel": conversation.id,
        "tab": "home",
        "event_ts": core.mint.ts(),
        **({"view": modals.payload(core, view)} if view else {}),
    }
    tell_one(core, app, "app_home_opened", event)
    return app, view


def tell_one(core: Core, app: App, topic: str, event: Json) -> None:
    """Send an event to one app, if it subscribed to it."""
    if topic in app.events:
        core.courier.event(app, wrapped(core, app, event))
