"""Incidents and their facts: compare, append, swap, in one transaction with all that follows from them.

The row in `incident` is what the journal adds up to, kept for lists and for the compare-and-swap. The
state itself is always the journal replayed; what an incident is can't differ from what happened to it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ports import Change, IncidentLine, StaleIncident
from bot.store import due, levels, occasions, receipts
from bot.store.codec import decode_event, encode
from bot.store.engine import insert
from bot.store.part import Part
from bot.store.remembered import Story
from bot.store.tables import counter, incident, incident_key, journal
from policies.events import Entry, IncidentOpened
from policies.incident import Incident, Phase
from policies.lifecycle import InvalidTransition, advance, open_incident

_CLOSED = [phase.value for phase in Phase if phase.closed]


class SqlJournal(Part):
    """The `Journal` port."""

    async def next_id(self) -> str:
        """A fresh incident id such as `DW-17`; gaps are allowed, repeats are not."""
        async with self.database.write() as connection:
            statement = insert(connection, counter).values(name="incident", value=1)
            upsert = statement.on_conflict_do_update(
                index_elements=[counter.c.name], set_={"value": counter.c.value + 1}
            )
            number = (await connection.execute(upsert.returning(counter.c.value))).scalar_one()
        return f"DW-{number}"

    async def commit(self, change: Change) -> Incident | None:
        """Append, advance, compare and swap, all in one transaction.

        Raises `StaleIncident` on any lost race and `InvalidTransition` for events that can't follow.
        """
        (after,) = await self.commit_all((change,))
        return after

    async def commit_all(self, changes: Sequence[Change]) -> Sequence[Incident | None]:
        """The same for several incidents: all of it or nothing."""
        afters = []
        for change in changes:
            before = await self.load(change.incident_id) if change.events else None
            afters.append(_after(before, change))
        async with self.database.write() as connection:
            for change, after in zip(changes, afters, strict=True):
                await _write(connection, change, after)
        return afters

    async def load(self, incident_id: str) -> Incident | None:
        """The state that the journal adds up to. `InvalidTransition` when it can't be true."""
        return (await self._story(incident_id)).state

    async def entries(self, incident_id: str) -> Sequence[Entry]:
        """The journal in order. `InvalidTransition` when it can't be true."""
        return (await self._story(incident_id)).entries

    async def _story(self, incident_id: str) -> Story:
        known = self.remembered.get(incident_id)
        newer = (journal.c.incident_id == incident_id, journal.c.seq > len(known.entries))
        query = select(journal).where(*newer).order_by(journal.c.seq)
        async with self.database.read() as connection:
            rows = (await connection.execute(query)).all()
        story = known.and_then(incident_id, [_entry(row) for row in rows])
        if story.entries:
            self.remembered.keep(incident_id, story)
        return story

    async def facts(self, name: str, since: datetime) -> Sequence[tuple[str, Entry]]:
        """Every fact of this kind since then with the domain of its incident, oldest first."""
        query = (
            select(journal, incident.c.domain)
            .join(incident, incident.c.id == journal.c.incident_id)
            .where(journal.c.name == name, journal.c.at >= since)
            .order_by(journal.c.at, journal.c.incident_id, journal.c.seq)
        )
        async with self.database.read() as connection:
            rows = (await connection.execute(query)).all()
        return [(row.domain, _entry(row)) for row in rows]

    async def find(self, keys: Sequence[str]) -> str | None:
        """The open incident that answers to any of these keys, the oldest first."""
        query = (
            select(incident.c.id)
            .join(incident_key, incident_key.c.incident_id == incident.c.id)
            .where(incident_key.c.key.in_(keys))
            .order_by(incident.c.opened_at, incident.c.row)
            .limit(1)
        )
        async with self.database.read() as connection:
            return (await connection.execute(query)).scalar_one_or_none()

    async def incidents(self, *, open_only: bool, limit: int) -> Sequence[IncidentLine]:
        """Newest first."""
        newest = (incident.c.opened_at.desc(), incident.c.row.desc())
        query = select(incident).order_by(*newest).limit(limit)
        if open_only:
            query = query.where(incident.c.phase.not_in(_CLOSED))
        async with self.database.read() as connection:
            rows = (await connection.execute(query)).all()
        return [_line(row) for row in rows]


