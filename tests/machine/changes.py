"""What the world does around the bot: people come and go, code and files change, systems fail and heal."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from bot.ports import RetryAfter, Stop, Undeliverable
from connectors.errors import Broken, ConnectorError, TooSlow, Unreachable
from policies.lineage import Asset
from policies.people import Absence
from policies.rules import Rules
from tests.bot.worker.world import World
from tests.building import a_person
from tests.machine.law import JOB, Law
from tests.policies import night

SCOPES = ("*", "domain:growth", "connection:dagster")
FAULTS: tuple[ConnectorError, ...] = (TooSlow(), Broken(), Unreachable())
SQL = "select day, count(*) from sessions"


def rules_with(domain: dict[str, Any], sql: str = SQL) -> Rules:
    """A dw.yml in which one job may be run, with this SQL, and Dee is the admin."""
    known = night.dw_yml(domains={"growth": night.growth(**domain)}, admins=["U0DEE"])
    known["connections"]["dagster"]["jobs"][JOB]["config"] = {"sql": sql}
    return Rules.model_validate(known)


class Changes:
    """In one world. The law is told of what it can't see for itself."""

    def __init__(self, world: World, law: Law, domain: dict[str, Any]) -> None:
        self.world, self.law, self.domain = world, law, domain
        self.sql(SQL)

    async def one(self, what: str) -> None:
        """Something that must keep what was approved from starting; or nothing."""
        if what == "code":
            self.code("v2")
        elif what == "sql":
            self.sql("select 1")
        elif what == "reach":
            self.reach(wide=True)
        elif what in SCOPES:
            await self.stop(what)

    async def stop(self, scope: str) -> None:
        """Halted from now on."""
        now = self.world.clock.now()
        await self.world.store.stop(Stop(by="U0DEE", at=now, reason="drill", scope=scope))
        self.law.stops.add(scope)

    async def lift(self, scope: str) -> None:
        """And on it goes."""
        await self.world.store.lift(scope, "U0DEE", self.world.clock.now())
        self.law.stops.discard(scope)

    async def leave(self, person: str, delegate: str | None) -> None:
        """Away for a long time."""
        now = self.world.clock.now()
        wish = Absence(person=person, until=now + timedelta(days=999), delegate=delegate)
        if await self.world.desk.leave(wish) is None:
            self.law.away[person] = delegate

    async def come_back(self, person: str) -> None:
        """There again."""
        await self.world.desk.come_back(person)
        self.law.away.pop(person, None)

    def who_is_who(self, person: str, **now: bool) -> None:
        """Slack says something else of somebody: deactivated, a guest, or in order again."""
        self.world.people.people[person] = a_person(person, **now)

    def group(self, *people: str) -> None:
        """The members of the user group are these now."""
        self.world.people.seats["@data-oncall"] = people

    def directory(self, *, answers: bool) -> None:
        """Slack does not tell who is who; or it does again."""
        self.world.people.problem = None if answers else "Slack does not answer"

    def code(self, version: str) -> None:
        """Another version is deployed."""
        self.world.systems["dagster"].version = version  # type: ignore[attr-defined]

    def sql(self, text: str) -> None:
        """Somebody edits dw.yml and starts the bot again: the job is run with other SQL."""
        self.world.use(rules=rules_with(self.domain, text))

    def reach(self, *, wide: bool) -> None:
        """Something new is built from the rollups, or is no more."""
        system = self.world.systems["dagster"]
        graph = system.graph  # type: ignore[attr-defined]
        assets = {name: one for name, one in graph.assets.items() if name != "fct_new"}
        edges = {edge for edge in graph.edges if "fct_new" not in edge}
        if wide:
            assets["fct_new"] = Asset(key="fct_new", said_by="dagster")
            edges |= {("agg_weekly_engagement", "fct_new")}
        system.graph = replace(graph, assets=assets, edges=frozenset(edges))  # type: ignore[attr-defined]

    def gate(self, says: bool | ConnectorError) -> None:
        """The check before the job passes, does not, or can't be read."""
        told = says if isinstance(says, ConnectorError) else {"passed": says}
        self.world.systems["dagster"].values["asset_check"] = told

    def trouble(self, what: str, which: int) -> None:
        """The next call of something goes wrong; a reader fails until it is mended."""
        fault = FAULTS[which % len(FAULTS)]
        troubles: dict[str, Callable[[], None]] = {
            "before": lambda: self.world.actuator.before.append(fault),
            "after": lambda: self.world.actuator.after.append(fault),
            "slack": lambda: self.world.slack.fail.append(RetryAfter(5, "busy")),
            "refused": lambda: self.world.slack.fail.append(Undeliverable("not in channel")),
            "reader": lambda: self.gate(fault),
            "runs": lambda: self.world.systems["dagster"].trouble.append(fault),  # type: ignore[attr-defined]
            "directory": lambda: self.directory(answers=False),
            "look-up": lambda: self.world.people.fail.append(RetryAfter(5, "busy")),
        }
        troubles[what]()

    async def heal(self) -> None:
        """Everything works again, and nothing is halted."""
        for scope in SCOPES:
            await self.lift(scope)
        self.directory(answers=True)
        self.world.people.fail.clear()
        self.world.actuator.before.clear()
        self.world.actuator.hidden = False
        self.world.systems["dagster"].trouble.clear()  # type: ignore[attr-defined]
        if isinstance(self.world.systems["dagster"].values["asset_check"], Exception):
            self.gate(says=False)
