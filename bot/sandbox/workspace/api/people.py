"""users.*, usergroups.*, dnd.*, team.*, bots.*, auth.*: who is who."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from bot.sandbox.workspace.api.call import Call, Method
from bot.sandbox.workspace.blocks.surface import block_problems, view_problems
from bot.sandbox.workspace.errors import Json, SlackError
from bot.sandbox.workspace.seed import Person, UserGroup


def _user(call: Call, who: Person) -> Json:
    now = datetime.fromtimestamp(call.core.mint.now(), UTC).astimezone(ZoneInfo(who.tz))
    offset = now.utcoffset()
    about: Json = {
        "id": who.id,
        "team_id": who.team_id,
        "name": who.name,
        "deleted": who.deleted,
        "color": who.color.removeprefix("#"),
        "real_name": who.real_name or who.name,
        "tz": who.tz,
        "tz_label": now.tzname(),
        "tz_offset": int(offset.total_seconds()) if offset else 0,
        "is_admin": who.is_admin,
        "is_owner": False,
        "is_restricted": who.is_restricted,
        "is_ultra_restricted": False,
        "is_bot": who.is_bot,
        "is_app_user": False,
        "updated": 0,
        "profile": _profile(call, who),
    }
    return about | ({"is_stranger": True} if who.is_stranger else {})


def _profile(call: Call, who: Person) -> Json:
    profile = {
        "real_name": who.real_name or who.name,
        "real_name_normalized": who.real_name or who.name,
        "display_name": who.name,
        "display_name_normalized": who.name,
        "title": who.title,
        "status_text": who.status_text,
        "status_emoji": who.status_emoji,
        "team": who.team_id,
    }
    if who.is_bot and who.app_id:
        profile |= {"api_app_id": who.app_id, "bot_id": call.core.state.apps[who.app_id].bot_id}
    if who.email and "users:read.email" in call.app.scopes:
        profile["email"] = who.email
    return profile


def _asked(call: Call) -> Person:
    found = call.core.state.people.get(call.text("user"))
    if found is None:
        raise SlackError("user_not_found")
    return found


def info(call: Call) -> Json:
    """users.info."""
    return {"ok": True, "user": _user(call, _asked(call))}


def listed(call: Call) -> Json:
    """users.list."""
    page, cursor = call.page(list(call.core.state.people.values()), 200)
    return {
        "ok": True,
        "members": [_user(call, p) for p in page],
        "cache_ts": int(call.core.mint.now()),
        **cursor,
    }


def by_email(call: Call) -> Json:
    """users.lookupByEmail: people who left are not found."""
    email = call.need("email").lower()
    found = next(
        (p for p in call.core.state.people.values() if p.email.lower() == email and not p.deleted),
        None,
    )
    if found is None:
        raise SlackError("users_not_found")
    return {"ok": True, "user": _user(call, found)}


def presence(call: Call) -> Json:
    """users.getPresence."""
    return {"ok": True, "presence": _asked(call).presence}


def dnd(call: Call) -> Json:
    """dnd.info."""
    until = _asked(call).dnd_until
    quiet = until > call.core.mint.now()
    start = int(call.core.mint.now()) if quiet else 1
    about = {
        "dnd_enabled": quiet,
        "next_dnd_start_ts": start,
        "next_dnd_end_ts": int(until) if quiet else 1,
    }
    return {
        "ok": True,
        **about,
        "snooze_enabled": quiet,
        **({"snooze_endtime": int(until)} if quiet else {}),
    }


def _group(call: Call, group: UserGroup) -> Json:
    about: Json = {
        "id": group.id,
        "team_id": call.core.state.team.id,
        "is_usergroup": True,
        "name": group.name or group.handle,
        "description": group.description,
        "handle": group.handle,
        "is_external": False,
        "date_delete": int(call.core.mint.now()) if group.is_disabled else 0,
        "prefs": {"channels": [], "groups": []},
    }
    users = [] if group.is_disabled else list(group.users)
    counted = {"user_count": len(users)} if call.flag("include_count") else {}
    return about | counted | ({"users": users} if call.flag("include_users") else {})


def groups(call: Call) -> Json:
    """usergroups.list."""
    live = not call.flag("include_disabled")
    found = [g for g in call.core.state.groups.values() if not (live and g.is_disabled)]
    return {"ok": True, "usergroups": [_group(call, g) for g in found]}


def group_users(call: Call) -> Json:
    """usergroups.users.list: a disabled group lists nobody."""
    group = call.core.state.groups.get(call.need("usergroup"))
    if group is None:
        raise SlackError("no_such_subteam")
    return {"ok": True, "users": [] if group.is_disabled else list(group.users)}


def team(call: Call) -> Json:
    """team.info."""
    about = call.core.state.team
    return {
        "ok": True,
        "team": {"id": about.id, "name": about.name, "domain": about.domain, "email_domain": ""},
    }


def bot(call: Call) -> Json:
    """bots.info."""
    wanted = call.need("bot")
    found = next((a for a in call.core.state.apps.values() if a.bot_id == wanted), None)
    if found is None:
        raise SlackError("bot_not_found")
    about = {
        "id": found.bot_id,
        "deleted": False,
        "name": found.name,
        "app_id": found.app_id,
        "user_id": found.user_id,
    }
    return {"ok": True, "bot": {**about, "updated": 0, "icons": {}}}


def auth_test(call: Call) -> Json:
    """auth.test."""
    about, app = call.core.state.team, call.app
    return {
        "ok": True,
        "url": f"{call.core.base_url}/",
        "team": about.name,
        "user": call.core.state.people[app.user_id].name,
        "team_id": about.id,
        "user_id": app.user_id,
        "bot_id": app.bot_id,
        "is_enterprise_install": False,
    }


def connect(call: Call) -> Json:
    """apps.connections.open."""
    ticket = call.core.courier.sockets.ticket(call.app)
    base = f"ws://{call.host}" if call.host else call.core.base_url.replace("http", "ws", 1)
    return {"ok": True, "url": f"{base}/link/?ticket={ticket}&app_id={call.app.app_id}"}


def validate(call: Call) -> Json:
    """blocks.validate: needs no token; takes exactly one of `blocks`, `message`, `view`."""
    given = {
        k: call.parsed(k, "invalid_arguments")
        for k in ("blocks", "message", "view")
        if k in call.args
    }
    if len(given) != 1:
        raise SlackError("invalid_arguments")
    kind, value = next(iter(given.items()))
    if kind == "view":
        problems = view_problems(value)
    else:
        blocks = value.get("blocks") if isinstance(value, dict) else value
        problems = block_problems(blocks, "message")
    errors = [{"pointer": at, "message": complaint} for at, complaint in problems]
    return {"ok": False, "error": "invalid_blocks", "errors": errors} if errors else {"ok": True}


METHODS = {
    "apps.connections.open": Method(connect, ("connections:write",), caller="app"),
    "auth.test": Method(auth_test),
    "blocks.validate": Method(validate, caller="anybody"),
    "bots.info": Method(bot, ("users:read",)),
    "dnd.info": Method(dnd, ("dnd:read",)),
    "team.info": Method(team, ("team:read",)),
    "usergroups.list": Method(groups, ("usergroups:read",)),
    "usergroups.users.list": Method(group_users, ("usergroups:read",)),
    "users.getPresence": Method(presence, ("users:read",)),
    "users.info": Method(info, ("users:read",)),
    "users.list": Method(listed, ("users:read",)),
    "users.lookupByEmail": Method(by_email, ("users:read.email",)),
}
