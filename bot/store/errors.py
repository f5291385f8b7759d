"""What can go wrong below, and what the use cases are told: one mapping for both databases.

    StaleIncident        a lost race: unique or foreign key, serialisation, deadlock
    StoreUnavailable     everything else that a database says no with
    ├── Unstorable       the database is there, but can't hold this value
    └── NewerSchema      the database is ahead of this version
    Unreadable           one row of another version, or a damaged one: waiting won't mend it

An answer lost during COMMIT counts as unavailable although it may be stored. That is safe: `receive`
knows its key the second time, and a second `commit` on the same base is stale.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError, StatementError

from bot.ports import StaleIncident, StoreUnavailable, Unstorable

_POSTGRES_RACES = frozenset({"23503", "23505", "40001", "40P01", "55P03"})
_POSTGRES_BAD_VALUE = "22"  # the class of data exceptions: NUL in text, a date out of range
_SQLITE_RACES = frozenset(
    {"SQLITE_CONSTRAINT_FOREIGNKEY", "SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE"}
)


class Unreadable(RuntimeError):
    """The database holds something this version can't read. Nothing was changed."""


class NewerSchema(StoreUnavailable):
    """A newer version has used this database. Nothing was changed. Install that version again."""


@contextmanager
def translated() -> Iterator[None]:
    """Raise what the ports promise, from what the database said."""
    try:
        yield
    except DBAPIError as error:
        if _is_race(error):
            raise StaleIncident(StaleIncident.__doc__) from error
        if str(getattr(error.orig, "sqlstate", None)).startswith(_POSTGRES_BAD_VALUE):
            raise Unstorable(f"{Unstorable.__doc__} {error.orig}") from error
        raise unavailable(error) from error
    except StatementError as error:
        # A value that can't be bound is the caller's mistake, not the database's.
        raise (error.orig or error) from error
    except (SQLAlchemyError, OSError, TimeoutError) as error:
        raise unavailable(error) from error


def unavailable(error: BaseException) -> StoreUnavailable:
    """Which says in one line what the database said."""
    said = " ".join(str(getattr(error, "orig", None) or error).split())
    return StoreUnavailable(
        f"The database could not be read or written ({said or type(error).__name__}). Nothing was "
        "stored; whatever needs a yes waits. Look at the database, then run `dw doctor`."
    )


def _is_race(error: DBAPIError) -> bool:
    state = getattr(error.orig, "sqlstate", None)
    name = getattr(error.orig, "sqlite_errorname", None)
    return state in _POSTGRES_RACES or name in _SQLITE_RACES
