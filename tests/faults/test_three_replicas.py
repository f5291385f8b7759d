"""Three processes over one PostgreSQL, and one of them fails in the middle: nothing lost, nothing doubled."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bot.sandbox.demo import seed
from bot.sandbox.workspace import until
from tests.faults.campaign.cables import Balancer, Cable
from tests.faults.campaign.child import LEASE
from tests.faults.campaign.field import Field, a_field
from tests.journeys.stage import listens
from tests.postgres_server import free_port

pytestmark = [
    pytest.mark.loopback,
    pytest.mark.timeout(180),
    pytest.mark.parametrize("url", ["postgres"], indirect=True),
]
COUNT, JOBS, PEOPLE = 3, 3, 4


@dataclass
class Cluster:
    """Three replicas that hear Slack, each with a cable of its own to the database and to Slack."""

    field: Field
    databases: Sequence[Cable]
    slacks: Sequence[Cable]

    async def all_well(self) -> None:
        """Every trouble ends in one decision, at most one run, one card; then all is counted."""
        await self.field.quiet()
        found = await self.field.count()
        assert found.wrong == []
        assert found.decided == found.requests == self.field.jobs

    async def approved(self, number: int) -> None:
        """One job's trouble, decided by one yes alone."""
        await self.field.trouble(number, 1, choice="Approve")


def wired(url: str, port: int) -> str:
    """The same address through a cable."""
    known = urlsplit(url).port
    return url.replace(f":{known}/", f":{port}/")


async def cables(stack: AsyncExitStack, url: str) -> list[Cable]:
    target = urlsplit(url).port
    assert target is not None
    return [await stack.enter_async_context(Cable(target)) for _ in range(COUNT)]


@asynccontextmanager
async def a_cluster(url: str, folder: Path, *, http: bool = False) -> AsyncIterator[Cluster]:
    async with AsyncExitStack() as stack:
        mode = {"slack_mode": "http"} if http else {}
        field = await stack.enter_async_context(
            a_field(url, folder, jobs=JOBS, replicas=COUNT, mode=mode)
        )
        slack = field.workspace.api_url
        to_database, to_slack = await cables(stack, url), await cables(stack, slack)
        ports = [free_port() for _ in range(COUNT)] if http else [0] * COUNT
        for n, replica in enumerate(field.replicas):
            replica.told |= {
                "url": wired(url, to_database[n].port),
                "slack": wired(slack, to_slack[n].port),
                "mode": {**mode, "port": ports[n]},
            }
            replica.start()
        if http:
            await until(lambda: all(map(listens, ports)), 30, "Three that listen")
            balancer = await stack.enter_async_context(Balancer(ports))
            await field.workspace.use_http(seed.BOT_APP, balancer.url)
        else:
            await field.hears(2 * COUNT)
        yield Cluster(field, to_database, to_slack)


async def everybody_taps(cluster: Cluster) -> None:
    await asyncio.gather(*(cluster.field.trouble(n, PEOPLE) for n in range(JOBS)))


HTTP = pytest.param(True, id="http", marks=pytest.mark.live)


@pytest.mark.parametrize("http", [pytest.param(False, id="sockets"), HTTP])
async def test_one_that_is_killed_is_replaced_by_the_others(
    url: str, tmp_path: Path, http: bool
) -> None:
    async with a_cluster(url, tmp_path, http=http) as cluster:

        async def dies(what: str, who: int) -> None:
            """The first that was to start a run dies when the run was accepted and not yet told of."""
            if what == "started" and not any(r.kills for r in cluster.field.replicas):
                cluster.field.replicas[who].kill()

        cluster.field.outside.on = dies
        await everybody_taps(cluster)
        await cluster.all_well()
        assert sum(replica.alive for replica in cluster.field.replicas) >= COUNT - 1


async def test_one_that_slept_past_its_lease_starts_nothing_and_posts_nothing(
    url: str, tmp_path: Path
) -> None:
    """It is paused when it has just heard that no run exists, and wakes when another one has started it."""
    async with a_cluster(url, tmp_path) as cluster:
        field, paused = cluster.field, list[int]()

        async def sleeps(what: str, who: int) -> None:
            if what == "found" and not paused:
                paused.append(who)
                field.replicas[who].pause()

        field.outside.on = sleeps
        await cluster.approved(0)
        await until(lambda: field.outside.keys, 60, "The run by another one")
        assert len(paused) == 1
        field.replicas[paused[0]].wake()
        await asyncio.gather(*(field.trouble(n, PEOPLE) for n in range(1, JOBS)))
        await cluster.all_well()


@pytest.mark.live
@pytest.mark.parametrize("what", ["database", "Slack"])
async def test_one_that_is_cut_off_is_replaced_and_comes_back(
    url: str, tmp_path: Path, what: str
) -> None:
    async with a_cluster(url, tmp_path) as cluster:
        cable = (cluster.databases if what == "database" else cluster.slacks)[0]
        async with asyncio.TaskGroup() as people:
            people.create_task(everybody_taps(cluster))
            await until(lambda: cluster.field.request(0), 60, "The first request")
            cable.cut()
        await asyncio.sleep(LEASE)
        cable.mend()
        await cluster.all_well()
