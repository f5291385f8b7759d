"""One failure told by several, one run that fails again, and good news: over the whole intake, in both orders."""

from datetime import timedelta

import pytest

from bot.commands import Polled, Received, Told
from policies import events as e
from policies.alert import Alert, AlertKind
from tests.bot.worker.looks import a_failure, watching
from tests.bot.worker.world import World
from tests.building import an_alert

JOB = "growth_rollups_job"


async def told(world: World, *alerts: Alert) -> None:
    for alert in alerts:
        command = Told(alert=alert) if alert.signal_key.startswith("hook") else Polled(alert=alert)
        item = Received(key=alert.signal_key, command=command, raw="{}", at=world.clock.now())
        await world.desk.receive(item)
    await world.work()
    for _ in range(3):
        await world.later(seconds=31)


async def incidents(world: World) -> list[set[str]]:
    lines = await world.store.incidents(open_only=False, limit=10)
    return [{a.signal_key for a in (await world.incident(line.id)).alerts} for line in lines]


HOOK = an_alert(signal_key="hook:1", asset=None, kind=AlertKind.RUN_FAILED)
POLL = an_alert(signal_key="poll:1", asset=None, job="sessions_job", kind=AlertKind.RUN_FAILED)
CLEAR = an_alert(signal_key="hook:2", kind=AlertKind.RESOLVED, run_id=None)


@pytest.mark.parametrize(
    "order", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (1, 0, 2), (2, 0, 1), (0, 2, 1)]
)
async def test_slack_webhook_and_poll_of_one_failure_are_one_incident(
    world: World, order: tuple[int, ...]
) -> None:
    for teller in order:
        if teller == 0:
            await world.receive()
        else:
            await told(world, (HOOK, POLL)[teller - 1])
    for _ in range(3):
        await world.later(seconds=31)
    assert await incidents(world) == [{"Ev1", "hook:1", "poll:1"}]
    assert (await world.incident()).again is None


@pytest.mark.parametrize("early", [False, True])
async def test_an_all_clear_updates_and_never_opens_though_it_overtakes_what_it_clears(
    world: World, early: bool
) -> None:
    trouble = an_alert(signal_key="hook:1", run_id=None)
    await told(world, *((CLEAR, trouble) if early else (trouble, CLEAR)))
    assert await incidents(world) == [{"hook:1", "hook:2"}]


async def test_an_all_clear_of_nothing_is_let_go(world: World) -> None:
    await told(world, CLEAR)
    await told(world, an_alert(signal_key="hook:3", run_id=None))
    assert await incidents(world) == [{"hook:3"}]


async def test_a_run_that_was_cleared_and_failed_again_is_a_new_time_of_the_same_run(
    world: World,
) -> None:
    await watching(world)
    for _ in range(2):
        a_failure(world, "once")  # the same run, with another end
        for _ in range(3):
            await world.later(minutes=1)
    incident = await world.incident()
    assert [a.run_id for a in incident.alerts] == ["once", "once"]
    assert len(await incidents(world)) == 1
    (matched,) = [
        x.event for x in await world.store.entries("DW-1") if isinstance(x.event, e.AlertMatched)
    ]
    assert matched.because == "the same run once, which was started again and failed once more"
    assert matched.again is not None
    assert matched.again.times == 2


async def test_the_end_of_a_run_told_to_the_minute_is_the_same_failure(world: World) -> None:
    await watching(world)
    ended = a_failure(world, "once").ended_at
    assert ended is not None
    for _ in range(3):
        await world.later(minutes=1)
    rounded = (ended - timedelta(seconds=20)).isoformat()
    hook = an_alert(
        signal_key="hook:9", asset=None, job=JOB, run_id="once", extra={"ended_at": rounded}
    )
    await told(world, hook)
    (keys,) = await incidents(world)
    assert len(keys) == 2
    assert (await world.incident()).again is None
