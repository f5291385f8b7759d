"""A webhook, the alert in Slack and the poll tell of one run: one incident, and a stranger tells nothing."""

import asyncio
from typing import Any

import httpx
import pytest

from policies.run import Run, RunState
from tests.journeys import alerts
from tests.journeys.props import PATIENCE, rules
from tests.journeys.stage import Stage, a_stage
from tests.policies import night
from tests.postgres_server import free_port

pytestmark = [
    pytest.mark.loopback,
    pytest.mark.parametrize("url", ["sqlite"], indirect=True),
]
SECRET = "planted-secret-of-a-hook"
BODY = {
    "alert_summary": "Asset check raw_sessions_complete failed on raw_sessions",
    "run_id": night.RUN,
    "partition_name": night.DAY,
}


async def tell(stage: Stage, secret: str = SECRET) -> dict[str, Any]:
    url = f"http://127.0.0.1:{stage.mode['port']}/hooks/plus"
    async with httpx.AsyncClient(trust_env=False) as client:
        answer = await client.post(url, json=BODY, headers={"Authorization": f"Bearer {secret}"})
        return {"status": answer.status_code, **answer.json()}


async def told_by(stage: Stage) -> set[str]:
    """Who told of the one incident."""
    begins = [one.signal_key.partition(":")[0] for one in (await stage.incident()).alerts]
    return {name if name in ("hook", "poll") else "slack" for name in begins}


@pytest.mark.parametrize("slack_mode", ["socket", "http"])
async def test_three_tell_of_one_run_and_it_is_one_incident(url: str, slack_mode: str) -> None:
    hooks = {"plus": {"kind": "dagsterplus", "connection": "dagster"}}
    told = {
        "rules": rules(webhooks=hooks, poll_every="1s"),
        "mode": {
            "slack_mode": slack_mode,
            "port": free_port(),
            "environment": {"DW_HOOK_PLUS_SECRET": SECRET},
        },
    }
    async with a_stage(url, **told) as stage:
        assert (await tell(stage, "not-the-secret"))["outcome"] == "forged"
        assert await tell(stage) == {"status": 200, "ok": True, "outcome": "accepted"}
        await stage.card("raw_sessions")
        alerts.check_failed(stage.workspace)
        stage.stack.runs.add(failed(stage))
        async with asyncio.timeout(PATIENCE):
            while await told_by(stage) != {"hook", "slack", "poll"}:  # noqa: ASYNC110 - a database wakes nobody
                await asyncio.sleep(0.05)
        assert (await tell(stage))["outcome"] == "replayed"
        assert len(stage.cards()) == 1


def failed(stage: Stage) -> Run:
    """The run, as the orchestrator tells it to who looks."""
    now = stage.clock.now()
    return Run(
        connection="dagster",
        id=night.RUN,
        job="sessions_job",
        state=RunState.FAILED,
        partition=night.DAY,
        created_at=now,
        ended_at=now,
    )
