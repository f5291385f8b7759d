"""Looks at an orchestrator: the watermark, the clocks, the pauses, and being blind said once and taken back."""

from datetime import timedelta

from bot.worker.polling import first_looks
from connectors.errors import Broken, Forbidden, Throttled
from policies.sight import OVERLAP
from tests.bot.worker.looks import a_failure, sight, watching
from tests.bot.worker.world import World


async def test_a_server_whose_clock_is_behind_ours_hides_no_failed_run(world: World) -> None:
    await watching(world)
    a_failure(world, "told-late", minutes=8)
    await world.later(minutes=1)
    assert (await world.incident()).alert.run_id == "told-late"


async def test_once_it_has_told_a_run_the_mark_is_by_its_own_clock(world: World) -> None:
    await watching(world)
    seen = a_failure(world, "first", minutes=-1)
    await world.later(minutes=3)
    assert (await sight(world)).since == seen.ended_at
    await world.later(minutes=30)
    assert (await sight(world)).since == seen.ended_at


async def test_the_mark_survives_a_restart(world: World) -> None:
    system = await watching(world)
    seen = a_failure(world, "first", minutes=-1)
    await world.later(minutes=3)
    await world.store.add(first_looks(["dagster"], world.clock.now()), keep=True)
    await world.later(minutes=30)
    assert seen.ended_at is not None
    assert system.looks[-1] == seen.ended_at - OVERLAP


async def test_what_failed_while_it_was_blind_is_found_afterwards(world: World) -> None:
    system = await watching(world)
    system.trouble = [Broken("it is down")]
    await world.later(minutes=1)
    a_failure(world, "meanwhile")
    for _ in range(8):
        await world.later(minutes=6)
    system.trouble = []
    await world.later(minutes=6)
    assert (await world.incident()).alert.run_id == "meanwhile"


async def test_looks_that_fail_come_further_apart_and_never_stop(world: World) -> None:
    system = await watching(world)
    system.trouble = [Forbidden(connection="dagster")]
    before = len(system.looks)
    for _ in range(60):
        await world.later(seconds=59)
    assert 12 <= len(system.looks) - before <= 20
    assert "refused the credential" in ((await sight(world)).problem or "")


async def test_a_server_that_asks_to_wait_is_left_alone_for_so_long(world: World) -> None:
    system = await watching(world)
    system.trouble = [Throttled(connection="dagster", retry_after=600)]
    await world.later(minutes=1)
    looks = len(system.looks)
    await world.later(minutes=9)
    assert len(system.looks) == looks
    await world.later(minutes=2)
    assert len(system.looks) == looks + 1


async def test_being_blind_is_said_once_in_the_alert_channel(world: World) -> None:
    system = await watching(world)
    system.trouble = [Broken("it is down", connection="dagster")]
    for _ in range(14):
        await world.later(minutes=1)
    assert world.slack.notices == []
    for _ in range(30):
        await world.later(minutes=1)
    [said] = world.slack.notices
    assert (said.channel, said.ts, said.seen_at) == ("#data-alerts", None, None)
    assert "it is down" in said.problem


async def test_the_same_message_says_that_it_sees_again_and_the_next_time_is_a_new_one(
    world: World,
) -> None:
    system = await watching(world)
    for _ in range(2):
        system.trouble = [Broken("it is down")]
        for _ in range(8):
            await world.later(minutes=6)
        system.trouble = []
        await world.later(minutes=6)
    first, again, second, _ = world.slack.notices
    assert (first.ts, again.ts, second.ts) == (None, "1.0009", None)
    assert again.seen_at is not None
    assert again.blind_from == first.blind_from < second.blind_from


async def test_a_look_that_never_ends_is_broken_off_before_its_lease_is(world: World) -> None:
    system = await watching(world)
    world.use(pace=world.context.pace.__class__(lease=timedelta(seconds=0.05)))
    system.slow = 5
    await world.later(minutes=1)
    assert "was broken off" in ((await sight(world)).problem or "")


async def test_looks_that_fall_over_are_seen_as_blindness_too(world: World) -> None:
    system = await watching(world)
    system.trouble = [ZeroDivisionError()]
    world.clock.advance(minutes=16)
    await world.work()
    world.clock.advance(seconds=5)
    await world.work()
    [said] = world.slack.notices
    assert said.problem == ""
