"""Two threads, two requests, and then it is known that both began in one place: one thread goes on, the other says so."""

import pytest

from bot.commands import Polled, Received
from bot.outbox import intake_due
from bot.sandbox.workspace import until
from policies.lineage import Lineage
from tests.building import an_alert
from tests.journeys import alerts
from tests.journeys.props import CHAIN, rules
from tests.journeys.stage import Stage, a_stage
from tests.policies import night

pytestmark = [pytest.mark.loopback, pytest.mark.parametrize("url", ["sqlite"], indirect=True)]
PAYMENTS, SHOP = "raw_payments", "shop"
RAW = night.dw_yml()["assets"]["raw_sessions"]
MONEY = night.growth(
    assets=[PAYMENTS], owners={PAYMENTS: "bo@example.com"}, checks=[], jobs=[], chain=CHAIN
)


async def failed(stage: Stage, asset: str) -> None:
    """A look finds that its check failed."""
    assert stage.built is not None
    known = {"asset": asset, "title": f"{asset} failed", "run_id": f"run-{asset}"}
    alert = an_alert(signal_key=f"poll:{asset}", **known)
    item = Received(key=alert.signal_key, command=Polled(alert=alert), raw="", at=stage.clock.now())
    await stage.built.store.receive(item, intake_due(item))


async def test_the_elder_thread_goes_on_and_the_buttons_of_the_other_are_gone(url: str) -> None:
    domains = {"growth": night.growth(chain=CHAIN), "money": MONEY}
    assets = {**night.dw_yml()["assets"], PAYMENTS: RAW}
    async with a_stage(url, rules=rules(domains=domains, assets=assets)) as stage:
        both = frozenset({(SHOP, "raw_sessions"), (SHOP, PAYMENTS)})
        stage.stack.dagster.graph = stage.stack.dagster.graph.merged(Lineage(edges=both))
        alerts.check_failed(stage.workspace)
        await stage.dm("ana")
        await failed(stage, PAYMENTS)
        asked = await stage.dm("bo", PAYMENTS)
        await failed(stage, SHOP)
        await stage.card("*3 failures, 1 cause*")
        await stage.card("DW-2 · joined DW-1: one cause")
        await stage.says(asked, "look at DW-1")
        await until(lambda: not _buttons(asked.body), 20, "A request without buttons")
        await stage.reply("It goes on in the thread of `DW-1`")
        await stage.reply("`DW-2` joined this, with 1 alert: one cause")
        assert len(stage.cards()) == 2
        assert stage.doubled() == []


def _buttons(body: object) -> bool:
    return "Approve" in str(body)
