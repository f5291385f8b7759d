"""A plan that is drafted again while parts of the first one have begun, or still wait for a decision."""

from dataclasses import replace

from policies.incident import Phase, StepPhase
from policies.lineage import Lineage
from tests.bot.worker.world import World


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
