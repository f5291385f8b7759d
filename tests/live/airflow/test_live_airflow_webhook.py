"""The callback of the documents, in real Airflows: what it tells opens one incident with the poll of the run."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.clock import SystemClock
from bot.commands import Received, Told
from bot.desk import Desk
from bot.health import Finding
from bot.metrics import Metrics
from bot.store.store import open_store
from bot.web import build_web, serving
from connectors.airflow import AirflowReader
from handlers.webhooks import Doors, Tally
from policies.alert import Alert, AlertKind
from policies.correlation import keys
from policies.webhooks import Webhook
from tests.live.airflow.server import HOOK_SECRET, Airflow
from tests.live.airflow.world import by_owner, to_the_end
from tests.policies import night
from tests.policies.hooks import deliveries as d

pytestmark = pytest.mark.live
KINDS = ("airflow", "astro")


class Well:
    async def ready(self) -> Sequence[Finding]:
        return []


class Listening(Desk):
    """A desk that remembers what it stored."""

    def remember(self) -> list[Alert]:
        self.told: list[Alert] = []
        return self.told

    async def receive(self, item: Received) -> bool:
        fresh = await super().receive(item)
        assert isinstance(item.command, Told)
        self.told += [item.command.alert] if fresh else []
        return fresh


@asynccontextmanager
async def dw(folder: Path, port: int) -> AsyncIterator[list[Alert]]:
    """What dw is told at the address that this Airflow knows."""
    store = await open_store(f"sqlite+aiosqlite:///{folder / 'dw.db'}")
    clock, metrics = SystemClock(), Metrics()
    desk = Listening(store, night.rules(), clock, asyncio.Event())
    told = desk.remember()
    doors = Doors(
        webhooks={kind: Webhook(kind=kind, connection="airflow") for kind in KINDS},
        secrets=dict.fromkeys(KINDS, SecretStr(HOOK_SECRET)),
        desk=desk,
        clock=clock,
        tally=Tally(metrics, clock),
    )
    async with serving(build_web(Well(), metrics, doors.routes()), "127.0.0.1", port):
        yield told
    await store.close()


async def test_a_failed_run_is_told_once_by_its_task_and_once_by_itself(
    server: Airflow, reader: AirflowReader, tmp_path: Path
) -> None:
    async with dw(tmp_path, server.hook) as told:
        run = await reader.run(by_owner(server, "tells_dw"))
        async with asyncio.timeout(90):
            run = await to_the_end(reader, run)
            while len(told) < 2:  # noqa: ASYNC110 - the callback of the run comes after its end
                await asyncio.sleep(0.2)
    assert {alert.kind for alert in told} == {AlertKind.OP_FAILED, AlertKind.RUN_FAILED}
    task = next(alert for alert in told if alert.kind is AlertKind.OP_FAILED)
    assert (task.op, task.extra["try_number"]) == ("breaks", "2")  # the first try told nothing
    polled = f"airflow:run:{run.id}"  # what a poll of this run answers to
    assert all(polled in keys(alert) for alert in told)


async def test_an_alert_of_astro_is_handed_on_by_the_dag_of_the_documents(
    server: Airflow, tmp_path: Path
) -> None:
    async with dw(tmp_path, server.hook) as told, asyncio.timeout(90):
        by_owner(server, "tell_dw", conf=d.FAILED["astro"])
        while not told:  # noqa: ASYNC110 - a task of another process tells it
            await asyncio.sleep(0.2)
    (alert,) = told
    assert replace(alert, signal_key="") == replace(d.alert("astro"), signal_key="")
