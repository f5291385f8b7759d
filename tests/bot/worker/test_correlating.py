"""Many alerts, one trouble: consequences join it, its beginning takes it over, the same error is counted."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.commands import Polled, Received
from handlers import views
from policies import events as e
from policies.alert import AlertKind
from policies.incident import Incident, Phase
from policies.lineage import Lineage
from policies.rules import Rules
from tests.bot.fakes import FakeOrchestrator, growth_lineage
from tests.bot.worker.world import World, a_world, sqlite_url
from tests.building import an_alert
from tests.clock import FakeClock
from tests.policies import night


def two_systems() -> Rules:
    """Airflow builds what people read from what Dagster builds."""
    known = night.rules().model_dump(mode="json", exclude_none=True)
    known["together_within"] = "12h"
    jobs = {"board": {"builds": ["board_pack"], "after": ["fct_daily_active_users"]}}
    airflow = {"kind": "airflow", "url": "http://127.0.0.1:1", "version": 3, "jobs": jobs}
    return night.rules(
        connections={**night.dw_yml()["connections"], "airflow": airflow},
        domains={
            "growth": night.growth(),
            "board": night.growth(assets=["board_*"], jobs=["board"], owners={}, checks=[]),
        },
    )


@pytest.fixture
async def world(tmp_path: Path, clock: FakeClock) -> AsyncIterator[World]:
    async with a_world(sqlite_url(tmp_path), clock) as made:
        made.use(rules=two_systems())
        yield made


async def told(world: World, key: str = "A1", **changes: object) -> None:
    """The poll of Airflow finds a failed run, or whatever `changes` says."""
    known = {
        "signal_key": key,
        "system": "airflow",
        "connection": "airflow",
        "title": f"{key} failed",
    }
    bare = {
        "kind": AlertKind.RUN_FAILED,
        "asset": None,
        "check": None,
        "run_id": None,
        "partition": None,
    }
    alert = an_alert(**{**known, **bare, **changes})
    item = Received(key=key, command=Polled(alert=alert), raw="", at=world.clock.now())
    await world.desk.receive(item)
    await world.work()
    await world.later(seconds=31)


def fed_by(world: World, source: str) -> None:
    """Dagster knows what raw_sessions is built from."""
    dagster = world.systems["dagster"]
    edge = Lineage(edges=frozenset({(source, "raw_sessions")}))
    dagster.graph = growth_lineage().merged(edge)  # type: ignore[attr-defined]


async def opened(world: World) -> list[Incident]:
    lines = await world.store.incidents(open_only=False, limit=50)
    return [await world.incident(line.id) for line in reversed(lines)]


def card(incident: Incident, world: World) -> str:
    showing = next(s for s in reversed(world.slack.showings) if s.name == "card")
    return str(views.card(replace(showing, incident=incident)).blocks)


async def test_what_fails_downstream_in_another_orchestrator_joins(world: World) -> None:
    await world.alert()
    await world.later(seconds=1)
    await told(world, job="board", run_id="board/r1")
    (incident,) = await opened(world)
    assert [a.signal_key for a in incident.alerts] == ["Ev1", "A1"]
    assert "*2 failures, 1 cause*: also `board`" in card(incident, world)
    (entry,) = [x for x in await world.store.entries("DW-1") if isinstance(x.event, e.AlertMatched)]
    assert entry.event.because == "board_pack is downstream of raw_sessions"


async def test_what_was_handed_over_goes_on_once_its_beginning_is_known(world: World) -> None:
    stale = {"asset": "fct_daily_active_users", "kind": AlertKind.ASSET_STALE}
    await told(world, "D1", connection="dagster", system="dagster", **stale)
    (before,) = await opened(world)
    assert before.phase is Phase.HANDED_OVER
    await world.alert("Ev9")
    await world.later(seconds=31)
    (incident,) = await opened(world)
    assert (incident.alert.signal_key, incident.title) == ("Ev9", incident.alert.title)
    assert incident.diagnosis is not None
    assert incident.diagnosis.cause is not None
    assert incident.diagnosis.cause.name == "source_replica_behind"
    assert incident.radius is not None
    assert incident.radius.root == "raw_sessions"
    assert [r.request.owner for r in incident.open_requests()] == ["ana@example.com"]


async def test_when_the_consequence_came_first_the_cause_moves_and_its_request_is_void(
    world: World,
) -> None:
    fed_by(world, "shop_sessions")
    await world.alert()
    await world.later(seconds=1)
    await told(world, "U1", connection="dagster", asset="shop_sessions", kind=AlertKind.ASSET_STALE)
    (incident,) = await opened(world)
    assert incident.alert.signal_key == "U1"
    assert incident.radius is not None
    assert incident.radius.root == "shop_sessions"
    (request,) = incident.requests.values()
    assert request.outcome == "void"
    assert "the trouble began further up: U1 failed" in (request.why or "")


async def test_a_beginning_in_another_domain_makes_it_that_domains(world: World) -> None:
    told_of_run = {"job": "board", "assets_planned": ["board_pack"], "assets_materialized": []}
    airflow = FakeOrchestrator("airflow", world.runs, {"run_failure": told_of_run})  # type: ignore[arg-type]
    known = world.context.systems
    both = {**known.orchestrators, "airflow": airflow}
    world.use(systems=replace(known, readers={**known.readers, **both}, orchestrators=both))
    await told(world, job="board", run_id="board/r1")
    (before,) = await opened(world)
    assert before.domain == "board"
    await world.alert("Ev9")
    await world.later(seconds=31)
    (incident,) = await opened(world)
    assert (incident.domain, incident.alert.signal_key) == ("growth", "Ev9")


async def test_once_a_yes_is_in_use_the_repair_goes_on_and_the_thread_says_so(world: World) -> None:
    fed_by(world, "shop_sessions")
    await world.alert()
    await world.later(seconds=1)
    await world.approve()
    await told(world, "U1", connection="dagster", asset="shop_sessions", kind=AlertKind.ASSET_STALE)
    (incident,) = await opened(world)
    assert (incident.alert.signal_key, incident.phase) == ("Ev1", Phase.REPAIRING)
    last = [
        x.event for x in await world.store.entries("DW-1") if isinstance(x.event, e.AlertMatched)
    ]
    assert "the repair that is under way goes on" in last[-1].because


async def test_what_fails_long_after_is_a_trouble_of_its_own(world: World) -> None:
    world.use(rules=two_systems().model_copy(update={"together_within": timedelta(minutes=1)}))
    await world.alert()
    await world.later(minutes=2)
    await told(world, job="board", run_id="board/r1")
    assert [i.alert.signal_key for i in await opened(world)] == ["Ev1", "A1"]


async def test_good_news_of_something_unknown_opens_nothing(world: World) -> None:
    for kind in (AlertKind.RESOLVED, AlertKind.SUCCESS):
        await told(world, kind.value, job="board", kind=kind, run_id=f"board/{kind.value}")
    assert await opened(world) == []


async def test_the_same_error_again_is_counted_and_opens_no_second_thread(world: World) -> None:
    for day in range(1, 48):
        await told(
            world, f"A{day}", job="board", run_id=f"board/{day}", partition=f"2026-08-{day:02}"
        )
    (incident,) = await opened(world)
    assert len(incident.alerts) == 47
    shown = card(incident, world)
    assert "*The 47th time in 30 days.*" in shown
    assert "*Not mended here*: it failed for" in shown
    assert "`2026-08-02`, `2026-08-03`, `2026-08-04` and 43 more too" in shown


async def test_a_new_incident_names_the_ones_before_it_and_how_the_last_one_ended(
    world: World,
) -> None:
    for number in (1, 2, 3):
        await told(world, f"A{number}", job="board", run_id=f"board/{number}")
        await world.later(hours=13)
    incidents = await opened(world)
    assert [i.phase for i in incidents[:2]] == [Phase.HANDED_OVER] * 2
    again = incidents[-1].again
    assert again is not None
    assert (again.times, again.last, again.before) == (3, "DW-2", ("DW-1",))
    assert (again.ended or "").startswith("handed over: ")
    assert "*The 3rd time in 30 days.* The last was `DW-2`, handed over: " in card(
        incidents[-1], world
    )


async def test_one_run_told_thrice_is_one_time(world: World) -> None:
    for key in ("A1", "A2", "A3"):
        await told(world, key, job="board", run_id="board/1")
    (incident,) = await opened(world)
    assert len(incident.alerts) == 3
    assert incident.again is None


async def test_of_many_alerts_the_thread_is_told_the_first_and_the_round_numbers(
    world: World,
) -> None:
    for number in range(1, 61):
        await told(world, f"A{number}", job="board", run_id=f"board/{number}")
    names = {name for _, name in world.slack.shown if name.startswith("reply:")}
    entries = {f"reply:{x.seq}": x.event for x in await world.store.entries("DW-1")}
    told_of = [entries[name] for name in names if isinstance(entries[name], e.AlertMatched)]
    assert len(told_of) == 7
