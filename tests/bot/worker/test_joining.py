"""Two troubles of one cause become one, in whatever order they were told; what a yes has set going goes on."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.commands import Polled, Received
from bot.outbox import join_due
from handlers import views
from policies import events as e
from policies.alert import AlertKind
from policies.incident import Incident, Phase, StepPhase
from policies.lifecycle import replay
from policies.lineage import Lineage
from policies.receipt import summary
from tests.bot.worker.world import World, a_world, sqlite_url
from tests.building import an_alert
from tests.clock import FakeClock
from tests.policies import night

SIBLING = "raw_payments"


@pytest.fixture
async def world(tmp_path: Path, clock: FakeClock) -> AsyncIterator[World]:
    """Raw sessions and raw payments are both built from what the shop exports."""
    async with a_world(sqlite_url(tmp_path), clock) as made:
        payments = {"assets": ["raw_payments"], "owners": {"raw_payments": "bo@example.com"}}
        domains = {"growth": night.growth(), "money": night.growth(**payments, checks=[])}
        assets = {**night.dw_yml()["assets"], SIBLING: night.dw_yml()["assets"]["raw_sessions"]}
        made.use(rules=night.rules(domains=domains, assets=assets))
        dagster = made.systems["dagster"]
        shop = Lineage(edges=frozenset({("shop", "raw_sessions"), ("shop", SIBLING)}))
        dagster.graph = dagster.graph.merged(shop)  # type: ignore[attr-defined]
        yield made


async def told(world: World, key: str, asset: str, **changes: Any) -> None:
    """Dagster is found to have failed to build something, in a run of its own."""
    known = {"signal_key": key, "asset": asset, "title": f"{asset} failed", "run_id": f"run-{key}"}
    alert = an_alert(**{"kind": AlertKind.CHECK_FAILED, **known, **changes})
    item = Received(key=key, command=Polled(alert=alert), raw="", at=world.clock.now())
    await world.desk.receive(item)
    await world.work()
    await world.later(seconds=31)


async def siblings(world: World) -> None:
    """Both failed before anybody knew that the shop's export had."""
    await world.alert()
    await world.later(seconds=31)
    await told(world, "B", SIBLING)
    assert [i.phase for i in await all_of(world)] == [Phase.PLANNED, Phase.PLANNED]


async def all_of(world: World) -> list[Incident]:
    lines = await world.store.incidents(open_only=False, limit=50)
    return [await world.incident(line.id) for line in reversed(lines)]


async def events(world: World, name: str, kind: type[e.Event]) -> list[Any]:
    entries = await world.store.entries(name)
    return [x.event for x in entries if isinstance(x.event, kind)]


def said(world: World, incident: Incident, kind: type[e.Event]) -> str:
    """What the thread is told of the last fact of this kind."""
    showing = next(s for s in reversed(world.slack.showings) if s.incident.id == incident.id)
    entry = next(x for x in reversed(showing.entries) if isinstance(x.event, kind))
    reply = views.reply(showing, entry)
    assert reply is not None
    return reply.text


def card(world: World, name: str) -> str:
    shown = [s for s in world.slack.showings if (s.incident.id, s.name) == (name, "card")]
    return str(views.card(shown[-1]).blocks)


async def test_when_what_both_are_built_from_fails_last_the_elder_thread_is_its_and_the_other_joins(
    world: World,
) -> None:
    await siblings(world)
    await told(world, "U", "shop")
    one, other = await all_of(world)
    assert (one.alert.asset, one.took_in) == ("shop", ("DW-2",))
    assert (other.phase, other.joined) == (Phase.DISMISSED, "DW-1")
    assert {a.asset for a in one.alerts} == {"shop", "raw_sessions", SIBLING}
    assert "3 failures, 1 cause" in card(world, "DW-1")
    assert "Joined by `DW-2`" in card(world, "DW-1")
    assert "joined DW-1: one cause" in card(world, "DW-2")
    assert "It goes on in the thread of `DW-1`" in said(world, other, e.Joined)


async def test_what_was_asked_for_in_what_joined_is_void_with_words_and_asked_once(
    world: World,
) -> None:
    await siblings(world)
    await told(world, "U", "shop")
    one, other = await all_of(world)
    (request,) = other.requests.values()
    assert request.outcome == "void"
    assert "this is one cause with DW-1: raw_payments is built from shop" in (request.why or "")
    assert "nothing of it ran" in said(world, other, e.RequestVoided)
    assert len(one.open_requests()) <= 1
    assert other.open_requests() == ()
    await world.click("U0BO", incident_id="DW-2", request_id=request.request.id)
    await world.work()
    assert "void" in world.slack.whispers[-1]


