"""A channel that takes nothing must not keep the owner from being asked."""

from bot.ports import Copy, Showing, Undeliverable
from tests.bot.fakes import FakeAnnouncer
from tests.bot.worker.world import World


class Archived(FakeAnnouncer):
    """Direct messages arrive, the channel takes nothing."""

    async def show(self, showing: Showing) -> Copy | None:
        if not showing.name.startswith("dm:"):
            raise Undeliverable("this channel is archived")
        return await super().show(showing)


async def test_the_owner_is_asked_privately_although_the_channel_is_archived(world: World) -> None:
    archived = Archived()
    world.use(announcer=archived)
    await world.alert()
    for _ in range(3):
        await world.later(seconds=5)
    assert ("DW-1", "dm:DW-1-R1:U0ANA") in archived.shown


async def test_a_card_that_never_comes_is_not_asked_after_all_the_time(world: World) -> None:
    world.use(announcer=Archived())
    await world.alert()
    await world.later(minutes=9)
    before = await world.store.next_at()
    assert before is not None
    assert (before - world.clock.now()).total_seconds() > 1
