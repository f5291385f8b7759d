"""A plan that is drafted again while parts of the first one have begun, or still wait for a decision."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.outbox import replan
from policies.incident import Phase
from policies.lineage import Lineage
from tests.bot.worker.world import World, a_world, sqlite_url
from tests.clock import FakeClock


async def halfway(world: World) -> None:
    """The backfill is done, the rollups are approved, and what they would run changes."""
    await world.alert()
    await world.later(seconds=1)
    await world.approve()


def forget_owners(world: World) -> None:
    """Nobody is named any more, by lineage or by dw.yml: no plan can be drafted."""
    world.systems["dagster"].graph = Lineage()  # type: ignore[attr-defined]
    rules = world.context.rules
    bare = rules.domains["growth"].model_copy(update={"owners": {}, "chain": []})
    world.use(rules=rules.model_copy(update={"domains": {**rules.domains, "growth": bare}}))


async def test_what_was_changed_has_a_receipt_although_no_new_plan_can_be_drafted(
    world: World,
) -> None:
    await halfway(world)
    forget_owners(world)
    await world.backfill()
    for _ in range(4):
        await world.later(seconds=10)
    incident = await world.incident()
    assert incident.phase is Phase.HANDED_OVER
    assert incident.receipt is not None


@pytest.fixture
async def shared(tmp_path: Path, clock: FakeClock) -> AsyncIterator[World]:
    """Ana owns the backfill, Bo the rollups: two requests."""
    owners = {"raw_sessions": "ana@example.com", "growth_rollups_job": "bo@example.com"}
    async with a_world(sqlite_url(tmp_path), clock, owners=owners) as made:
        yield made


async def drafted_again(world: World) -> None:
    """As after a request of Ana's that is void."""
    await world.store.add([replan("DW-1", world.clock.now())])
    await world.later(seconds=10)


async def test_another_owners_open_request_is_void_when_the_new_plan_runs_other_code(
    shared: World,
) -> None:
    await shared.alert()
    await shared.later(seconds=1)
    shared.systems["dagster"].version = "v2"  # type: ignore[attr-defined]
    await drafted_again(shared)
    asked = (await shared.incident()).request_of("run_growth_rollups_job")
    assert asked is not None
    assert asked.open
    assert {step.code_version for step in asked.shown} == {"v2"}


async def test_a_request_whose_step_is_not_in_the_new_plan_does_not_wait_for_ever(
    shared: World,
) -> None:
    await shared.alert()
    await shared.later(seconds=1)
    rules = shared.context.rules
    bare = rules.connections["dagster"].model_copy(update={"jobs": {}})
    shared.use(
        rules=rules.model_copy(update={"connections": {**rules.connections, "dagster": bare}})
    )
    await drafted_again(shared)
    incident = await shared.incident()
    rollups = [
        r for r in incident.requests.values() if "run_growth_rollups_job" in r.request.step_ids
    ]
    assert [state.outcome for state in rollups] == ["void"]


async def test_a_step_that_runs_stays_in_a_plan_that_would_not_have_it_any_more(
    world: World,
) -> None:
    await halfway(world)
    await world.backfill()
    await world.later(seconds=10)
    ran = (await world.incident()).step("run_growth_rollups_job")
    world.systems["dagster"].version = "v2"  # type: ignore[attr-defined]
    await drafted_again(world)
    incident = await world.incident()
    assert incident.plan is not None
    assert incident.plan.version > 1
    assert incident.step("run_growth_rollups_job") == ran
