"""How the dbt Cloud actuator triggers a job once, without an idempotency key to lean on."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from aiohttp import web

from connectors.dbt_cloud import DbtCloudActuator
from connectors.errors import (
    Broken,
    ConnectorError,
    Forbidden,
    Malformed,
    NotFound,
    Rejected,
    TooSlow,
    Unreachable,
)
from connectors.http import Patience
from policies.plan import Step
from policies.run import Run, RunState
from tests.building import NOW, a_plan, a_step, approved
from tests.connectors.dbt_cloud.account import DAILY, HOURLY, JOBS, ROOT, TOKEN, Account, envelope

KEY = "DW-7:daily:0123456789ab"
TRIGGER = f"{ROOT}/jobs/{DAILY}/run/"
STEP = a_step(action="run_dbt_job", params={"job": "Daily build"})


async def act(actuator: DbtCloudActuator, step: Step = STEP, key: str = KEY) -> Run:
    return await actuator.act(step, approved(a_plan(step)), key=key, now=NOW)


async def test_a_job_is_triggered_with_our_key_as_its_cause() -> None:
    account = Account()
    run = await act(account.actuator())
    [told] = account.runs
    assert told["trigger"]["cause"] == f"dw {KEY}"
    assert (run.id, run.job, run.state) == (str(told["id"]), "Daily build", RunState.QUEUED)
    assert run.tags["dw/step"] == KEY


async def test_the_run_is_looked_up_before_any_second_try_also_far_down_the_list() -> None:
    account = Account()
    first = account.ran(20, trigger={"cause": f"dw {KEY}"})
    for _ in range(250):
        account.ran(10)
    account.ran(10, HOURLY, trigger={"cause": f"dw {KEY}"})
    assert (await act(account.actuator())).id == str(first["id"])
    assert account.count("/run/") == 0


async def test_of_two_runs_with_the_key_the_older_counts() -> None:
    account = Account()
    first = account.ran(3, trigger={"cause": f"dw {KEY}"})
    account.ran(3, trigger={"cause": f"dw {KEY}"})
    assert (await act(account.actuator())).id == str(first["id"])


async def test_a_server_that_does_not_tell_causes_starts_nothing() -> None:
    account = Account()
    account.ran(10)
    account.tells_triggers = False
    with pytest.raises(Malformed, match=r"can't be known\. Nothing was started"):
        await act(account.actuator())
    assert account.count("/run/") == 0


@pytest.mark.parametrize(
    ("job", "kind", "words"),
    [
        ("Twin", Rejected, "several jobs are called 'Twin'"),
        ("Hourly build", Rejected, "not among those dw.yml lets it run"),
    ],
)
async def test_a_job_that_is_not_surely_the_one_meant_is_not_started(
    job: str, kind: type[ConnectorError], words: str
) -> None:
    account = Account()
    with pytest.raises(kind, match=words):
        await act(account.actuator(), a_step(action="run_dbt_job", params={"job": job}))
    assert account.runs == []


@pytest.mark.parametrize(
    ("trouble", "kind", "words"),
    [
        (400, Rejected, "it refused a run of Daily build.*Nothing was started"),
        (401, Forbidden, "refused the token.*Nothing was started"),
        (403, Forbidden, "needs Job Admin, or Job Runner.*Nothing was started"),
        (404, NotFound, "may not see it.*Nothing was started"),
        (429, Unreachable, "asks to wait 7 s; nothing was started"),
        (502, Broken, "no proper answer"),
        (httpx.ReadTimeout("x"), TooSlow, "outcome is unknown"),
        (httpx.ConnectError("x"), Unreachable, "nothing was sent"),
        (lambda: (200, envelope(None, 403)), Rejected, "Nothing was started"),
        (lambda: (200, envelope({"odd": 1})), Broken, "can't be understood"),
    ],
)
async def test_each_refusal_is_told_apart_and_a_start_is_sent_once(
    trouble: Any, kind: type[ConnectorError], words: str
) -> None:
    account = Account()
    account.trouble[TRIGGER] = trouble
    with pytest.raises(kind, match=words):
        await act(account.actuator())
    assert account.count("/run/") == 1


async def test_when_it_can_not_be_looked_at_first_nothing_is_sent() -> None:
    account = Account()
    account.trouble[f"{ROOT}/runs/"] = 503
    with pytest.raises(Unreachable, match="nothing was sent"):
        await act(account.actuator())
    assert account.count("/run/") == 0


@asynccontextmanager
async def serving(account: Account, *, loses_starts: bool) -> AsyncIterator[str]:
    """The account behind a real socket; with `loses_starts` what was triggered is never answered."""

    async def handle(request: web.Request) -> web.Response:
        body = await request.json() if request.can_read_body else {}
        status, told = account.answer(request.method, request.path, request.query, body)
        if loses_starts and request.method == "POST" and request.transport:
            request.transport.close()
        return web.json_response(told, status=status)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/accounts/1234"
    finally:
        await runner.cleanup()


@pytest.mark.loopback
async def test_a_run_triggered_and_not_heard_of_is_found_by_its_cause() -> None:
    account = Account()
    async with serving(account, loses_starts=True) as url:
        actuator = DbtCloudActuator("dbt", url, TOKEN, JOBS, patience=Patience(whole=5))
        with pytest.raises(Broken):
            await act(actuator)
        found = await actuator.find(KEY, STEP)
        assert found is not None
        assert (await act(actuator)).id == found.id
        await actuator.close()
    assert len(account.runs) == 1
