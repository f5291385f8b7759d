"""What a look over the whole flow found: each was a click lost, a start unweighed or a row tried for ever."""

from collections.abc import Mapping

from bot.commands import Answer, Received
from bot.ports import NewDue, RetryAfter, StoreUnavailable, Unstorable
from connectors.errors import Unreachable
from policies import events as e
from policies.incident import Phase, StepPhase
from policies.people import Person
from tests.bot.worker.world import World


async def asked(world: World) -> None:
    await world.alert()
    await world.later(seconds=1)


async def facts(world: World, kind: type[e.Event]) -> list[e.Event]:
    return [x.event for x in await world.store.entries("DW-1") if isinstance(x.event, kind)]


async def test_a_tap_after_the_end_of_the_last_turn_is_too_late_though_nobody_was_at_work(
    world: World,
) -> None:
    await asked(world)
    await world.later(minutes=6)
    world.clock.advance(minutes=30)
    await world.click("U0CLEO")
    await world.later(seconds=1)
    assert (await world.request()).outcome == "expired"
    assert await facts(world, e.DecisionMade) == []
    assert any("expired" in words for words in world.slack.whispers)


async def test_a_tap_after_the_end_of_a_turn_counts_in_the_next_one(world: World) -> None:
    await asked(world)
    world.clock.advance(minutes=6)
    await world.approve()
    state = await world.request()
    assert (state.request.hop, state.outcome) == (1, "approved")
    assert state.decisions[0].at <= state.request.deadline


async def test_a_tap_in_time_counts_though_it_is_taken_up_late(world: World) -> None:
    await asked(world)
    await world.click("U0ANA")
    world.clock.advance(minutes=30)
    await world.later(seconds=1)
    assert (await world.request()).outcome == "approved"


async def unsent(world: World) -> None:
    """Started, and its call never left the house."""
    await asked(world)
    await world.approve()
    world.actuator.before = [Unreachable() for _ in range(3)]
    await world.backfill()
    await world.later(seconds=10)
    assert len(await facts(world, e.ActionStarted)) == 1
    world.actuator.before = []


async def test_what_was_never_sent_is_not_sent_when_other_code_would_run_by_now(
    world: World,
) -> None:
    await unsent(world)
    await world.stop()
    world.systems["dagster"].version = "v2"  # type: ignore[attr-defined]
    await world.later(minutes=1)
    await world.store.lift("*", "U0DEE", world.clock.now())
    for _ in range(12):
        await world.later(seconds=10)
    assert world.runs.started == []
    state = (await world.incident()).steps["run_growth_rollups_job"]
    assert state.phase is StepPhase.UNCERTAIN
    assert "not what was shown" in (state.why or "")


async def test_what_was_never_sent_is_sent_once_the_stop_is_lifted_and_nothing_changed(
    world: World,
) -> None:
    await unsent(world)
    await world.stop()
    await world.later(minutes=1)
    assert world.runs.started == []
    await world.store.lift("*", "U0DEE", world.clock.now())
    for _ in range(12):
        await world.later(seconds=10)
    assert len(world.runs.started) == 1


async def test_a_domain_that_is_gone_from_dw_yml_hands_its_incidents_over(world: World) -> None:
    await asked(world)
    domains = {"marketing": world.context.rules.domains["growth"]}
    world.use(rules=world.context.rules.model_copy(update={"domains": domains}))
    await world.approve()
    incident = await world.incident()
    assert incident.phase is Phase.HANDED_OVER
    assert "'growth' is not in dw.yml" in (incident.closed_because or "")
    assert any("did not count" in words for words in world.slack.whispers)


class Locked:
    """A directory whose token was revoked."""

    async def person(self, slack_id: str, *, fresh: bool = False) -> Person | None:
        raise RetryAfter(60, "Slack says token_revoked", lasting=True)

    seated = someone = quiet_until = person


async def test_a_click_that_slack_lets_nobody_weigh_is_given_up_and_the_clock_goes_on(
    world: World,
) -> None:
    await asked(world)
    world.use(directory=Locked())
    await world.click("U0ANA")
    for _ in range(8):
        await world.later(seconds=61)
    assert (await world.store.stats(world.clock.now())).poisoned == ("intake:click-1",)
    assert any("did not count" in words for words in world.slack.whispers)
    (refused,) = await facts(world, e.DecisionRefused)
    assert refused.key == "click-1"  # type: ignore[union-attr]
    assert (await world.request()).request.hop == 1


async def test_a_value_that_the_database_refuses_is_not_tried_for_ever(world: World) -> None:
    await asked(world)

    class Choosy:
        def __init__(self, wrong: Exception) -> None:
            self.wrong = wrong

        async def show(self, _showing: object) -> None:
            raise self.wrong

    refusing, gone = Choosy(Unstorable("no \0 in text")), Choosy(StoreUnavailable("away"))
    for slack in (refusing, gone):
        world.use(announcer=slack)
        now = world.clock.now()
        row = NewDue(
            kind="show", key="show:DW-1:card", at=now, incident_id="DW-1", payload={"name": "card"}
        )
        await world.store.add((row,))
        for _ in range(9):
            await world.later(minutes=6)
        poisoned = (await world.store.stats(world.clock.now())).poisoned
        assert ("show:DW-1:card" in poisoned) is (slack is refusing)


async def test_an_order_is_carried_out_once_though_its_answer_fails(world: World) -> None:
    class Obeying:
        done = 0

        async def answer(self, _question: Answer) -> str:
            self.done += 1
            return "Stopped."

    class Stumbling:
        said: tuple[str, ...] = ()

        async def reply(self, _channel: str, _ts: str, text: str, *, key: str) -> None:
            self.said = (*self.said, f"{key} {text}")
            if len(self.said) == 1:
                raise RetryAfter(1, "busy")

    obeying, slack, now = Obeying(), Stumbling(), world.clock.now()
    world.use(answerer=obeying, announcer=slack)
    about: Mapping[str, str] = {"channel": "C0ALERTS", "thread_ts": "1.1", "text": "stop"}
    order = Answer(key="Ev9", person="U0ELI", at=now, **about)
    await world.desk.receive(Received(key="Ev9", command=order, raw="{}", at=now))
    for _ in range(3):
        await world.later(seconds=2)
    assert obeying.done == 1
    assert slack.said == ("Ev9 Stopped.", "Ev9 Stopped.")


async def test_one_row_becomes_one_for_each_copy_of_every_open_incident(world: World) -> None:
    await asked(world)
    await world.stop()
    world.slack.shown.clear()
    await world.work()
    name = (await world.request()).request.id
    shown = {name for _, name in world.slack.shown}
    assert shown >= {"card", f"request:{name}", f"dm:{name}:U0ANA"}
    (card,) = [one for one in world.slack.showings if one.name == "card"][-1:]
    assert card.stopped is not None
