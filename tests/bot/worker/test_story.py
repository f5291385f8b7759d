"""Monday night through the real desk, worker and database: Slack and Dagster are imagined."""

from policies.incident import Phase, StepPhase
from policies.receipt import verify
from policies.run import RunState
from policies.signal import Link, Words
from tests.bot.worker.world import World


async def asked(world: World) -> None:
    await world.alert()
    await world.later(seconds=1)


async def phases(world: World) -> dict[str, StepPhase]:
    return {name: state.phase for name, state in (await world.incident()).steps.items()}


async def test_an_alert_becomes_a_cause_a_plan_and_a_request_to_the_owner(world: World) -> None:
    await asked(world)
    incident = await world.incident()
    assert incident.phase is Phase.PLANNED
    assert incident.diagnosis is not None
    assert incident.diagnosis.cause is not None
    assert incident.diagnosis.cause.name == "source_replica_behind"
    state = await world.request()
    assert state.request.owner == "ana@example.com"
    assert state.asked == (("U0ANA", 0),)
    assert {name for _, name in world.slack.shown} >= {
        "card",
        f"request:{state.request.id}",
        f"dm:{state.request.id}:U0ANA",
    }
    assert world.runs.started == []


async def test_the_night_ends_with_one_run_and_a_receipt(world: World) -> None:
    await asked(world)
    await world.approve()
    await world.backfill()
    await world.later(seconds=10)
    assert len(world.runs.started) == 1
    world.runs.end("run-1")
    await world.later(seconds=10)
    incident = await world.incident()
    assert incident.phase is Phase.RESOLVED, incident
    receipts = await world.store.receipts()
    assert [r.number for r in receipts] == [1]
    assert verify(receipts) is None
    assert [r.passed for r in incident.checks if r.moment == "after"] == [True, True]


async def test_the_rollups_wait_for_the_backfill_and_its_gate(world: World) -> None:
    await asked(world)
    await world.approve()
    await world.later(minutes=5)
    assert world.runs.started == []
    await world.backfill()
    await world.later(seconds=10)
    assert len(world.runs.started) == 1


async def test_a_backfill_that_fails_is_said_and_the_next_one_is_taken(world: World) -> None:
    await asked(world)
    await world.approve()
    run = await world.backfill(RunState.QUEUED)
    world.runs.end(run.id, RunState.FAILED)
    await world.later(seconds=10)
    assert StepPhase.READY in (await phases(world)).values()
    await world.backfill()
    await world.later(seconds=10)
    assert len(world.runs.started) == 1


async def test_a_later_alert_downstream_joins_the_same_incident(world: World) -> None:
    await asked(world)
    await world.alert(
        "Ev2",
        words=(Words(where="text", value="Asset fct_daily_active_users freshness failed"),),
        links=(
            Link(where="b", url="https://acme.dagster.cloud/prod/assets/fct_daily_active_users"),
        ),
    )
    await world.later(seconds=1)
    assert len(await world.store.incidents(open_only=False, limit=10)) == 1
    assert len((await world.incident()).alerts) == 2


async def test_two_alerts_of_one_trouble_in_the_same_second_are_one_incident(world: World) -> None:
    await world.receive("Ev1")
    await world.receive(
        "Ev2",
        words=(Words(where="text", value="Asset fct_daily_active_users freshness failed"),),
        links=(
            Link(where="b", url="https://acme.dagster.cloud/prod/assets/fct_daily_active_users"),
        ),
    )
    for _ in range(4):
        await world.later(seconds=1)
    assert len(await world.store.incidents(open_only=False, limit=10)) == 1
    assert len((await world.incident()).alerts) == 2


async def test_an_alert_of_another_trouble_opens_its_own_incident_after_a_moment(
    world: World,
) -> None:
    await world.receive("Ev1")
    other = "https://acme.dagster.cloud/prod/assets/fct_other"
    await world.receive(
        "Ev2",
        words=(Words(where="text", value="Asset fct_other freshness failed"),),
        links=(Link(where="b", url=other),),
    )
    for _ in range(4):
        await world.later(seconds=1)
    assert len(await world.store.incidents(open_only=False, limit=10)) == 2


async def test_a_redelivered_alert_is_a_no_op(world: World) -> None:
    await asked(world)
    version = (await world.incident()).version
    await world.alert()
    assert (await world.incident()).version == version


async def test_numbers_that_are_still_wrong_go_to_a_person_and_leave_a_receipt(
    world: World,
) -> None:
    await asked(world)
    await world.approve()
    await world.backfill()
    world.systems["warehouse"].values["rows_of_day"] = {"rows": 25000, "last": None}
    await world.later(seconds=10)
    world.runs.end("run-1")
    await world.later(seconds=10)
    incident = await world.incident()
    assert incident.phase is Phase.HANDED_OVER
    assert "25,000" in (incident.closed_because or "")
    assert incident.receipt == 1
