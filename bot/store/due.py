"""Timer, outbox and job queue in one table. Done rows are deleted: what happened is in the journal.

A row has at most one claim and at most two wishes: the one that is being worked on, and the newest that
came since (`again_at`). A claim has a name of its own; its lease is prolonged while the work is in hand.
A claimer that comes back when somebody else has taken the row may neither finish it nor give it back.
"""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    and_,
    case,
    delete,
    false,
    func,
    null,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ports import ClaimLost, Due, DueStats, Lane, NewDue
from bot.store.engine import insert
from bot.store.part import Part
from bot.store.tables import due as rows


class SqlDue(Part):
    """The `DueTable` port."""

    async def add(self, due: Sequence[NewDue], *, keep: bool = False) -> None:
        """Write rows on their own. With `keep`, a row that is there already stays as it is."""
        if not due:
            return
        async with self.database.write() as connection:
            if keep:
                new = insert(connection, rows).on_conflict_do_nothing()
                await connection.execute(new, [_row(one) for one in due])
            else:
                await wish(connection, due)

    async def claim(self, now: datetime, *, limit: int, lease: timedelta) -> Sequence[Due]:
        """Take rows that are due and free, each by one claimer only, by lane and time."""
        claim = {"claimed_until": now + lease, "claim": secrets.token_hex(8)}
        async with self.database.write() as connection:
            found = (await connection.execute(_claim(now, claim, limit))).all()
        return sorted((_due(row) for row in found), key=lambda due: (due.lane, due.at, due.id))

    async def renew(self, due: Sequence[Due], until: datetime) -> set[int]:
        """Prolong these claims; the ids of those that are still ours."""
        mine = or_(false(), *map(_still_claimed, due))
        prolong = update(rows).where(mine).values(claimed_until=until).returning(rows.c.id)
        async with self.database.write() as connection:
            return set((await connection.execute(prolong)).scalars())

    async def free(self) -> int:
        """Let go of every claim: for the one process of an SQLite file, before it claims anything.

        What a killed process had in hand is due at once then, instead of when its lease ends.
        """
        async with self.database.write() as connection:
            free = update(rows).where(rows.c.claimed_until.is_not(None))
            return (await connection.execute(free.values(claimed_until=None))).rowcount

    async def finish(self, due: Due, also: Sequence[NewDue] = ()) -> None:
        """Done; and write `also` in the same transaction. Raises `ClaimLost`; see `done`."""
        async with self.database.write() as connection:
            await done(connection, due)
            await wish(connection, also)

    async def again(
        self, due: Due, at: datetime, *, error: str | None = None, counts: bool = True
    ) -> None:
        """Give it back for later. With `error` it was tried, and counts as a failed attempt unless said.

        A wish that came meanwhile and wants it earlier gets it earlier.
        """
        values: dict[str, Any] = {"at": _earlier(rows.c.again_at, at), "again_at": None}
        values |= {"error": error} if error else {}
        values |= {} if error and counts else {"attempts": rows.c.attempts - 1}
        async with self.database.write() as connection:
            await connection.execute(
                update(rows).where(_still_claimed(due)).values(claimed_until=None, **values)
            )

    async def poison(self, due: Due, error: str) -> None:
        """Stop retrying; it shows in `stats` until a person looks, or until somebody wishes it anew."""
        values = {"claimed_until": None, "poisoned": True, "error": error}
        async with self.database.write() as connection:
            given_up = update(rows).where(_still_claimed(due), rows.c.again_at.is_(None))
            if not (await connection.execute(given_up.values(**values))).rowcount:
                await _release_newer(connection, due)

    async def pending(self, kind: str, incident_id: str) -> bool:
        """True while a row of this kind waits for this incident, claimed or not."""
        these = (rows.c.kind == kind, rows.c.incident_id == incident_id, ~rows.c.poisoned)
        async with self.database.read() as connection:
            found = await connection.execute(select(rows.c.id).where(*these).limit(1))
            return found.first() is not None

    async def next_at(self) -> datetime | None:
        """When the next free row is due; a claimed row is free when its lease ends."""
        free_at = func.coalesce(rows.c.claimed_until, rows.c.at, type_=rows.c.at.type)
        async with self.database.read() as connection:
            query = select(func.min(free_at, type_=rows.c.at.type)).where(~rows.c.poisoned)
            at: datetime | None = (await connection.execute(query)).scalar_one()
        return at

    async def stats(self, now: datetime) -> DueStats:
        """How the work stands."""
        oldest = func.min(rows.c.at, type_=rows.c.at.type)
        waiting = select(func.count(), oldest).where(_free(now))
        async with self.database.read() as connection:
            count, first = (await connection.execute(waiting)).one()
            keys = select(rows.c.key).where(rows.c.poisoned).order_by(rows.c.id)
            poisoned = (await connection.execute(keys)).scalars().all()
        age = (now - first).total_seconds() if first else 0.0
        return DueStats(waiting=count, oldest_seconds=age, poisoned=tuple(poisoned))


