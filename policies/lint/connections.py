"""Mistakes in what dw.yml says of other systems: addresses, names, and who may raise alerts."""

import re
from collections.abc import Iterator

from policies.kinds import KINDS, a_or_an, orchestrators, runs, schedules
from policies.lint.parts import Data, Mistake, Path, described, items, mapping, pick
from policies.lint.secrets import stem

ENDS = ("_TOKEN", "_ACT_TOKEN", "_PASSWORD")
_ACCOUNT = re.compile(r"/(?:accounts|deploy)/\d+")
_SLACKS = ("DW_SLACK_BOT_TOKEN", "DW_SLACK_APP_TOKEN")


def references(data: Data) -> Iterator[Mistake]:
    """Connections that are named somewhere and described nowhere."""
    known = mapping(data.get("connections"))
    for path, name in named(data):
        if name not in known:
            what = f"there is no connection {name!r}"
            yield Mistake(path=path, what=what, instead=pick(name, known))


def named(data: Data) -> Iterator[tuple[Path, str]]:
    """Each place that names a connection, and the name."""
    places: list[tuple[Path, object]] = [
        (("senders", i, "connection"), mapping(sender).get("connection"))
        for i, sender in enumerate(items(data.get("senders")))
    ]
    places += [
        (("webhooks", name, "connection"), hook.get("connection"))
        for name, hook in described(data, "webhooks")
    ]
    for name, connection in described(data, "connections"):
        runners = enumerate(items(connection.get("code_of")))
        places += [(("connections", name, "code_of", i), runner) for i, runner in runners]
    for asset, rule in described(data, "assets"):
        for side in ("target", "source"):
            table = mapping(rule.get(side))
            places += [
                (("assets", asset, side, k), table.get(k)) for k in ("connection", "replica")
            ]
    return ((path, name) for path, name in places if isinstance(name, str))


def addresses(data: Data) -> Iterator[Mistake]:
    """Connections without the address their kind needs, or with one of another kind."""
    for name, connection in described(data, "connections"):
        path, kind = ("connections", name), str(connection.get("kind"))
        needs = KINDS.get(kind)
        if needs is None:
            continue
        value = connection.get(needs.key)
        if value is None and not needs.on_call:
            instead = f"{needs.key}: {needs.example}"
            yield Mistake(path=path, what=f"{a_or_an(kind)} needs {needs.key}", instead=instead)
        elif isinstance(value, str) and needs.begins and not value.startswith(needs.begins):
            what = f"this is no address of {a_or_an(kind)}"
            yield Mistake(path=(*path, needs.key), what=what, instead=needs.example)
        if not runs(kind) and connection.get("jobs"):
            instead = f"name them under a connection of kind {orchestrators()}"
            yield Mistake(
                path=(*path, "jobs"), what=f"{a_or_an(kind)} runs no jobs", instead=instead
            )


def jobs(data: Data) -> Iterator[Mistake]:
    """Names that can't be those of jobs there, and accounts that are not told."""
    for name, connection in described(data, "connections"):
        path, kind = ("connections", name), connection.get("kind")
        url = connection.get("url")
        if kind == "dbt_cloud" and isinstance(url, str) and not _ACCOUNT.search(url):
            what = "this names no account"
            yield Mistake(path=(*path, "url"), what=what, instead=KINDS["dbt_cloud"].example)
        for job in mapping(connection.get("jobs")) if kind == "prefect" else ():
            if isinstance(job, str) and job.count("/") != 1:
                instead = "<flow>/<deployment>"
                what = f"{job!r} names no deployment"
                yield Mistake(path=(*path, "jobs", job), what=what, instead=instead)


def expected(data: Data) -> Iterator[Mistake]:
    """Runs that are expected where nothing tells when they should come, and words only Dagster knows."""
    for name, connection in described(data, "connections"):
        path, kind = ("connections", name), connection.get("kind")
        if connection.get("expected") and not schedules(kind):
            what = f"{a_or_an(kind)} does not tell when a run should come"
            instead = "leave it out: its failures are seen all the same"
            yield Mistake(path=(*path, "expected"), what=what, instead=instead)
        for job, rule in described(connection, "jobs") if kind != "dagster" else ():
            if rule.get("location"):
                what = f"{a_or_an(kind)} has no code locations"
                where = (*path, "jobs", job, "location")
                yield Mistake(path=where, what=what, instead="leave it out")


def variables(data: Data) -> Iterator[Mistake]:
    """Two connections, or one and Slack, that would read their secrets from one variable."""
    taken = dict.fromkeys(_SLACKS, "Slack")
    for name, _ in described(data, "connections"):
        mine = [stem(name) + end for end in ENDS]
        clash = next((variable for variable in mine if variable in taken), None)
        if clash:
            what = f"{clash} would be read for it and for {taken[clash]} too"
            yield Mistake(path=("connections", name), what=what, instead="rename one of them")
        taken |= dict.fromkeys(mine, name)


def senders(data: Data) -> Iterator[Mistake]:
    """The same bot or app twice: which connection would its alerts speak about?"""
    seen: dict[str, int] = {}
    for i, sender in enumerate(items(data.get("senders"))):
        for key in ("bot_id", "app_id"):
            given = mapping(sender).get(key)
            if not isinstance(given, str):
                continue
            if given in seen:
                what = f"{given} already speaks in senders[{seen[given]}]"
                yield Mistake(path=("senders", i, key), what=what, instead="keep one of the two")
            seen.setdefault(given, i)
