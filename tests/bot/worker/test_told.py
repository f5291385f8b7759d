"""What webhooks tell is taken up like every other alert: it opens, joins, or is good news."""

from bot.commands import Received, Told
from policies.alert import Alert, AlertKind
from policies.incident import Phase
from tests.bot.worker.world import World
from tests.building import an_alert
from tests.policies import night
from tests.policies.hooks import deliveries as d


async def told(world: World, alert: Alert) -> None:
    item = Received(key=alert.signal_key, command=Told(alert=alert), raw="{}", at=world.clock.now())
    await world.desk.receive(item)
    await world.work()
    await world.later(seconds=31)  # an alert without a known neighbour waits for one


async def alerts(world: World) -> list[list[str]]:
    """The keys of the signals of each incident."""
    lines = await world.store.incidents(open_only=False, limit=10)
    return [[a.signal_key for a in (await world.incident(line.id)).alerts] for line in lines]


async def test_a_webhook_and_the_alert_in_slack_of_one_run_are_one_incident(world: World) -> None:
    await world.alert()
    await told(world, an_alert(signal_key="hook:plus:1", asset=None, run_id=night.RUN))
    assert await alerts(world) == [["Ev1", "hook:plus:1"]]


async def test_good_news_of_a_webhook_open_nothing(world: World) -> None:
    for kind in (AlertKind.SUCCESS, AlertKind.RESOLVED):
        await told(world, an_alert(signal_key=f"hook:plus:{kind}", kind=kind))
    assert await alerts(world) == []


async def test_a_monitor_that_names_neither_run_nor_asset_is_given_to_a_person(
    world: World,
) -> None:
    for body in (d.FAILED["pagerduty"], d.GOOD["pagerduty"]):
        await told(world, d.alert("pagerduty", body, connection="dagster"))
    assert await alerts(world) == [["hook:pagerduty:01TRI"]]
    incident = await world.incident()
    assert incident.phase is Phase.HANDED_OVER
    assert incident.alert.title == "airflow-prod: Scheduler heartbeat missing"
