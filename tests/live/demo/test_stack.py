"""The night on the real stack, without a bot: it fails for the reason it gives, and can be mended."""

import duckdb
import pytest

from bot.sandbox.demo import shop
from bot.sandbox.demo.night import CHECK
from bot.sandbox.demo.stack import REPAIRED, ROLLUPS, SESSIONS, Stack
from bot.sandbox.demo.waiting import until

pytestmark = [pytest.mark.live, pytest.mark.timeout(400)]

DAY = "2026-09-28"
RUN_ASSETS = """
query($id: ID!) { runOrError(runId: $id) { ... on Run {
  tags { key value } assetMaterializations { assetKey { path } partition }
} } }
"""


def asked(stack: Stack, sql: str) -> list[tuple]:
    with duckdb.connect(str(stack.warehouse), read_only=True) as db:
        return db.execute(sql).fetchall()


async def materialized(stack: Stack, run: str) -> list[tuple[str, str]]:
    answer = (await stack.pages._ask(RUN_ASSETS, {"id": run}))["runOrError"]
    return [(m["assetKey"]["path"][0], m["partition"]) for m in answer["assetMaterializations"]]


async def test_a_lagging_replica_fails_the_check_and_a_backfill_mends_the_day(
    stack: Stack,
) -> None:
    await shop.replica_falls_behind(stack.pair)
    failed = await stack.pages.launch_run(SESSIONS, partition=DAY)
    await stack.ended(failed, well=False)
    said = await stack.pages.check("raw_sessions", CHECK, DAY)
    assert said is not None
    assert not said.passed
    assert said.says == (
        "23,100 rows against a trailing median of 28,400; last session 2026-09-28T21:05:00Z"
    )
    assert await materialized(stack, failed) == [("raw_sessions", DAY)]
    assert asked(stack, f"select count(*) from stg_sessions where day = '{DAY}'") == [(0,)]

    await shop.replica_catches_up(stack.pair)
    backfill = await stack.pages.launch_backfill(REPAIRED, DAY)
    run = await until("the backfill's run", lambda: only_run(stack, backfill), within_s=90)
    await stack.ended(run, well=True)
    said = await stack.pages.check("raw_sessions", CHECK, DAY)
    assert said is not None
    assert said.passed
    assert said.says.startswith("28,300 rows")
    assert said.says.endswith("2026-09-28T23:59:00Z")
    assert await materialized(stack, run) == [(asset, DAY) for asset in REPAIRED]
    days = f"select dau from fct_daily_active_users where day = '{DAY}'"
    assert asked(stack, days) == [(9_434,)]

    rollups = await stack.pages.launch_run(ROLLUPS)
    await stack.ended(rollups, well=True)
    week = "select days from agg_weekly_engagement where week = '2026-09-28'"
    assert asked(stack, week) == [(1,)]


async def only_run(stack: Stack, backfill: str) -> str | None:
    return next(iter((await stack.pages.backfill(backfill)).runs), None)
