"""Brings the schema up to date, on both databases, in one transaction that only one process is in.

Alembic is loaded when there is something to upgrade; to see that there is not takes one query.
"""

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, inspect, text

from bot.store.engine import Database
from bot.store.errors import NewerSchema

_FOLDER = Path(__file__).parent / "migrations"
_NOTED = "alembic_version"
_LOCK = 0x6477  # "dw": what replicas that start together queue for


async def migrate(url: str, *, to: str = "head") -> None:
    """Upgrade the database at `url`. Nothing is written when it is up to date.

    Raises `NewerSchema`, nothing changed, when a newer version has used it.
    """
    database = Database(url)
    await database.reach()
    try:
        async with database.read() as connection:
            if await connection.run_sync(current) == head() and to == "head":
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
    """The schema the database has, None when it is empty; `NewerSchema` when we don't know it."""
    if not inspect(connection).has_table(_NOTED):
        return None
    noted = connection.execute(text(f"SELECT version_num FROM {_NOTED}"))  # noqa: S608 - our own word
    found: str | None = noted.scalar_one_or_none()
    if found is not None and found not in revisions():
        raise NewerSchema(
            f"The database has schema {found}; this version knows up to {head()}. Nothing was "
            "changed. Install the newer version again, or restore a backup."
        )
    return found


def _upgrade(connection: Connection, to: str) -> None:
    from alembic import command  # noqa: PLC0415 - a tenth of the memory, for a process that rarely needs it

    current(connection)
    command.upgrade(_config(connection=connection), to)


def _config(**attributes: Any) -> Any:
    from alembic.config import Config  # noqa: PLC0415 - the same

    config = Config(attributes=attributes)
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    return config
