"""The Prefect actuator against a real server with a login."""

import asyncio

import pytest

from connectors.errors import Broken, Forbidden, NotFound, Rejected
from connectors.prefect import PrefectActuator, PrefectReader
from policies.approval import NotApproved
from policies.run import RunState
from tests.building import NOW, a_plan, approved
from tests.live.prefect.proxy import losing_starts
from tests.live.prefect.server import LOGIN
from tests.live.prefect.world import JOBS, LONG_AGO, World, a_run_of, act, by_hand

pytestmark = pytest.mark.live


async def count(reader: PrefectReader, job: str) -> int:
    return len(await reader.runs_since(LONG_AGO, job=job))


async def test_a_served_deployment_ran_to_its_end_with_our_parameters_and_tags(
    world: World,
) -> None:
    assert world.good.state is RunState.SUCCEEDED
    assert world.good.conf == {"day": "2026-09-27"}
    assert world.good.tags["dw/step"] == "DW-1:good:1"
    assert world.good.tags["dw/incident"] == "DW-1"
    assert (world.good.job, world.good.partition) == ("sessions/prod", "2026-09-27")


async def test_the_same_key_again_is_the_same_run(
    reader: PrefectReader, actuator: PrefectActuator
) -> None:
    before = await count(reader, "rollups/prod")
    step, key = a_run_of("rollups/prod"), "DW-2:rollups:0123456789ab"
    first, second = await act(actuator, step, key), await act(actuator, step, key)
    assert first.id == second.id
    assert await count(reader, "rollups/prod") == before + 1


async def test_eight_at_once_with_one_key_are_one_run(world: World) -> None:
    step, key = a_run_of("rollups/prod"), "DW-3:rollups:0123456789ab"
    every = [PrefectActuator("prefect", world.server.url, LOGIN, JOBS) for _ in range(8)]
    runs = await asyncio.gather(*(act(one, step, key) for one in every))
    assert len({run.id for run in runs}) == 1
    for one in every:
        await one.close()


async def test_a_key_that_another_deployment_of_the_flow_holds_is_refused(
    world: World, reader: PrefectReader, actuator: PrefectActuator
) -> None:
    before = await count(reader, "rollups/prod")
    key = "DW-4:rollups:0123456789ab"
    by_hand(world.server, "rollups/staging", idempotency_key=f"dw:rollups/prod:{key}")
    with pytest.raises(Rejected, match=r"held by a run of rollups/staging.*Nothing was started"):
        await act(actuator, a_run_of("rollups/prod"), key)
    assert await count(reader, "rollups/prod") == before


async def test_a_run_started_and_not_heard_of_is_found_by_its_key(
    world: World, reader: PrefectReader
) -> None:
    before = await count(reader, "rollups/prod")
    step, key = a_run_of("rollups/prod"), "DW-5:rollups:0123456789ab"
    async with losing_starts(world.server.url) as url:
        actuator = PrefectActuator("prefect", url, LOGIN, JOBS)
        with pytest.raises(Broken):
            await actuator.act(step, approved(a_plan(step)), key=key, now=NOW)
        found = await actuator.find(key, step)
        again = await act(actuator, step, key)
        await actuator.close()
    assert found is not None
    assert again.id == found.id
    assert await count(reader, "rollups/prod") == before + 1


@pytest.mark.parametrize(
    ("job", "config", "words"),
    [
        ("rollups/held", {}, "paused it"),
        ("rollups/prod", {"dya": "2026-09-28"}, "no parameter dya; it takes day"),
        ("rollups/prod", {"day": ["x"]}, "parameter day does not fit"),
    ],
)
async def test_what_would_be_another_run_than_was_meant_is_not_started(
    reader: PrefectReader,
    actuator: PrefectActuator,
    job: str,
    config: dict[str, object],
    words: str,
) -> None:
    before = await count(reader, job)
    with pytest.raises(Rejected, match=f"{words}.*Nothing was started"):
        await act(actuator, a_run_of(job, **config), f"DW-6:{words}:1")
    assert await count(reader, job) == before


async def test_a_refusal_of_prefect_itself_is_told_in_its_words(actuator: PrefectActuator) -> None:
    deployment = await actuator._api.get("deployments/name/rollups/prod")
    body = {"parameters": {"day": 1}, "idempotency_key": "DW-7"}
    with pytest.raises(Rejected, match="Validation failed for field 'day'"):
        await actuator._api.create_run(deployment["id"], body)


async def test_a_deployment_that_is_not_there(actuator: PrefectActuator) -> None:
    with pytest.raises(NotFound, match=r"no deployment gone/prod.*Nothing was started"):
        await act(actuator, a_run_of("gone/prod"), "DW-8:x:1")


@pytest.mark.parametrize("token", ["dw:wrong", "pnu_key", None])
async def test_a_wrong_login_starts_nothing_and_says_what_to_mend(
    world: World, token: str | None
) -> None:
    actuator = PrefectActuator("prefect", world.server.url, token, JOBS)
    with pytest.raises(Forbidden, match=r"takes user:password") as caught:
        await act(actuator, a_run_of("rollups/prod"), "DW-9:x:1")
    assert "wrong" not in str(caught.value).replace("missing, wrong or expired", "")
    await actuator.close()


async def test_a_step_without_a_yes_starts_nothing(
    reader: PrefectReader, actuator: PrefectActuator
) -> None:
    before = await count(reader, "rollups/prod")
    other = approved(a_plan(a_run_of("rollups/staging")))
    with pytest.raises(NotApproved):
        await actuator.act(a_run_of("rollups/prod"), other, key="DW-10:x:1", now=NOW)
    assert await count(reader, "rollups/prod") == before
