"""views.*: modals and home tabs."""

from bot.sandbox.workspace import modals
from bot.sandbox.workspace.api.call import Call, Method
from bot.sandbox.workspace.blocks.surface import check_view
from bot.sandbox.workspace.errors import Json, SlackError
from bot.sandbox.workspace.state import View


def _view(call: Call) -> Json:
    given = call.parsed("view", "invalid_arguments")
    if given is None:
        call.need("view")
    return given if isinstance(given, dict) else {}


def _answer(call: Call, view: View) -> Json:
    return {"ok": True, "view": modals.payload(call.core, view)}


def opened(call: Call) -> Json:
    """views.open: the view is checked before the trigger is spent."""
    given = _view(call)
    check_view(given, "modal")
    trigger = call.core.use_trigger(call.app, call.need("trigger_id"))
    return _answer(call, modals.open_modal(call.core, call.app, trigger.user_id, given))


def pushed(call: Call) -> Json:
    """views.push: only with a trigger that came from an open modal."""
    given = _view(call)
    check_view(given, "modal")
    trigger = call.core.use_trigger(call.app, call.need("trigger_id"))
    below = call.core.state.views.get(trigger.view_id)
    if below is None or below.body["type"] != "modal":
        raise SlackError("not_found")
    return _answer(call, modals.push(call.core, call.app, below, given))


def _existing(call: Call) -> View:
    view_id, external = call.text("view_id"), call.text("external_id")
    for view in call.core.state.views.values():
        if view.app_id == call.app.app_id and (
            view.id == view_id or (external and view.body["external_id"] == external)
        ):
            return view
    raise SlackError("not_found")


def updated(call: Call) -> Json:
    """views.update: by id or external id; `hash_conflict` if the view changed meanwhile."""
    given, view = _view(call), _existing(call)
    if call.text("hash") not in {"", view.hash}:
        raise SlackError("hash_conflict")
    return _answer(call, modals.update(call.core, view, given))


def published(call: Call) -> Json:
    """views.publish."""
    given = _view(call)
    who = call.core.state.people.get(call.need("user_id"))
    if who is None or who.deleted or who.is_bot:
        raise SlackError("user_not_found")
    if not call.app.has_home:
        raise SlackError("not_enabled")
    there = call.core.state.home(call.app.app_id, who.id)
    if there is not None and call.text("hash") not in {"", there.hash}:
        raise SlackError("hash_conflict")
    return _answer(call, modals.publish(call.core, call.app, who.id, given))


METHODS = {
    "views.open": Method(opened),
    "views.publish": Method(published),
    "views.push": Method(pushed),
    "views.update": Method(updated),
}
