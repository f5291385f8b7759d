"""A shared upstream breaks and three hundred runs fail in ten minutes: one thread, inside Slack's limits, nothing lost."""

import pytest

from bot.commands import Polled, Received
from bot.outbox import intake_due
from bot.sandbox.workspace import until
from policies.alert import AlertKind
from policies.lineage import Asset, Lineage
from tests.building import an_alert
from tests.journeys import alerts
from tests.journeys.props import rules
from tests.journeys.stage import Stage, a_stage
from tests.policies import night

pytestmark = pytest.mark.loopback
FAILED = 300
MODELS = tuple(f"fct_model_{n}" for n in range(FAILED))


def everything() -> Lineage:
    """All models read raw_sessions, and each is built by a job of its own."""
    assets = {m: Asset(key=m, job=f"build_{m}", said_by="dagster") for m in MODELS}
    return Lineage(assets=assets, edges=frozenset(("raw_sessions", m) for m in MODELS))


async def storm(stage: Stage) -> None:
    """The poll sees them all."""
    assert stage.built is not None
    known = {"kind": AlertKind.RUN_FAILED, "check": None, "partition": night.DAY}
    for n, model in enumerate(MODELS):
        key = f"poll:dagster:{n}"
        failed = an_alert(
            signal_key=key, asset=model, title=f"{model} failed", run_id=f"run-{n}", **known
        )
        item = Received(key=key, command=Polled(alert=failed), raw="", at=stage.clock.now())
        await stage.built.store.receive(item, intake_due(item))


async def test_three_hundred_failures_of_one_cause_are_one_thread_and_none_is_lost(
    url: str,
) -> None:
    async with a_stage(url, rules=rules()) as stage:
        stage.stack.dagster.graph = everything()
        alerts.check_failed(stage.workspace)
        await stage.card("raw_sessions")
        await storm(stage)
        card = await stage.card(f"*{FAILED + 1} failures, 1 cause*", within=100)
        await stage.idle()
        assert [stage.ana.text_of(m) for m in stage.cards()] == [stage.ana.text_of(card)]
        incident = await stage.incident()
        assert {a.asset for a in incident.alerts} == {"raw_sessions", *MODELS}
        assert len(incident.alerts) == FAILED + 1
        assert len(stage.thread()) < 25
        assert stage.doubled() == []
        await stage.ana.click("Approve", on=await stage.dm("ana"))
        await until(lambda: any("Approved* by" in said for said in stage.thread()), 20, "The yes")
