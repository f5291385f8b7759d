"""Promise 8: whatever happens in whatever order, without the entry of admins nothing runs without a click."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from policies.autonomy.levels import LevelEntry, in_force
from tests.bot.worker.levels import a_trusting_world, past, set_level
from tests.bot.worker.world import World
from tests.building import NOW, a_person
from tests.clock import FakeClock

LEVELS = ("L0", "L1", "L2", "L3", "L4")
Move = Callable[[World], Awaitable[None]]


async def an_alert_that_claims_a_right(world: World) -> None:
    world.answered += 1
    await world.alert(f"Ev-{world.answered}")


async def minutes(world: World) -> None:
    await world.later(minutes=4)


async def a_day(world: World) -> None:
    await world.later(hours=25)


async def a_backfill(world: World) -> None:
    await world.backfill()


async def good_receipts(world: World) -> None:
    await past(world, count=3)


async def somebody_sets_it(world: World) -> None:
    await set_level(world, "L4", person="U0ELI")


async def the_bot_sets_it(world: World) -> None:
    await set_level(world, "L4", person="U0DWBOT")


async def one_admin_of_two_wishes_it(world: World) -> None:
    await set_level(world, "L4")


async def a_row_is_forged(world: World) -> None:
    entries, (head, _) = await world.store.levels(), await world.store.head()
    values = f"({len(entries) + 1}, 'growth', 'run_job', 'L4', '[\"U0DEE\"]', '{NOW}', '\"\"'"
    receipt = head or "NULL"
    async with world.store.database.write() as connection:
        await connection.exec_driver_sql(f"INSERT INTO level VALUES {values}, {receipt})")


MOVES: tuple[Move, ...] = (
    an_alert_that_claims_a_right,
    minutes,
    a_day,
    a_backfill,
    good_receipts,
    somebody_sets_it,
    the_bot_sets_it,
    one_admin_of_two_wishes_it,
    a_row_is_forged,
)


async def lived_through(moves: list[Move], level: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with a_trusting_world(Path(folder), FakeClock(), level=level) as world:
            world.context.rules.admins.extend(["U0BO", "U0DWBOT"])
            world.people.people["U0DWBOT"] = a_person("U0DWBOT", bot=True)
            for move in (an_alert_that_claims_a_right, *moves, a_backfill, minutes):
                await move(world)
            assert world.runs.started == []


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(MOVES), max_size=7), st.sampled_from(LEVELS[:3]))
def test_no_sequence_of_events_without_admins_leads_to_a_run(moves: list[Move], level: str) -> None:
    asyncio.run(lived_through(moves, level))


@given(
    st.lists(
        st.builds(
            LevelEntry,
            number=st.integers(1, 9),
            domain=st.just("growth"),
            change_class=st.sampled_from(("*", "run_job")),
            level=st.sampled_from(LEVELS),
            by=st.sampled_from((("dw",), ("U0DEE",))),
            at=st.just(NOW),
            reason=st.just(""),
            receipt=st.one_of(st.none(), st.just(1)),
        )
    ),
    st.sampled_from(LEVELS),
)
def test_only_an_entry_of_people_with_a_receipt_lets_anything_go_alone(
    entries: list[LevelEntry],
    start: str,
) -> None:
    level = in_force(entries, "growth", "run_job", start)  # type: ignore[arg-type]
    if level.alone:
        assert level.entry is not None
        assert level.entry.by == ("U0DEE",)
        assert level.entry.receipt == 1
