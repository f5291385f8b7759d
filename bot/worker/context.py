"""What every kind of work has at hand."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.clock import Clock
from bot.metrics import Metrics
from bot.outbox import mails, shows
from bot.ports import (
    Anchor,
    Announcer,
    Answerer,
    Change,
    ClaimLost,
    Directory,
    Due,
    History,
    NewDue,
    Postman,
    Spend,
    StaleIncident,
    Stop,
    Store,
)
from connectors.base import Actuator, Orchestrator, Reader
from connectors.dbt import DbtManifest
from policies.events import Entry, Event
from policies.incident import Incident
from policies.lifecycle import replay
from policies.rules import Domain, Rules
from policies.signal import Sender


class DomainGone(LookupError):
    """An incident's domain is not in dw.yml any more: nobody is known who may decide. It goes to a person."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pace:
    """How often the world is looked at. Seconds."""

    follow: float = 5
    watch: float = 10
    gate: float = 10
    look_up: float = 5
    look_ups: int = 6
    lease: timedelta = timedelta(seconds=60)
    attempts: int = 24


@dataclass(frozen=True, kw_only=True, slots=True)
class Systems:
    """The readers and actuators that the catalogue built. No actuator: no way to change anything.

    `manifests` are files that tell what feeds what.
    """

    readers: Mapping[str, Reader] = field(default_factory=dict)
    orchestrators: Mapping[str, Orchestrator] = field(default_factory=dict)
    actuators: Mapping[str, Actuator] = field(default_factory=dict)
    manifests: Sequence[DbtManifest] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Context:
    """The ports, the rules and the pace. Built once by the composition root.

    `alerts`: alerts are taken up one after another, so that each sees what the one before it opened;
    between replicas the store tells.
    """

    store: Store
    announcer: Announcer
    directory: Directory
    answerer: Answerer
    systems: Systems
    rules: Rules
    clock: Clock
    own: Sender
    pace: Pace = field(default_factory=Pace)
    anchor: Anchor | None = None
    history: History | None = None
    postman: Postman | None = None
    metrics: Metrics = field(default_factory=Metrics)
    alerts: asyncio.Lock = field(default_factory=asyncio.Lock)

    def now(self) -> datetime:
        """Now, UTC."""
        return self.clock.now()

    def later(self, seconds: float) -> datetime:
        """Now and some seconds, UTC."""
        return self.clock.now() + timedelta(seconds=seconds)

    async def hold(self, due: Due) -> None:
        """Just before something goes out: raises `ClaimLost` when this is somebody else's work by now.

        More than half of a lease ahead is sure; with less, the database is asked.
        """
        now, lease = self.now(), self.pace.lease
        if due.claimed_until - now > lease / 2:
            return
        if due.id not in await self.store.renew([due], now + lease):
            raise ClaimLost(f"{due.key}: {ClaimLost.__doc__}")

    def domain(self, incident: Incident) -> Domain:
        """The domain's rules as dw.yml has them now. Raises `DomainGone`."""
        found = self.rules.domains.get(incident.domain)
        if found is None:
            raise DomainGone(
                f"the domain {incident.domain!r} is not in dw.yml any more, so nobody is known who may decide"
            )
        return found

    async def stopped(self, incident: Incident, connection: str | None = None) -> Stop | None:
        """The stop that halts this incident, or this connection for it."""
        scopes = [f"domain:{incident.domain}"]
        if connection is not None:
            scopes.append(f"connection:{connection}")
        return await self.store.stopped(*scopes)

    async def incident(self, due: Due) -> Incident:
        """The incident this row is about; it exists, since the row was written with it."""
        found = await self.store.load(due.incident_id or "")
        if found is None:
            raise StaleIncident(f"{due.incident_id} is not in the database")
        return found

    async def story(self, due: Due) -> tuple[Incident, Sequence[Entry]]:
        """The same with its journal, read once."""
        name = due.incident_id or ""
        entries = await self.store.entries(name)
        if not entries:
            raise StaleIncident(f"{name} is not in the database")
        return replay(name, entries), entries

    async def commit(
        self,
        incident: Incident,
        *events: Event,
        done: Due | None = None,
        due: tuple[NewDue, ...] = (),
        keys: tuple[str, ...] = (),
        spend: Spend | None = None,
    ) -> Incident:
        """Append events, with the rows that show them, in one transaction. Raises `StaleIncident`."""
        change = self.change(incident, *events, due=due, keys=keys)
        return await self.store.commit(replace(change, spend=spend, done=done)) or incident

    def change(
        self,
        incident: Incident,
        *events: Event,
        due: tuple[NewDue, ...] = (),
        keys: tuple[str, ...] = (),
    ) -> Change:
        """These events with the rows that show them, for whoever commits several incidents at once."""
        now = self.now()
        letters = mails(incident, events, now) if self.postman else ()
        return Change(
            incident_id=incident.id,
            base=incident.version,
            at=now,
            events=events,
            due=(*due, *shows(incident, events, now), *letters),
            keys=keys,
        )
