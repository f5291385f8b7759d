"""Brings the schema up to date, on both databases, in one transaction that only one process is in."""

from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from bot.store.engine import Database
from bot.store.errors import NewerSchema

_FOLDER = Path(__file__).parent / "migrations"
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


def head() -> str:
    """The schema this version works with."""
    return str(_script().get_current_head())


def current(connection: Connection) -> str | None:
    """The schema the database has, None when it is empty; `NewerSchema` when we don't know it."""
    found = MigrationContext.configure(connection).get_current_revision()
    known = {revision.revision for revision in _script().walk_revisions()}
    if found is not None and found not in known:
        raise NewerSchema(
            f"The database has schema {found}; this version knows up to {head()}. Nothing was "
            "changed. Install the newer version again, or restore a backup."
        )
    return found


def _upgrade(connection: Connection, to: str) -> None:
    current(connection)
    command.upgrade(_config(connection=connection), to)


def _script() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())


def _config(**attributes: Any) -> Config:
    config = Config(attributes=attributes)
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    return config
