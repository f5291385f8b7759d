"""The data stack of the night as one thing: PostgreSQL pair, warehouse and Dagster, started together."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from bot.sandbox.demo import dagster, postgres, shop, story, warehouse
from bot.sandbox.demo.config import Places
from bot.sandbox.demo.dagster import Dagster
from bot.sandbox.demo.dagster_api import DagsterPages
from bot.sandbox.demo.errors import WentWrong
from bot.sandbox.demo.ports import free_ports
from bot.sandbox.demo.postgres import Pair
from bot.sandbox.demo.processes import Household
from bot.sandbox.demo.waiting import until

#: Tells the person in front of it what happens now.
Say = Callable[[str], None]

ROLLUPS = "growth_rollups_job"
SESSIONS = "sessions_job"
REPAIRED = ("raw_sessions", "stg_sessions", "fct_daily_active_users")
_ENDS = ("SUCCESS", "FAILURE", "CANCELED")


class Stack:
    """Everything the bot will look at. `workdir` holds data and logs; `venv` is Dagster's own."""

    def __init__(self, workdir: Path, venv: Path, household: Household, say: Say) -> None:
        primary, replica, web, code = free_ports(4)
        self._say = say
        self.household = household
        self.warehouse = workdir / "warehouse.duckdb"
        self.pair = Pair(
            workdir / "postgres", household, postgres.Ports(primary=primary, replica=replica)
        )
        env = {
            "DW_DEMO_REPLICA_DSN": self.pair.dsn("replica"),
            "DW_DEMO_WAREHOUSE": str(self.warehouse),
        }
        ports = dagster.Ports(web=web, code=code)
        self._dagster = Dagster(venv, workdir / "dagster", household, ports, env)

    @property
    def pages(self) -> DagsterPages:
        """Dagster, as a person uses it."""
        return self._dagster.pages

    @property
    def places(self) -> Places:
        """Where all of it is, for dw.yml."""
        return Places(
            dagster=self.pages.url,
            primary=self.pair.dsn("primary"),
            replica=self.pair.dsn("replica"),
            warehouse=self.warehouse,
        )

    async def start(self) -> None:
        """All at once, then the last good night, so that there is something to compare with."""
        async with asyncio.TaskGroup() as starting:
            starting.create_task(self._start_postgres())
            starting.create_task(self._start_warehouse())
            starting.create_task(self._start_dagster())
        last_night = await self.pages.launch_run(SESSIONS, partition=str(story.day_before()))
        await self.pages.launch_run(ROLLUPS)
        await self.ended(last_night, well=True)
        self._say(f"the night before went well: {story.day_before()} is loaded")

    async def close(self) -> None:
        """Let go of connections and of what was put elsewhere; the household ends the processes."""
        await self._dagster.close()
        await asyncio.to_thread(self.pair.remove)

    async def ended(self, run_id: str, *, well: bool, within_s: float = 120) -> None:
        """Wait for a run's end. Raises `Missing` when it is late, `WentWrong` when it ends the other way."""

        async def look() -> str | None:
            self.household.check_all()
            state = await self.pages.state(run_id)
            return state if state in _ENDS else None

        state = await until(f"the end of Dagster's run {run_id}", look, within_s=within_s)
        if (state == "SUCCESS") is not well:
            raise WentWrong(f"Dagster's run {run_id} ended in {state}: {self.pages.url}")

    async def _start_postgres(self) -> None:
        await self.pair.start_primary()
        await shop.make(self.pair)
        await self.pair.start_replica()
        self._say("PostgreSQL 18 is up: primary and streaming replica")

    async def _start_warehouse(self) -> None:
        await asyncio.to_thread(warehouse.make, self.warehouse)
        self._say("the warehouse holds the weeks before (DuckDB)")

    async def _start_dagster(self) -> None:
        await self._dagster.start()
        self._say(f"Dagster is up: {self.pages.url}")
