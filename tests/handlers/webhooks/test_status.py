"""`/dw status` tells of a webhook that refused what it got last, as long as that is news."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.desk import Desk
from bot.ports import HookCount
from bot.store.store import SqlStore, open_store
from handlers import views
from tests.clock import NIGHT, FakeClock
from tests.policies import night

HOOKS = {name: {"kind": "dagsterplus", "connection": "dagster"} for name in ("plus", "other")}


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqlStore]:
    opened = await open_store(f"sqlite+aiosqlite:///{tmp_path / 'dw.db'}")
    yield opened
    await opened.close()


def seen(hook: str, outcome: str, minute: int) -> HookCount:
    at = NIGHT.replace(minute=minute)
    return HookCount(hook=hook, outcome=outcome, count=1, last_at=at, says="")


async def status(store: SqlStore, clock: FakeClock) -> str:
    desk = Desk(store, night.rules(webhooks=HOOKS), clock, asyncio.Event())
    found = await desk.status()
    return str(views.status(found))


async def test_only_the_last_word_of_a_webhook_that_there_is_counts(
    store: SqlStore, clock: FakeClock
) -> None:
    await store.count_hooks([seen("plus", "accepted", 20), seen("plus", "forged", 30)])
    await store.count_hooks([seen("other", "forged", 20), seen("other", "replayed", 30)])
    await store.count_hooks([seen("unknown", "unknown", 30), seen("gone", "forged", 30)])
    said = await status(store, clock)
    assert "Webhook `plus` refused what it got last" in said
    assert "(forged): see `dw doctor`" in said
    assert not any(f"`{name}`" in said for name in ("other", "unknown", "gone"))
    clock.advance(hours=25)
    assert "Webhook" not in await status(store, clock)
