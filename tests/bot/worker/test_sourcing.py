"""Who posts alerts: counted whatever becomes of it, opened by nobody unknown, bound by admins alone."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.commands import BindSender, Received
from policies.signal import Sender, Words
from policies.sources import Sighting
from tests.bot.worker.world import OWN, World, a_world, sqlite_url
from tests.clock import FakeClock

STRANGER = Sender(bot_id="B0NEW", app_id="A0NEW")


@pytest.fixture
async def world(tmp_path: Path, clock: FakeClock) -> AsyncIterator[World]:
    async with a_world(sqlite_url(tmp_path), clock) as found:
        found.context.rules.admins.append("U0DEE")
        yield found


async def said(world: World, person: str = "U0DEE", **wish: str | None) -> str:
    """What somebody is told who binds it, or (without a system) unbinds it."""
    world.answered += 1
    command = BindSender(
        key=f"bind-{world.answered}",
        sender="B0NEW",
        person=person,
        at=world.clock.now(),
        respond_to="http://127.0.0.1/response",
        **wish,
    )
    item = Received(key=command.key, command=command, raw="{}", at=world.clock.now())
    await world.desk.receive(item)
    await world.later(seconds=1)
    return world.slack.whispers[-1]


async def heard(world: World, sender: str = "B0NEW") -> Sighting:
    return next(one for one in await world.store.sightings() if one.sender == sender)


async def opened(world: World) -> int:
    return len(await world.store.incidents(open_only=False, limit=9))


async def test_words_of_an_unknown_bot_open_nothing_and_are_shown_with_what_they_read_like(
    world: World,
) -> None:
    await world.alert(sender=STRANGER, posted_as="Dagster (new)")
    await world.later(seconds=2)
    assert await opened(world) == 0
    found = await heard(world)
    assert (found.unknown, found.understood, found.name) == (1, 0, "Dagster (new)")
    assert found.reads_like == ("dagsterplus",)


async def test_a_bound_sender_is_read_again_from_the_last_hour_on(world: World) -> None:
    await world.alert("Ev1", sender=STRANGER, ts="1.0")
    await world.later(minutes=61)
    await world.alert("Ev2", sender=STRANGER, ts="2.0")
    await world.later(seconds=2)
    told = await said(world, system="dagsterplus", connection="dagster")
    assert "1 of its messages of the last hour are read again" in told
    await world.later(seconds=40)
    assert await opened(world) == 1
    assert (await world.incident()).alerts[0].signal_key == "Ev2"
    assert (await heard(world)).understood == 1


async def test_what_is_bound_no_more_opens_nothing_and_old_alerts_are_not_read_twice(
    world: World,
) -> None:
    await world.alert(sender=STRANGER)
    await world.later(seconds=2)
    await said(world, system="dagsterplus", connection="dagster")
    await world.later(seconds=40)
    assert "bound to nothing any more" in await said(world)
    await world.alert("Ev2", sender=STRANGER, ts="2.0")
    await world.later(seconds=40)
    assert await opened(world) == 1
    assert "0 of" not in await said(world, system="dagsterplus", connection="dagster")
    taken = [alert.signal_key for alert in (await world.incident()).alerts]
    assert sorted(taken) == ["Ev1", "Ev2"]
    assert [one.system for one in await world.store.bindings()] == [
        "dagsterplus",
        None,
        "dagsterplus",
    ]


@pytest.mark.parametrize(
    ("person", "wish", "why"),
    [
        ("U0ELI", {"system": "dagsterplus", "connection": "dagster"}, "only an admin named"),
        ("U0DEE", {"system": "nothing", "connection": "dagster"}, "there is no system"),
        ("U0DEE", {"system": "dagsterplus", "connection": "gone"}, "no connection 'gone'"),
        ("U0DEE", {}, "is bound to nothing"),
    ],
)
async def test_what_may_not_be_is_refused_with_the_reason(
    world: World, person: str, wish: dict[str, str], why: str
) -> None:
    await world.alert(sender=STRANGER)
    await world.later(seconds=2)
    assert why in await said(world, person, **wish)
    assert await world.store.bindings() == []
    assert await opened(world) == 0


async def test_a_sender_that_nobody_heard_of_or_that_dw_yml_names_is_not_bound(
    world: World,
) -> None:
    assert "nobody has heard of B0NEW" in await said(world, system="dagster", connection="dagster")
    dagster = replace(STRANGER, app_id="A0DAGPLUS")
    await world.alert(sender=dagster)
    await world.later(seconds=2)
    assert "named in dw.yml" in await said(world, system="dagster", connection="dagster")


async def test_what_a_known_sender_says_and_nobody_understands_is_counted(world: World) -> None:
    await world.alert(words=(Words(where="text", value="Good morning"),), links=())
    await world.later(seconds=2)
    found = await heard(world, "B0DAGPLUS")
    assert (found.unread, found.understood, found.odd_place) == (1, 0, "C0ALERTS:1796005776.100592")
    assert b'dw_signals_total{outcome="unread"} 1.0' in world.context.metrics.render()


async def test_people_and_we_ourselves_are_no_senders(world: World) -> None:
    await world.alert("Ev1", sender=Sender(user="U0ANA"))
    await world.alert("Ev2", sender=OWN, ts="2.0")
    await world.later(seconds=2)
    assert await world.store.sightings() == []
