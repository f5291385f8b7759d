"""A house with every webhook, over real HTTP and a real database."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from bot.commands import Received
from bot.desk import Desk
from bot.health import Finding
from bot.metrics import Metrics
from bot.ports import StoreUnavailable
from bot.store.engine import Database
from bot.store.schema import migrate
from bot.store.store import SqlStore
from bot.web import build_web, serving
from handlers.webhooks import Doors, Tally
from tests.clock import FakeClock
from tests.handlers.webhooks.senders import SECRET, VARIANTS, packed, proof
from tests.policies import night


class Well:
    async def ready(self) -> list[Finding]:
        return []


class FailingDesk(Desk):
    """A desk whose database may be gone."""

    gone = False

    async def receive(self, item: Received) -> bool:
        if self.gone:
            raise StoreUnavailable("the database is gone")
        return await super().receive(item)


@dataclass
class Gate:
    """What a sender sees, and what became of it."""

    client: httpx.AsyncClient
    store: SqlStore
    desk: FailingDesk
    metrics: Metrics
    doors: Doors
    clock: FakeClock
    names: Mapping[str, str] = field(default_factory=dict)

    async def send(self, variant: str, body: object, **changes: Any) -> httpx.Response:
        """As this sender does it; `headers`, `secret`, `at` and `method` may be others."""
        sent = body if isinstance(body, bytes) else packed(body)
        at, secret = changes.get("at", self.clock.now()), changes.get("secret", SECRET)
        headers = changes.get("headers", proof(VARIANTS[variant], sent, at, secret))
        method, path = changes.get("method", "POST"), f"/hooks/{name_of(variant)}"
        return await self.client.request(method, path, content=sent, headers=headers)

    async def arrived(self) -> list[str]:
        """The keys of all that is stored and waits."""
        due = await self.store.claim(self.clock.now(), limit=100, lease=timedelta(minutes=1))
        return [row.payload["inbox"] for row in due if row.kind == "intake"]

    def counted(self, variant: str, outcome: str) -> float:
        labels = {"hook": name_of(variant), "outcome": outcome}
        return self.metrics.registry.get_sample_value("dw_hooks_total", labels) or 0


def name_of(variant: str) -> str:
    return variant.replace(" ", "-")


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with tables and nothing in it: to make one takes longer than all else here."""
    file = tmp_path_factory.mktemp("hooks") / "dw.db"
    asyncio.run(migrate(f"sqlite+aiosqlite:///{file}"))
    return file


@pytest.fixture
async def gate(empty: Path, tmp_path: Path, clock: FakeClock) -> AsyncIterator[Gate]:
    file = shutil.copy(empty, tmp_path / "dw.db")
    store, metrics = SqlStore(Database(f"sqlite+aiosqlite:///{file}")), Metrics()
    hooks = {name_of(variant): hook for variant, hook in VARIANTS.items()}
    desk = FailingDesk(store, night.rules(), clock, asyncio.Event())
    doors = Doors(
        webhooks=hooks,
        secrets=dict.fromkeys(hooks, SecretStr(SECRET)),
        desk=desk,
        clock=clock,
        tally=Tally(metrics, clock),
    )
    app = build_web(Well(), metrics, doors.routes())
    async with (
        serving(app, "127.0.0.1", 0) as address,
        httpx.AsyncClient(base_url=address, trust_env=False) as client,
    ):
        yield Gate(client, store, desk, metrics, doors, clock)
    await store.close()
