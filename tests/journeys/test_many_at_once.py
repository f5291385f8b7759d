"""Forty reruns after one cause are one message: answered with one tap, or one by one, and honest about each."""

from dataclasses import replace

import pytest

from bot.outbox import shows
from bot.ports import Change
from bot.sandbox.demo.waiting import until
from bot.sandbox.workspace.state import Message
from policies import events as e
from tests.bot.worker.many import a_rerun
from tests.journeys.props import PATIENCE
from tests.journeys.stage import Stage

pytestmark = [
    pytest.mark.loopback,
    pytest.mark.parametrize("url", ["sqlite"], indirect=True),
]
LIST = "requests of the same kind* need a yes or no"


async def opens(stage: Stage, count: int) -> None:
    """So many troubles of one cause; Ana is asked in each."""
    assert stage.built is not None
    store, now = stage.built.store, stage.clock.now()
    for number in range(count):
        name = await store.next_id()
        *facts, asked = a_rerun(name, number, now)
        first = Change(incident_id=name, base=0, at=now, events=tuple(facts))
        incident = await store.commit(first)
        assert incident is not None
        due = shows(incident, (asked,), now)
        change = Change(incident_id=name, base=incident.version, at=now, events=(asked,), due=due)
        await store.commit(change)


async def listed(stage: Stage, count: int) -> Message:
    """Ana's one message, once it lists so many."""
    return await stage.dm("ana", f"*{count} {LIST}")


async def outcomes(stage: Stage, count: int) -> list[str | None]:
    found = [await stage.incident(f"DW-{n + 1}") for n in range(count)]
    return [next(iter(incident.requests.values())).outcome for incident in found]


def messages(stage: Stage) -> list[str]:
    """What Ana got directly."""
    return [stage.ana.text_of(m) for m in stage.ana.reads(stage.ana.dm("dw"))]


async def test_forty_are_one_message_that_lists_each_and_one_tap_decides_them_all(
    stage: Stage,
) -> None:
    await opens(stage, 40)
    dm = await listed(stage, 40)
    said = stage.ana.text_of(dm)
    assert "*The same in each*\n*Run rollups*" in said
    lines = [f"• `DW-{n + 1}` `partition` = `part-{n}`" for n in range(40)]
    assert "\n".join(lines[:8]) in said, "one line each, in their order"
    assert all(line in said for line in lines)
    assert len([text for text in messages(stage) if LIST in text]) == 1
    await stage.ana.click("Approve all 40", on=dm)
    await stage.says(dm, "`DW-8` and 32 more: *Approved* by <@U0ANA>")
    await stage.says(dm, "none waits for you")

    async def decided() -> bool:
        return await outcomes(stage, 40) == ["approved"] * 40

    await until("the decisions", decided, within_s=PATIENCE)


async def test_one_is_looked_at_and_rejected_alone_and_of_the_rest_the_stale_one_is_told(
    stage: Stage,
) -> None:
    await opens(stage, 4)
    dm = await listed(stage, 4)
    await stage.ana.click("Look at one…", on=dm, value='["DW-1","DW-1-R1"]')
    await stage.ana.wait_for_modal("`DW-1` *needs a yes or no*")
    await stage.ana.click("Reject", on=stage.ana.modal())
    await stage.ana.wait_for_modal("Your tap is stored.")
    await stage.ana.wait_for_message("Your no is stored.", within=PATIENCE)
    dm = await listed(stage, 3)
    await changes(stage, "DW-2")
    await stage.ana.click("Approve all 3", on=dm)
    told = await stage.ana.wait_for_message("DW-2: Your tap did not count", within=PATIENCE)
    assert "what would run is not what was shown" in stage.ana.text_of(told)

    async def decided() -> bool:
        return await outcomes(stage, 4) == ["refused", "void", "approved", "approved"]

    await until("the decisions", decided, within_s=PATIENCE)


async def changes(stage: Stage, name: str) -> None:
    """What would run there is something else now."""
    assert stage.built is not None
    incident = await stage.incident(name)
    assert incident.plan is not None
    steps = (replace(incident.plan.steps[0], params={"partition": "another"}),)
    event = e.Planned(plan=replace(incident.plan, version=2, steps=steps))
    change = Change(incident_id=name, base=incident.version, at=stage.clock.now(), events=(event,))
    await stage.built.store.commit(change)