async def _write(connection: AsyncConnection, change: Change, after: Incident | None) -> None:
    phase = await _swap(connection, change, after)
    await _append(connection, change)
    await _keep_keys(connection, change, phase)
    await occasions.note(connection, change)
    if change.receipt is not None:
        await receipts.append(connection, change.receipt)
    for entry in change.levels:
        await levels.append(connection, entry)
    if change.spend is not None:
        await levels.spend(connection, change.spend)
    if change.done is not None:
        await due.done(connection, change.done)
    await due.forget(connection, change.cancel)
    await due.wish(connection, change.due)


def _entry(row: Any) -> Entry:
    return Entry(seq=row.seq, at=row.at, event=decode_event(row.name, row.body))


def _after(before: Incident | None, change: Change) -> Incident | None:
    """The state with these events. A version that moved already is stale before it is impossible."""
    if not change.events:
        return None
    if (before.version if before else 0) != change.base:
        raise stale(change)
    first, *rest = change.events
    if before is not None:
        after = advance(before, first, change.at)
    elif isinstance(first, IncidentOpened):
        after = open_incident(change.incident_id, first, change.at)
    else:
        raise InvalidTransition("new", type(first).__name__)
    for event in rest:
        after = advance(after, event, change.at)
    return after


def stale(change: Change) -> StaleIncident:
    """Names the incident and the version that is gone."""
    return StaleIncident(
        f"{change.incident_id} is not at version {change.base} any more: somebody else changed it "
        "first. Nothing was stored; load it again and look."
    )


async def _swap(
    connection: AsyncConnection, change: Change, after: Incident | None
) -> Phase | None:
    """Put the new state in place of the version it was decided on; the phase it is in then."""
    if after is None:
        return await _compare(connection, change)
    row = _row(after)
    if change.base == 0:
        await connection.execute(insert(connection, incident).values(row))
        return after.phase
    mine = (incident.c.id == change.incident_id, incident.c.version == change.base)
    swapped = await connection.execute(update(incident).where(*mine).values(row))
    if swapped.rowcount != 1:
        raise stale(change)
    return after.phase


async def _compare(connection: AsyncConnection, change: Change) -> Phase | None:
    """Without events the version must still be the one that was looked at."""
    query = select(incident.c.version, incident.c.phase).where(incident.c.id == change.incident_id)
    row = (await connection.execute(query.with_for_update())).first()
    if (row.version if row else 0) != change.base:
        raise stale(change)
    return Phase(row.phase) if row else None


async def _append(connection: AsyncConnection, change: Change) -> None:
    if change.events:
        await connection.execute(insert(connection, journal), _lines(change))


async def _keep_keys(connection: AsyncConnection, change: Change, phase: Phase | None) -> None:
    """Answer to these keys while open; let go of all of them when closed.

    A key that another open incident has stops a new incident from opening; one that is open already
    leaves it to that other.
    """
    mine = incident_key.c.incident_id == change.incident_id
    if phase is None or phase.closed:
        await connection.execute(delete(incident_key).where(mine))
        return
    keys = sorted(set(change.keys))  # sorted: two replicas must not wait for each other
    if not keys:
        return
    new = [{"key": key, "incident_id": change.incident_id} for key in keys]
    await connection.execute(insert(connection, incident_key).on_conflict_do_nothing(), new)
    if change.base > 0:
        return
    query = select(incident_key.c.key).where(incident_key.c.key.in_(keys), ~mine)
    if (await connection.execute(query)).first() is not None:
        raise stale(change)


def _lines(change: Change) -> list[dict[str, Any]]:
    lines = []
    for seq, event in enumerate(change.events, start=change.base + 1):
        name, body = encode(event)
        line = {"incident_id": change.incident_id, "seq": seq, "at": change.at}
        lines.append(line | {"name": name, "body": body})
    return lines


def _row(state: Incident) -> dict[str, Any]:
    return {
        "id": state.id,
        "version": state.version,
        "phase": state.phase.value,
        "title": state.title,
        "domain": state.domain,
        "channel": state.channel,
        "opened_at": state.opened_at,
        "updated_at": state.updated_at,
    }


def _line(row: Any) -> IncidentLine:
    return IncidentLine(
        id=row.id,
        phase=Phase(row.phase),
        title=row.title,
        domain=row.domain,
        channel=row.channel,
        opened_at=row.opened_at,
        updated_at=row.updated_at,
    )
