"""The Friday in Slack over a real Airflow 2.11 and a real 3.3: from the alert to the receipt."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

from bot.sandbox.workspace import until
from bot.sandbox.workspace.state import Message
from connectors.airflow.actuator import run_id_of
from policies.run import Run
from tests.journeys.stage import Stage
from tests.live.airflow.night import (
    BILLING,
    SLOW,
    a_night,
    told_by_callback,
    told_by_notifier,
)
from tests.live.airflow.proxy import before
from tests.live.airflow.server import Airflow
from tests.live.airflow.world import World, asked, by_owner

pytestmark = [
    pytest.mark.live,
    pytest.mark.timeout(300),  # the first one waits for both servers
    pytest.mark.parametrize("url", ["sqlite"], indirect=True),
]
CAUSE = "step stg_usage_events raised ValueError: 3,100,000 event ids are there twice"


@pytest.fixture
def two(world: World) -> Airflow:
    return world.servers[2]


@pytest.fixture
def three(world: World) -> Airflow:
    return world.servers[3]


def runs_of(server: Airflow) -> dict[str, Any]:
    """All runs of the DAG as the administrator sees them, by id."""
    found = asked(server, "GET", f"dags/{BILLING}/dagRuns?limit=100")["dag_runs"]
    return {run["dag_run_id"]: run for run in found}


async def approved(stage: Stage) -> Message:
    """Ana is asked and says yes; her direct message."""
    message = await stage.dm("ana")
    await stage.ana.click("Approve", on=message)
    await stage.reply("Approved* by <@U0ANA>")
    return message


def links(message: Message) -> list[str]:
    """Where its buttons lead."""
    blocks = message.body["blocks"]
    buttons = [e for block in blocks if block["type"] == "actions" for e in block["elements"]]
    return [button["url"] for button in buttons if "url" in button]


async def only_new(server: Airflow, stage: Stage, earlier: Iterable[str], failed: Run) -> None:
    """Exactly one run more than before: ours, of this step, with what was approved."""
    [(name, run)] = [(n, r) for n, r in runs_of(server).items() if n not in earlier]
    key = (await stage.incident()).steps[f"run_{BILLING}"].key
    assert key is not None
    assert name == run_id_of(key)
    assert run["conf"] == {"duplicates": False, "usage_date": failed.partition}
    span = [run["data_interval_start"], run["data_interval_end"]]
    assert "/".join(span).replace("+00:00", "Z") == failed.interval
    assert run["state"] == "success"


async def handed_over(stage: Stage) -> None:
    """The run ended well; nothing proves the numbers, and that is what is said."""
    await stage.reply("* is done", within=SLOW)
    card = stage.ana.text_of(await stage.card("DW-1 · handed over to a person"))
    assert "no check is configured that could prove the numbers right" in card
    await stage.reply("*Receipt 1*")
    assert len(stage.cards()) == 1
    assert stage.doubled() == []


async def test_on_airflow_2_the_approved_run_is_queued_once_and_followed_to_its_end(
    url: str, world: World, two: Airflow
) -> None:
    failed, earlier = world.ended[2][BILLING], runs_of(two)
    async with a_night(url, 2, two.url, "delete the day's rows, run it again") as stage:
        told_by_callback(stage, failed, two.url)
        card = stage.ana.text_of(await stage.card("waiting for a yes"))
        assert CAUSE in card
        request = stage.ana.text_of(await stage.dm("ana"))
        assert f"Run {BILLING} again for {failed.partition}" in request
        assert failed.interval is not None
        assert failed.interval in request
        assert runs_of(two).keys() == earlier.keys(), "nothing runs before a yes"
        await approved(stage)
        await handed_over(stage)
        await only_new(two, stage, earlier, failed)


async def test_on_airflow_3_the_owner_starts_the_run_and_dw_only_reads(
    url: str, world: World, three: Airflow
) -> None:
    failed, earlier = world.ended[3][BILLING], runs_of(three)
    conf = {"duplicates": False, "usage_date": failed.partition}
    async with (
        before(three.url) as proxy,
        a_night(url, 3, proxy.url, "run it again after the clean-up") as stage,
    ):
        told_by_notifier(stage, failed, three.url)
        assert CAUSE in stage.ana.text_of(await stage.card("waiting for a yes"))
        command = f"airflow dags trigger {BILLING} --conf '{json.dumps(conf)}'"
        request = stage.ana.text_of(await stage.dm("ana"))
        assert "does this by hand: `trigger_dag` on `airflow`" in request
        assert f"`config` = `{json.dumps(conf)}`" in request
        assert command in request
        page = f"{proxy.url}/dags/{BILLING}"
        assert f"*Opens* `{page}`\nThe DAG opens: press Trigger" in request
        message = await approved(stage)
        await stage.reply("is ready: <@U0ANA> can do it now")
        await until(lambda: links(message)[:1] == [page], SLOW, f"A link to {page}, and no other")
        assert command in stage.ana.text_of(message)
        assert runs_of(three).keys() == earlier.keys(), "a yes alone starts nothing"
        mine = by_owner(three, BILLING, conf=conf)
        said = stage.ana.text_of(await stage.reply("recognised"))
        assert f"duplicates=False, usage_date={failed.partition}, started by hand" in said
        await handed_over(stage)
        recognised = (await stage.incident()).steps[f"run_{BILLING}"].run
        assert recognised is not None
        assert recognised.id == mine
    assert {line for line in proxy.seen if not line.startswith("GET ")} == {"POST /auth/token"}
    assert len(runs_of(three)) == len(earlier) + 1
