"""Somebody is away, somebody hands over, somebody is on call: through Slack, to the receipt."""

from typing import Any

import pytest

from handlers import ids
from policies.rules import Rules
from tests.journeys import alerts
from tests.journeys.moves import asked, ended
from tests.journeys.stage import Stage, a_stage, rules

pytestmark = pytest.mark.loopback


async def typed(stage: Stage, name: str, text: str) -> str:
    """What somebody is answered to a command."""
    said = (await stage.person(name).command("C0ALERTS", f"/dw {text}")).answer
    return str(said["text"])


def ruled(**domain: Any) -> Rules:
    """The stage's dw.yml with another domain entry."""
    known = rules().model_dump(mode="json", exclude_none=True)
    rotas = domain.pop("rotas", {})
    growth = {**known["domains"]["growth"], **domain}
    return Rules.model_validate({**known, "domains": {"growth": growth}, "rotas": rotas})


async def test_a_delegate_decides_for_the_owner_and_the_receipt_names_both(stage: Stage) -> None:
    said = await typed(stage, "ana", "away until friday → @bo")
    assert "<@U0BOLIN> may decide what you may" in said
    alerts.check_failed(stage.workspace)
    request = await stage.dm("bo")
    assert "<@U0ANA>: is away until" in stage.person("bo").text_of(request)
    assert "<@U0BOLIN> is asked for them" in stage.person("bo").text_of(request)
    await stage.person("bo").click("Approve", on=request)
    await stage.reply("Approved* by <@U0BOLIN> for <@U0ANA>, away until")
    await ended(stage)
    assert stage.built is not None
    (receipt,) = await stage.built.store.receipts()
    (decision,) = receipt.body["decisions"]
    assert (decision["person"], decision["delegate"]["for"]) == ("U0BOLIN", "U0ANA")


async def test_a_request_that_is_handed_over_is_the_other_persons_from_then_on(
    stage: Stage,
) -> None:
    dm = await asked(stage)
    await stage.ana.click("Hand over to…", on=dm)
    await stage.ana.wait_for_modal("sits in your seat")
    await stage.ana.submit({ids.TO: "U0ELI"})
    await stage.reply("<@U0ANA> handed it over to <@U0ELI>")
    theirs = await stage.dm("eli")
    with pytest.raises(AssertionError, match="no 'Approve'"):
        await stage.ana.click("Approve", on=dm)
    await stage.person("eli").click("Approve", on=theirs)
    await stage.reply("Approved* by <@U0ELI>")


async def test_a_yes_with_its_reason_is_what_the_thread_shows(url: str) -> None:
    async with a_stage(url, rules=ruled(reason_needed=True)) as stage:
        dm = await asked(stage)
        await stage.ana.click("Approve", on=dm)
        await stage.ana.wait_for_modal("Reason")
        await stage.ana.submit({ids.REASON: "the replica has caught up"})
        said = await stage.reply("Approved* by <@U0ANA>")
        assert "the replica has caught up" in stage.ana.text_of(said)


async def test_whoever_is_on_call_by_the_rota_is_asked_after_the_owner(url: str) -> None:
    nights = {"people": ["dee@example.com"], "handoffs": ["09:00"], "starts": "2026-09-28"}
    chain = [{"who": "owner", "within": "5m"}, {"who": "rota:nights", "within": "3m"}]
    async with a_stage(url, rules=ruled(chain=chain, rotas={"nights": nights})) as stage:
        await asked(stage)
        said = await typed(stage, "eli", "who-can fct_daily_active_users")
        assert "dee (next in the chain: rota:nights)" in said
        stage.clock.advance(minutes=5.1)
        dees = await stage.dm("dee")
        await stage.person("dee").click("Approve", on=dees)
        await stage.reply("Approved* by <@U0DEE>")
