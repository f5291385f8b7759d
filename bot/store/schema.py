"""Brings the schema up to date, on both databases, in one transaction that only one process is in.

Alembic is loaded when there is something to upgrade; to see that there is not takes one query.

Replicas are upgraded one after the other, so an older version may find a schema that it does not know.
Whoever upgrades therefore notes the oldest schema whose code may go on working: a migration that only
adds what old code need not know says so with `COMPATIBLE_SINCE = "0007"`; one that says nothing needs
every replica stopped first.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, inspect, select, text

from bot.store.engine import Database
from bot.store.errors import NewerSchema
from bot.store.tables import compatible

_FOLDER = Path(__file__).parent / "migrations"
_NOTED = "alembic_version"
_LOCK = 0x6477  # "dw": what replicas that start together queue for


async def migrate(url: str, *, to: str = "head") -> None:
    """Upgrade the database at `url`. Nothing is written when it is up to date.

    A newer schema that this version may work on is left as it is; `NewerSchema`, nothing changed, for any other.
    """
    database = Database(url)
    await database.reach()
    try:
        async with database.read() as connection:
            found = await connection.run_sync(current)
            if to == "head" and found is not None and found >= head():
                return
        async with database.write() as connection:
            if connection.dialect.name == "postgresql":
                await connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
            await connection.run_sync(_upgrade, to)
    finally:
        await database.close()


def revisions() -> tuple[str, ...]:
    """Every schema this version knows, oldest first: `m0001_first.py` makes `0001`."""
    files = (_FOLDER / "versions").glob("m[0-9]*.py")
    return tuple(sorted(file.name[1:].partition("_")[0] for file in files))


def head() -> str:
    """The schema this version works with."""
    return revisions()[-1]


def current(connection: Connection) -> str | None:
    """The schema the database has, None when it is empty; `NewerSchema` when we may not work on it."""
    if not inspect(connection).has_table(_NOTED):
        return None
    noted = connection.execute(text(f"SELECT version_num FROM {_NOTED}"))  # noqa: S608 - our own word
    found: str | None = noted.scalar_one_or_none()
    if found is not None and found not in revisions():
        _check_compatible(connection, found)
    return found


def _check_compatible(connection: Connection, found: str) -> None:
    since = connection.execute(select(compatible.c.since)).scalar_one_or_none()
    if since is None or since > head():
        raise NewerSchema(
            f"The database has schema {found}; this version knows up to {head()}, and {found} needs "
            f"at least {since or found}. Nothing was changed. Install the newer version again, or "
            "restore a backup."
        )


def _upgrade(connection: Connection, to: str) -> None:
    from alembic import command  # noqa: PLC0415 - a tenth of the memory, for a process that rarely needs it

    found = current(connection)
    if found is not None and found > head():
        return
    config = _config(connection=connection)
    command.upgrade(config, to)
    _note_compatible(connection, config)


def _note_compatible(connection: Connection, config: Any) -> None:
    from alembic.script import ScriptDirectory  # noqa: PLC0415 - the same

    if not inspect(connection).has_table(compatible.name):
        return
    steps = ScriptDirectory.from_config(config).walk_revisions(head=str(current(connection)))
    said = {s.revision: getattr(s.module, "COMPATIBLE_SINCE", s.revision) for s in steps}
    connection.execute(compatible.delete())
    connection.execute(compatible.insert().values(since=oldest(said)))


def oldest(said: Mapping[str, str]) -> str:
    """The oldest schema whose code may work on the newest; `said` is what each says of itself, newest first.

    Code must be able to bear every migration that came after it.
    """
    needed = ""
    for revision, since in said.items():
        if revision <= needed:
            break
        needed = max(needed, since)
    return needed


def _config(**attributes: Any) -> Any:
    from alembic.config import Config  # noqa: PLC0415 - the same

    config = Config(attributes=attributes)
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    return config
