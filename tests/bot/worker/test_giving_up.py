"""What fails for ever is told, and what only hiccups is never given up."""

import asyncio
from dataclasses import replace
from datetime import timedelta

from bot.ports import Due, Unstorable
from bot.worker.context import Context
from bot.worker.kinds import KINDS
from bot.worker.loop import Worker
from bot.worker.polling import first_looks
from connectors.errors import Broken
from policies.incident import Phase, StepPhase
from policies.run import Run
from tests.bot.worker.world import World


async def started(world: World) -> None:
    """The rollups run."""
    await world.alert()
    await world.later(seconds=1)
    await world.approve()
    await world.backfill()
    await world.later(seconds=10)


def hiccups(world: World, *, always: bool) -> None:
    """Every second look at a run fails, or every one."""
    orchestrator, looks = world.systems["dagster"], [0]
    run = orchestrator.run  # type: ignore[attr-defined]

    async def look(run_id: str) -> Run:
        looks[0] += 1
        if always or looks[0] % 2:
            raise Broken("it stumbled")
        return await run(run_id)  # type: ignore[no-any-return]

    orchestrator.run = look  # type: ignore[attr-defined]


async def test_a_long_run_is_followed_to_its_end_although_many_looks_fail(world: World) -> None:
    await started(world)
    hiccups(world, always=False)
    for _ in range(60):
        await world.later(minutes=6)
    world.runs.end("run-1")
    for _ in range(6):
        await world.later(minutes=6)
    assert (await world.incident()).steps["run_growth_rollups_job"].phase is StepPhase.DONE


async def test_a_run_that_can_not_be_read_any_more_goes_to_a_person(world: World) -> None:
    await started(world)
    hiccups(world, always=True)
    for _ in range(30):
        await world.later(minutes=6)
    incident = await world.incident()
    assert incident.phase is Phase.HANDED_OVER
    assert "follow a run" in (incident.closed_because or "")
    assert incident.receipt is not None


async def test_an_orchestrator_that_was_down_for_a_day_is_polled_again_afterwards(
    world: World,
) -> None:
    rules = world.context.rules.model_copy(update={"poll_every": timedelta(minutes=1)})
    world.use(rules=rules)
    await world.store.add(first_looks(["dagster"], world.clock.now()), keep=True)
    orchestrator, up = world.systems["dagster"], [False]

    async def since(*_: object, **__: object) -> list[Run]:
        if not up[0]:
            raise Broken("it is down")
        return []

    orchestrator.runs_since = since  # type: ignore[attr-defined]
    for _ in range(60):
        await world.later(minutes=6)
    up[0] = True
    await world.later(minutes=6)
    assert (await world.store.stats(world.clock.now())).poisoned == ()


async def test_whoever_tapped_in_vain_is_told(world: World) -> None:
    await world.alert()
    await world.later(seconds=1)
    world.use(pace=replace(world.context.pace, attempts=1))
    world.people.people["U0ANA"] = None  # type: ignore[assignment]
    await world.click("U0ANA")
    for _ in range(3):
        await world.later(seconds=2)
    assert any("did not count" in words for words in world.slack.whispers)


async def test_a_domain_that_is_gone_from_dw_yml_hands_its_incidents_to_a_person(
    world: World,
) -> None:
    await world.alert()
    await world.later(seconds=1)
    domains = {"other": world.context.rules.domains["growth"]}
    world.use(rules=world.context.rules.model_copy(update={"domains": domains}))
    await world.later(minutes=6)
    incident = await world.incident()
    assert incident.phase is Phase.HANDED_OVER
    assert "'growth' is not in dw.yml any more" in (incident.closed_because or "")
    assert (await world.store.stats(world.clock.now())).waiting == 0, "nothing goes round and round"


async def test_a_tap_on_a_request_of_a_domain_that_is_gone_is_answered(world: World) -> None:
    await world.alert()
    await world.later(seconds=1)
    domains = {"other": world.context.rules.domains["growth"]}
    world.use(rules=world.context.rules.model_copy(update={"domains": domains}))
    await world.click("U0ANA")
    await world.later(seconds=2)
    assert any("did not count" in words for words in world.slack.whispers)
    assert world.runs.runs == {}


async def test_a_value_the_database_can_not_hold_is_given_up_and_shown(world: World) -> None:
    async def never(_context: Context, _due: Due) -> None:
        raise Unstorable("a date out of range")

    await world.alert()
    await world.later(seconds=1)
    world.use(pace=replace(world.context.pace, attempts=3))
    world.worker = Worker(world.context, {**KINDS, "intake": never}, asyncio.Event())
    await world.click("U0ANA")
    for _ in range(6):
        await world.later(minutes=1)
    assert (await world.store.stats(world.clock.now())).poisoned == ("intake:click-1",)
    assert any("did not count" in words for words in world.slack.whispers)