async def wish(connection: AsyncConnection, due: Sequence[NewDue]) -> None:
    """Write rows as `NewDue` says, in a transaction somebody else began."""
    if not due:
        return
    statement = insert(connection, rows)
    new = statement.excluded
    claimed = rows.c.claimed_until.is_not(None)
    changes = {
        "kind": new.kind,
        "payload": new.payload,
        "incident_id": func.coalesce(new.incident_id, rows.c.incident_id),
        "lane": case((new.lane < rows.c.lane, new.lane), else_=rows.c.lane),
        "at": case(
            (claimed, rows.c.at),
            (or_(rows.c.poisoned, new.at < rows.c.at), new.at),
            else_=rows.c.at,
        ),
        "again_at": case((claimed, _earlier(rows.c.again_at, new.at)), else_=null()),
        "generation": rows.c.generation + 1,
        "attempts": case((rows.c.poisoned, 0), else_=rows.c.attempts),
        "poisoned": False,
    }
    await connection.execute(
        statement.on_conflict_do_update(index_elements=[rows.c.key], set_=changes),
        [_row(one) for one in due],
    )


async def done(connection: AsyncConnection, due: Due) -> None:
    """Finish a claimed row, in a transaction somebody else began. Raises `ClaimLost`: undo it then.

    First the row, then the newer wish: whoever wishes in between waits for the first of the two, so
    the second sees it. The other way round it would be seen by neither.
    """
    same = (rows.c.generation == due.generation, rows.c.again_at.is_(None))
    if (await connection.execute(delete(rows).where(_still_claimed(due), *same))).rowcount:
        return
    if not await _release_newer(connection, due):
        raise ClaimLost(f"{due.key}: {ClaimLost.__doc__}")


async def forget(connection: AsyncConnection, keys: Sequence[str]) -> None:
    """Delete rows that no longer matter, in a transaction somebody else began."""
    if keys:
        await connection.execute(delete(rows).where(rows.c.key.in_(keys)))


async def _release_newer(connection: AsyncConnection, due: Due) -> bool:
    """Give the row back for the wish that came while it was claimed, as if it were new."""
    freed = await connection.execute(
        update(rows)
        .where(_still_claimed(due), rows.c.again_at.is_not(None))
        .values(at=rows.c.again_at, again_at=None, claimed_until=None, attempts=0, error=None)
    )
    return freed.rowcount > 0


def _claim(now: datetime, claim: Mapping[str, Any], limit: int) -> Any:
    # A CTE, because a subquery with LIMIT and SKIP LOCKED may be run more than once by PostgreSQL.
    chosen = (
        select(rows.c.id)
        .where(_free(now))
        .order_by(rows.c.lane, rows.c.at, rows.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("chosen")
    )
    covered = case((rows.c.again_at <= now, null()), else_=rows.c.again_at)
    return (
        update(rows)
        .where(rows.c.id.in_(select(chosen.c.id)))
        .values(attempts=rows.c.attempts + 1, again_at=covered, **claim)
        .returning(rows)
    )


def _free(now: datetime) -> ColumnElement[bool]:
    lease_over = or_(rows.c.claimed_until.is_(None), rows.c.claimed_until <= now)
    return and_(rows.c.at <= now, ~rows.c.poisoned, lease_over)


def _still_claimed(due: Due) -> ColumnElement[bool]:
    """By the claim's name; and by the count, for an older version of dw takes rows without a name."""
    named = and_(rows.c.claim == due.claim, rows.c.attempts == due.attempts)
    return and_(rows.c.id == due.id, rows.c.claimed_until.is_not(None), named)


def _earlier(one: ColumnElement[Any], other: Any) -> ColumnElement[Any]:
    return case((one < other, one), else_=other)


def _row(new: NewDue) -> dict[str, Any]:
    return {
        "key": new.key,
        "kind": new.kind,
        "at": new.at,
        "lane": int(new.lane),
        "incident_id": new.incident_id,
        "payload": dict(new.payload),
        "attempts": 0,
        "generation": 1,
        "poisoned": False,
    }


def _due(row: Row[Any]) -> Due:
    return Due(
        id=row.id,
        kind=row.kind,
        key=row.key,
        at=row.at,
        lane=Lane(row.lane),
        incident_id=row.incident_id,
        payload=row.payload,
        attempts=row.attempts,
        generation=row.generation,
        claimed_until=row.claimed_until,
        claim=row.claim,
        tried=row.attempts > 1 or row.error is not None,
    )
