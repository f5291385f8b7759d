"""Views: opened, pushed, updated, published, closed. What apps and submissions do to them alike."""

from bot.sandbox.workspace import show
from bot.sandbox.workspace.blocks.surface import check_view
from bot.sandbox.workspace.blocks.walk import completed
from bot.sandbox.workspace.core import Core
from bot.sandbox.workspace.errors import Json, SlackError
from bot.sandbox.workspace.forms import initial_values, kept_values
from bot.sandbox.workspace.seed import App
from bot.sandbox.workspace.state import View

#: Slack shows at most three views on top of each other.
MOST_STACKED = 3


def _body(core: Core, given: Json) -> Json:
    return {
        "callback_id": "",
        "private_metadata": "",
        "external_id": "",
        "notify_on_close": False,
        "clear_on_close": False,
        "submit": None,
        "close": None,
        "title": {"type": "plain_text", "text": "View Title", "emoji": True},
        **given,
        "blocks": completed(given["blocks"], core.mint.short),
    }


def _hash(core: Core) -> str:
    return f"{int(core.mint.now())}.{core.mint.next('h')}"


def _new(core: Core, app: App, user_id: str, given: Json, below: str = "") -> View:
    external = given.get("external_id")
    if external and any(
        v.body["external_id"] == external and v.app_id == app.app_id
        for v in core.state.views.values()
    ):
        raise SlackError("duplicate_external_id")
    body = _body(core, given)
    view_id = core.mint.next("V")
    root = core.state.views[below].root if below else view_id
    view = View(
        view_id, app.app_id, user_id, body, _hash(core), root, below, initial_values(body["blocks"])
    )
    core.state.views[view_id] = view
    return view


def payload(core: Core, view: View) -> Json:
    """A view as apps are given it."""
    return {
        "id": view.id,
        "team_id": core.state.team.id,
        "app_id": view.app_id,
        "app_installed_team_id": core.state.team.id,
        "bot_id": core.state.apps[view.app_id].bot_id,
        **view.body,
        "state": {"values": view.values},
        "hash": view.hash,
        "root_view_id": view.root,
        "previous_view_id": view.below or None,
    }


def open_modal(core: Core, app: App, user_id: str, given: Json) -> View:
    """Put a modal on somebody's screen; an open stack gives way to it."""
    check_view(given, "modal")
    stack = core.state.stack(user_id)
    if stack:
        close_all(core, stack[0])
    view = _new(core, app, user_id, given)
    core.streams.tell(user_id, "view_opened", {"view": show.view(view)})
    return view


def push(core: Core, app: App, below: View, given: Json) -> View:
    """Put a modal on top of another; `push_limit_reached` above the third."""
    check_view(given, "modal")
    if len(core.state.stack(below.user_id)) >= MOST_STACKED:
        raise SlackError("push_limit_reached")
    view = _new(core, app, below.user_id, given, below.id)
    core.streams.tell(below.user_id, "view_opened", {"view": show.view(view)})
    return view


def update(core: Core, view: View, given: Json) -> View:
    """Replace what a view shows. Inputs whose block_id and action_id stay keep what was typed."""
    check_view(given, str(view.body["type"]))
    view.body = _body(core, given)
    view.values = kept_values(view.body["blocks"], view.values)
    view.hash, view.errors = _hash(core), {}
    name = "view_updated" if view.body["type"] == "modal" else "home"
    core.streams.tell(view.user_id, name, {"app_id": view.app_id, "view": show.view(view)})
    return view


def publish(core: Core, app: App, user_id: str, given: Json) -> View:
    """Put a home view on somebody's home tab."""
    check_view(given, "home")
    there = core.state.home(app.app_id, user_id)
    if there is not None:
        return update(core, there, given)
    view = _new(core, app, user_id, given)
    core.state.homes[app.app_id, user_id] = view.id
    core.streams.tell(user_id, "home", {"app_id": app.app_id, "view": show.view(view)})
    return view


def refuse(core: Core, view: View, errors: dict[str, str]) -> None:
    """Show what is wrong beside the fields of a submitted modal."""
    view.errors = errors
    core.streams.tell(view.user_id, "view_updated", {"view": show.view(view)})


def close(core: Core, view: View) -> None:
    """Take one modal off the screen; what is below it shows again."""
    del core.state.views[view.id]
    core.streams.tell(
        view.user_id, "view_closed", {"view_id": view.id, "all": not core.state.stack(view.user_id)}
    )


def close_all(core: Core, view: View) -> None:
    """Take the whole stack off the screen."""
    for each in core.state.stack(view.user_id):
        del core.state.views[each.id]
    core.streams.tell(view.user_id, "view_closed", {"view_id": view.id, "all": True})
