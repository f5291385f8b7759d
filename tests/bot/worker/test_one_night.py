"""One night as everybody tells of it, in any order and any number of times, is one open incident with all of it."""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from bot.commands import Polled, Received, ReceiveSignal, Told
from bot.ports import IncidentLine
from policies.alert import Alert, AlertKind
from policies.incident import Incident
from policies.lineage import Lineage
from tests.bot.worker.world import World, a_world, an_alert_message, sqlite_url
from tests.building import an_alert
from tests.clock import FakeClock
from tests.policies import night

SHOP, FACTS = "shop", "fct_daily_active_users"
TELLERS = ("slack", "webhook", "poll", "resolved", "downstream", "upstream", "freshness")
ALL = frozenset(TELLERS)
#: without the phase that follows every line: it takes minutes
QUICKLY = (Phase.explicit, Phase.reuse, Phase.generate)
Night = Sequence[tuple[str, int]]
#: everybody tells at least once, some again, with so many seconds after each
MORE = st.lists(st.sampled_from(TELLERS), max_size=3)
ORDERS = MORE.flatmap(lambda more: st.permutations([*TELLERS, *more]))
NIGHTS = ORDERS.flatmap(
    lambda told: st.tuples(*(st.tuples(st.just(one), st.sampled_from([0, 1, 8])) for one in told))
)
#: without the phase that follows every line: it takes minutes
QUICKLY = (Phase.explicit, Phase.reuse, Phase.generate)
Night = Sequence[tuple[str, int]]
#: everybody tells at least once, some again, with so many seconds after each
NIGHTS = st.tuples(st.permutations(TELLERS), st.lists(st.sampled_from(TELLERS), max_size=4)).flatmap(
    lambda told: st.tuples(
        st.permutations([*told[0], *told[1]]),
        st.lists(st.sampled_from([0, 1, 8]), min_size=11, max_size=11),
    )
).map(lambda pair: list(zip(*pair, strict=False)))  # fmt: skip


def alert_of(teller: str) -> Alert:
    bare = {"run_id": None, "check": None, "signal_key": teller, "title": f"{teller} told"}
    known: dict[str, dict[str, object]] = {
        "webhook": {"run_id": night.RUN, "asset": None, "kind": AlertKind.RUN_FAILED},
        "poll": {"run_id": night.RUN, "job": "sessions_job", "kind": AlertKind.RUN_FAILED},
        "resolved": {"kind": AlertKind.RESOLVED},
        "downstream": {"asset": FACTS, "run_id": "later", "kind": AlertKind.OP_FAILED},
        "upstream": {"asset": SHOP, "check": "rows", "run_id": "earlier"},
        "freshness": {"asset": FACTS, "kind": AlertKind.ASSET_STALE, "partition": None},
    }
    return an_alert(**{**bare, **known[teller]})


async def tell(world: World, teller: str) -> None:
    command: ReceiveSignal | Told | Polled
    match teller:
        case "slack":
            command = ReceiveSignal(signal=an_alert_message("slack", world.clock))
        case "webhook" | "resolved":
            command = Told(alert=alert_of(teller))
        case _:
            command = Polled(alert=alert_of(teller))
    item = Received(key=teller, command=command, raw="{}", at=world.clock.now())
    await world.desk.receive(item)


async def lived(told: Night) -> list[Incident]:
    """What is in the database after such a night."""
    with tempfile.TemporaryDirectory() as folder:
        async with a_world(sqlite_url(Path(folder)), FakeClock()) as world:
            a_shop(world)
            for teller, after in told:
                await tell(world, teller)
                if after:
                    await world.later(seconds=after)
            for _ in range(4):
                await world.later(seconds=31)
            lines = await world.store.incidents(open_only=False, limit=50)
            return [await found(world, line) for line in lines]


async def found(world: World, line: IncidentLine) -> Incident:
    return await world.incident(line.id)


def a_shop(world: World) -> None:
    """What the shop exports is what raw_sessions is built from; it is loaded and checked the same way."""
    raw = night.dw_yml()["assets"]["raw_sessions"]
    growth = night.growth(
        assets=[SHOP, *night.growth()["assets"]],
        owners={SHOP: "ana@example.com", **night.growth()["owners"]},
    )
    assets = {**night.dw_yml()["assets"], SHOP: raw, FACTS: raw}
    world.use(rules=night.rules(assets=assets, domains={"growth": growth}))
    dagster = world.systems["dagster"]
    edge = Lineage(edges=frozenset({(SHOP, "raw_sessions")}))
    dagster.graph = dagster.graph.merged(edge)  # type: ignore[attr-defined]


@given(told=NIGHTS)
@example(told=[(teller, 8) for teller in TELLERS])
@example(told=[(teller, 8) for teller in reversed(TELLERS)])
@example(
    told=[
        (teller, 1)
        for teller in (
            "resolved",
            "freshness",
            "upstream",
            "webhook",
            "poll",
            "downstream",
            "slack",
        )
    ]
)
@settings(max_examples=5, phases=QUICKLY, suppress_health_check=[HealthCheck.too_slow])
def test_any_order_and_any_repetition_is_one_open_incident_with_all_that_was_told(
    told: Night,
) -> None:
    incidents = asyncio.run(lived(told))
    (one,) = [i for i in incidents if not i.phase.closed]
    assert {alert.signal_key for alert in one.alerts} == ALL
    assert len(one.alerts) == len(ALL)
    assert one.alert.asset == SHOP
    assert {i.joined for i in incidents if i is not one} <= {one.id}
