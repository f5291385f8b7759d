"""After an outage more failed than is read in one go: it is read in pieces, says how far, and nothing is left out."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.worker.reading import MOST, failures
from connectors.base import not_too_many
from connectors.errors import Broken
from handlers import views
from policies.run import Run, RunState
from policies.sight import OVERLAP, Sight, first
from tests.bot.fakes import FakeOrchestrator, Runs
from tests.bot.worker.looks import a_failure, sight, watching
from tests.bot.worker.world import World
from tests.building import NOW


class Backlog(FakeOrchestrator):
    """Counts before it tells, as the real ones do; `told` are the pieces. It never tells more than `limit`."""

    def __init__(self, runs: Runs, limit: int | None = None) -> None:
        super().__init__("dagster", runs, {})
        self.asked, self.told, self.limit = 0, list[int](), limit

    async def failed_between(
        self, since: datetime, until: datetime | None = None, *, most: int | None = None
    ) -> Sequence[Run]:
        self.asked += 1
        if self.trouble:
            raise self.trouble[0]
        fit = [r for r in self.runs.runs.values() if r.ended_at and since <= r.ended_at]
        fit = [r for r in fit if r.ended_at and (until is None or r.ended_at <= until)]
        not_too_many(fit, len(fit), most if self.limit is None else self.limit, "dagster")
        self.told.append(len(fit))
        return fit


def failed_every(seconds: float, count: int, since: datetime) -> Runs:
    runs = Runs()
    for n in range(count):
        at = since + timedelta(seconds=seconds * n)
        runs.add(Run(connection="dagster", id=f"r{n}", job="j", state=RunState.FAILED, ended_at=at))
    return runs


async def read_all(system: Backlog, sight: Sight, now: datetime) -> tuple[set[str], int]:
    """Look until it is caught up: what was told, and in how many looks."""
    found: set[str] = set()
    for looks in range(1, 200):
        runs, until = await failures(system, sight, now)
        found |= {run.id for run in runs}
        if until is None:
            return found, looks
        assert until > sight.since
        sight = Sight(connection="dagster", began=sight.began, since=until)
    raise AssertionError("it never catches up")


async def test_twenty_thousand_failures_are_read_in_bounded_steps_and_none_is_left_out() -> None:
    system = Backlog(failed_every(10, 20_000, NOW))
    found, looks = await read_all(system, first("dagster", NOW), NOW + timedelta(days=3))
    assert len(found) == 20_000
    assert looks <= 60
    assert max(system.told) <= MOST
    assert system.asked <= looks * 12


async def test_a_server_that_fails_thousands_in_one_second_is_read_all_the_same() -> None:
    system = Backlog(failed_every(0.0001, 5_200, NOW))
    found, _ = await read_all(system, first("dagster", NOW), NOW + timedelta(hours=5))
    assert len(found) == 5_200


async def test_what_fits_is_one_request_with_its_overlap() -> None:
    system = Backlog(failed_every(1, 900, NOW - OVERLAP))
    runs, until = await failures(system, first("dagster", NOW), NOW + timedelta(minutes=20))
    assert (len(runs), until, system.asked) == (900, None, 1)


async def blind_for_long(world: World) -> Backlog:
    """Nobody could look for an hour, and seven runs failed meanwhile."""
    await watching(world)
    system = Backlog(world.runs, limit=3)
    known = world.context.systems
    orchestrators = {**known.orchestrators, "dagster": system}
    world.use(systems=known.__class__(readers=known.readers, orchestrators=orchestrators))
    system.trouble = [Broken("it is down")]
    for minute in range(60):
        if minute % 8 == 5:
            a_failure(world, f"failed-{minute}")
        await world.later(minutes=1)
    system.trouble = []
    return system


async def test_the_note_says_how_far_it_has_read_before_it_says_that_it_sees_again(
    world: World,
) -> None:
    system = await blind_for_long(world)
    for _ in range(20):
        await world.later(minutes=1)
    blind, *behind, again = world.slack.notices
    assert blind.read_to is None
    assert len(behind) >= 1
    read = [one.read_to for one in behind]
    assert None not in read
    assert read == sorted(read)  # type: ignore[type-var]
    assert "answers again" in views.notice(behind[0]).text
    assert again.seen_at is not None
    assert {one.ts for one in (*behind, again)} == {"1.0009"}
    assert max(system.told) <= 3


async def test_all_that_failed_meanwhile_is_taken_up_and_the_mark_has_moved_on(
    world: World,
) -> None:
    await blind_for_long(world)
    before = (await sight(world)).since
    for _ in range(20):
        await world.later(minutes=1)
    after = await sight(world)
    assert after.since > before
    assert (after.failures, after.problem, after.behind) == (0, None, False)
    incident = await world.incident()
    assert {a.run_id for a in incident.alerts} == {f"failed-{m}" for m in range(5, 60, 8)}
