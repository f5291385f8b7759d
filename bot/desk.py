"""Takes commands and questions: fast, our database only, everything committed before it returns."""

from asyncio import Event as Wake
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot import batches
from bot.clock import Clock
from bot.commands import Decide, LiftStop, Received, StopAll
from bot.estate import ConnectionLine, lines_of
from bot.outbox import everywhere, intake_due
from bot.ports import DueStats, HookCount, IncidentLine, Lift, Stop, Store, refusing
from policies import escalation
from policies.absence import leads_nowhere
from policies.approval import ApprovalRule
from policies.autonomy.levels import EVERY, Level, rank
from policies.autonomy.overview import ClassLevel, DomainLevels, Known, overview
from policies.autonomy.setting import Ask, needed, now_in_force, refusal
from policies.events import Entry, ShadowSeen
from policies.holding import held
from policies.incident import Incident, RequestState, names
from policies.people import Absence, Person
from policies.plan import Step
from policies.receipt import Receipt
from policies.rules import Rules
from policies.sources import Sources, shown_to

_LOOK_BACK = 200
Held = tuple[Incident, Step]
_A_DAY = timedelta(days=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Status:
    """How things stand: open incidents, the work waiting, every stop in force, and what these hold.

    `refusing` are webhooks that refused the last they got.
    """

    open: Sequence[IncidentLine]
    stats: DueStats
    stops: Sequence[Stop]
    held: Sequence[Held]
    refusing: Sequence[HookCount] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class WouldSet:
    """The level `before`, how many `people` it takes, and what is `known` of the classes it is about."""

    before: Level
    people: int
    known: Sequence[ClassLevel]


class Desk:
    """The use cases that answer at once. `wake` tells the worker that something is due.

    `no_actuator` says of a connection why nothing may be changed there.

    In a burst it is told after the last of it: every ack goes before the work that the first one makes.
    """

    def __init__(
        self,
        store: Store,
        rules: Rules,
        clock: Clock,
        wake: Wake,
        no_actuator: Mapping[str, str] | None = None,
    ) -> None:
        self._store, self._rules, self._clock, self._wake = store, rules, clock, wake
        self._no_actuator = no_actuator or {}
        self._arriving = 0

    async def receive(self, item: Received) -> bool:
        """Store what arrived and the wish to take it up, before its ack. False: it is known already."""
        self._arriving += 1
        try:
            return await self._store.receive(item, intake_due(item))
        finally:
            self._arriving -= 1
            if not self._arriving:
                self._wake.set()

    def arriving(self) -> bool:
        """True while something is being stored whose ack waits for it."""
        return self._arriving > 0

    async def arrived(self, place: str) -> bool:
        """True when something was received from this place."""
        return not await self._store.missing((place,))

    async def receive_all(self, items: Sequence[Received]) -> int:
        """Store all of them in one transaction, or none; how many were new."""
        new = await self._store.receive_all([(item, intake_due(item)) for item in items])
        self._wake.set()
        return new

    async def decide_all(self, one: Decide, count: int, raw: str) -> bool:
        """Somebody answered a list at once; see `bot.batches.decide_all`."""
        stored = await batches.decide_all(self._store, one, count, raw)
        self._wake.set()
        return stored

    def scope(self, words: str) -> tuple[str, str]:
        """What typed words want to halt, and the words that are left: a domain, a connection or all."""
        name, _, rest = words.strip().partition(" ")
        if name in self._rules.domains:
            return f"domain:{name}", rest.strip()
        if name in self._rules.connections:
            return f"connection:{name}", rest.strip()
        return "*", words.strip()

    def scopes(self) -> tuple[str, ...]:
        """All that may be halted, the widest first."""
        rules = self._rules
        domains, connections = sorted(rules.domains), sorted(rules.connections)
        parts = [f"domain:{d}" for d in domains], [f"connection:{c}" for c in connections]
        return ("*", *parts[0], *parts[1])

    async def stop(self, command: StopAll, person: Person | None = None) -> Stop | str:
        """Halt, and return the stop in force: an earlier one stays. A reason when this person may not.

        `person` is needed only where dw.yml names who may stop.
        """
        named = set(self._rules.stoppers)
        if named and not named & {command.person, person.email if person else None}:
            return "dw.yml names who may stop: " + ", ".join(self._rules.stoppers)
        if command.scope not in self.scopes():
            return f"dw.yml has no {command.scope.replace(':', ' ')}"
        stop = Stop(by=command.person, at=command.at, reason=command.reason, scope=command.scope)
        await self._store.stop(stop)
        await self._tell_everybody(command.at)
        scopes = () if command.scope == "*" else (command.scope,)
        return await self._store.stopped(*scopes) or stop

    async def lift(self, command: LiftStop, person: Person) -> str | None:
        """Take the stop back; why not (yet), when this person may not or one more is needed."""
        admins = self._rules.admins
        if person.barred() or not {person.id, person.email} & set(admins):
            who = ", ".join(admins) or "nobody is named there"
            return f"only an admin named in dw.yml may lift it ({who})"
        people = min(self._rules.lift_needs, len(admins))
        came = await self._store.lift(command.scope, command.person, command.at, people=people)
        await self._tell_everybody(command.at)
        return None if came is Lift.LIFTED else came.value

    async def leave(self, absence: Absence) -> str | None:
        """Somebody is away from now on; why not, when their delegate leads nowhere."""
        now = self._clock.now()
        problem = leads_nowhere(await self._store.absences(now), absence)
        if problem is None:
            await self._store.leave(absence, now)
        return problem

    async def come_back(self, person: str) -> bool:
        """They are there again. False when they were not away."""
        return await self._store.come_back(person)

    async def stopped(self) -> Stop | None:
        """The stop in force over everything."""
        return await self._store.stopped()

    async def stops(self) -> Sequence[Stop]:
        """Every stop in force."""
        return await self._store.stops()

    async def lifted_since(self, at: datetime) -> bool:
        """True when some stop was lifted after this moment."""
        return bool(await self._store.stops(lifted_after=at))

    async def status(self) -> Status:
        """How things stand now; of webhooks, what is not older than a day."""
        now = self._clock.now()
        counts = [
            one for one in await self._store.hook_counts() if one.hook in self._rules.webhooks
        ]
        return Status(
            open=await self.incidents(),
            stats=await self._store.stats(now),
            stops=await self._store.stops(),
            held=await self.held(),
            refusing=[one for one in refusing(counts) if one.last_at > now - _A_DAY],
        )

    async def connections(self) -> Sequence[ConnectionLine]:
        """Every connection of dw.yml, in its order, and how well it is seen."""
        sights, stops = await self._store.sights(), await self._store.stops()
        lines = lines_of(self._rules, sights, stops, self._clock.now())
        return [replace(one, why_not=self._no_actuator.get(one.name)) for one in lines]

    async def held(self) -> Sequence[Held]:
        """Every step that has its yes and that a stop in force keeps from starting."""
        scopes = {stop.scope for stop in await self._store.stops()}
        if not scopes:
            return ()
        found: list[Held] = []
        for line in await self._store.incidents(open_only=True, limit=_LOOK_BACK):
            incident = await self._store.load(line.id)
            found += [(incident, step) for step in held(incident, scopes)] if incident else []
        return found

    async def incidents(self, *, open_only: bool = True, limit: int = 20) -> Sequence[IncidentLine]:
        """Newest first."""
        return await self._store.incidents(open_only=open_only, limit=limit)

    async def look(self, incident_id: str) -> tuple[Incident, Sequence[Entry]] | None:
        """One incident and its journal; ids are taken in any case."""
        incident = await self._store.load(incident_id.upper())
        if incident is None:
            return None
        return incident, await self._store.entries(incident.id)

    async def about(self, words: str) -> Incident | None:
        """The newest incident these words speak of, open ones first: an id, an asset or a job name."""
        lines = await self._store.incidents(open_only=False, limit=_LOOK_BACK)
        said = {word.strip("`?.,!:;\"'()<>").lower() for word in words.split()}
        for line in sorted(lines, key=lambda line: line.phase.closed):
            incident = await self._store.load(line.id)
            if incident is not None and said & names(incident):
                return incident
        return None

    async def rule_of(self, words: str) -> tuple[ApprovalRule, tuple[int, ...]] | None:
        """Who would decide a request, step, asset or job: the rule, and the hops that count."""
        for incident, state in await self.waiting():
            asked = state.request
            if words.lower() in (asked.id.lower(), incident.id.lower(), *asked.step_ids):
                return asked.rule, tuple(hop for hop, _ in asked.seats())
        rule = escalation.rule_of_asset(self._rules, words)
        return (rule, tuple(range(len(rule.chain)))) if rule else None

    async def waiting(
        self, _person_id: str | None = None
    ) -> Sequence[tuple[Incident, RequestState]]:
        """Every open request with its incident."""
        found = []
        for line in await self._store.incidents(open_only=True, limit=_LOOK_BACK):
            incident = await self._store.load(line.id)
            if incident is not None:
                found += [(incident, state) for state in incident.open_requests()]
        return found

    async def receipts(self, limit: int = 10) -> Sequence[Receipt]:
        """The last receipts, newest first."""
        number, _ = await self._store.head()
        found = await self._store.receipts(after=max(number - limit, 0), limit=limit)
        return tuple(reversed(found))

    async def receipt(self, number: int) -> Receipt | None:
        """One receipt."""
        return await self._store.receipt(number)

    async def autonomy(self) -> Sequence[DomainLevels]:
        """Levels, records and budgets of every domain, as they are now."""
        now = self._clock.now()
        days = max(rule.record.days for rule in self._rules.domains.values())
        since, day = now - timedelta(days=days), f"{now:%Y-%m-%d}"
        looks = await self._store.facts(ShadowSeen.__name__, since)
        known = Known(
            entries=await self._store.levels(),
            bodies=[receipt.body for receipt in await self._store.receipts_since(since)],
            seen=[(domain, look) for domain, x in looks if isinstance(look := x.event, ShadowSeen)],
            spent={name: await self._store.spent(name, day) for name in self._rules.domains},
            paid={name: await self._store.paid(name, day) for name in self._rules.domains},
        )
        return overview(self._rules, known, now)

    async def would_set(self, ask: Ask, person: Person | None) -> str | WouldSet:
        """What the change of a level would change and how many admins it takes; or why it can't be."""
        why = refusal(self._rules, person, ask)
        if why is not None:
            return why
        before = now_in_force(await self._store.levels(), self._rules, ask)
        raises = rank(ask.level) > before.rank
        (domain,) = [one for one in await self.autonomy() if one.name == ask.domain]
        return WouldSet(
            before=before.level,
            people=needed(self._rules, ask.level) if raises else 1,
            known=[c for c in domain.classes if ask.change_class in (EVERY, c.name)],
        )

    async def sources(self, person: Person | None) -> Sources:
        """Who posts in the alert channels, and whether this person may bind them."""
        bindings, heard = await self._store.bindings(), await self._store.sightings()
        return shown_to(person, self._rules, bindings, heard)

    async def _tell_everybody(self, at: datetime) -> None:
        """Every open card says that things are stopped, or go on; held steps get a fresh look."""
        await self._store.add((everywhere(at),))
        self._wake.set()

    async def spoken_of(self, channel: str, thread_ts: str) -> Incident | None:
        """The incident whose thread this is."""
        copy = await self._store.by_message(channel, thread_ts)
        return await self._store.load(copy.incident_id) if copy else None
