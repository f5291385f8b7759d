"""A check that only warns opens no incident, unless dw.yml asks for it; an open one it joins and is shown in."""

from policies.signal import Words
from tests.bot.worker.looks import watching
from tests.bot.worker.world import World, an_alert_message


async def warned(world: World, key: str = "Ev9") -> None:
    words = an_alert_message(key, world.clock).words
    severity = Words(where="blocks.4", value="*Severity:* WARN")
    await world.alert(key, words=(*words, severity))


async def test_it_opens_nothing(world: World) -> None:
    await warned(world)
    assert await world.store.load("DW-1") is None


async def test_it_joins_what_is_open(world: World) -> None:
    await world.alert()
    await warned(world)
    incident = await world.incident()
    assert incident.alerts[-1].title.startswith("raw_sessions_complete warns of raw_sessions")


async def test_where_dw_yml_asks_for_it_it_opens_an_incident(world: World) -> None:
    await watching(world, warnings=True)
    await warned(world)
    assert (await world.incident()).alert.kind.value == "check_warned"