async def test_whatever_is_told_of_it_later_is_put_to_the_one_it_joined(world: World) -> None:
    await siblings(world)
    await told(world, "U", "shop")
    await told(world, "B2", SIBLING, kind=AlertKind.RESOLVED)
    await told(world, "B3", SIBLING, kind=AlertKind.ASSET_STALE, run_id=None)
    one, _ = await all_of(world)
    assert [a.signal_key for a in one.alerts if a.signal_key.startswith("B")] == ["B", "B2", "B3"]


async def test_when_the_cause_has_a_thread_of_its_own_already_both_join_it(world: World) -> None:
    whole, dagster = world.systems["dagster"].graph, world.systems["dagster"]  # type: ignore[attr-defined]
    dagster.graph = Lineage()  # type: ignore[attr-defined]
    for key, asset in (("A", "raw_sessions"), ("B", SIBLING)):
        await told(world, key, asset)
    dagster.graph = whole  # type: ignore[attr-defined]
    await told(world, "U", "shop", connection="dagster")
    first, second, cause = await all_of(world)
    assert (first.joined, second.joined) == ("DW-3", "DW-3")
    assert cause.took_in == ("DW-1", "DW-2")
    assert cause.alert.asset == "shop"


async def approved(world: World) -> None:
    """Ana says yes to the repair of raw_sessions, and has begun it."""
    state = next(iter((await world.incident()).requests.values()))
    await world.click("U0ANA", request_id=state.request.id, digest=state.request.digest)
    await world.later(seconds=1)


async def test_a_repair_that_has_begun_is_linked_and_not_taken_away(world: World) -> None:
    await siblings(world)
    await approved(world)
    await world.backfill()
    await told(world, "U", "shop")
    begun, other = await all_of(world)
    assert begun.phase is Phase.REPAIRING
    assert StepPhase.DONE in {state.phase for state in begun.steps.values()}
    assert (begun.linked, other.linked) == (("DW-2",), ("DW-1",))
    assert other.alert.asset == "shop"
    assert "both go on" in said(world, begun, e.Linked)
    assert "Same cause, goes on beside this: `DW-1`" in card(world, "DW-2")


async def test_looking_again_joins_and_links_nothing_twice(world: World) -> None:
    await siblings(world)
    await approved(world)
    await told(world, "U", "shop")
    for _ in range(3):
        await world.store.add([join_due(name, world.clock.now()) for name in ("DW-1", "DW-2")])
        await world.work()
    assert len(await events(world, "DW-1", e.Linked)) == 1
    assert len(await events(world, "DW-2", e.Linked)) == 1


async def test_both_journals_replay_and_both_receipts_tell_it(world: World) -> None:
    await siblings(world)
    await told(world, "U", "shop")
    for incident in await all_of(world):
        assert incident == replay(incident.id, await world.store.entries(incident.id))
    (receipt,) = await world.store.receipts()
    assert receipt.incident_id == "DW-2"
    assert receipt.body["joined"]["into"] == "DW-1"
    assert "; joined DW-1: raw_payments is built from shop" in summary(receipt.body)[0]
    one, other = await all_of(world)
    issued = e.ReceiptIssued(number=2, hash="sha256:0")
    assert "*Joined `DW-1`*" in str(views.receipt(other, issued).blocks)
    words = str(views.receipt(one, issued).blocks)
    assert "*The cause moved* from raw_sessions_complete failed on raw_sessions" in words
    assert "to shop failed" in words
    assert "Joined by `DW-2`" in words


async def test_what_began_too_far_apart_is_not_joined(world: World) -> None:
    await siblings(world)
    rules = world.context.rules
    world.use(rules=rules.model_copy(update={"together_within": rules.together_within / 10000}))
    await told(world, "U", "shop")
    assert [i.joined for i in await all_of(world)] == [None, None, None]


async def test_what_a_person_took_over_without_a_plan_takes_its_consequences_in(
    world: World,
) -> None:
    await told(world, "U", "shop", kind=AlertKind.OP_FAILED)
    (cause,) = await all_of(world)
    assert (cause.phase, cause.plan) == (Phase.HANDED_OVER, None)
    for number in range(3):
        await told(world, f"A{number}", "raw_sessions", run_id=f"run-{number}")
    (cause,) = await all_of(world)
    assert [a.signal_key for a in cause.alerts] == ["U", "A0", "A1", "A2"]
