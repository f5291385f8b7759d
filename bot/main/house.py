"""A house that is built: its parts, and how they are."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from bot.clock import Clock, SystemClock
from bot.desk import Desk
from bot.health import Finding
from bot.metrics import Metrics
from bot.ports import StoreUnavailable
from bot.settings import Settings
from bot.store.store import SqlStore
from bot.worker.loop import Worker
from handlers.entrance import Slack
from handlers.socket import Sockets
from handlers.webhooks import Doors
from policies.rules import Rules

_SLOWEST_LOOK = timedelta(seconds=30)


@dataclass(frozen=True, kw_only=True, slots=True)
class House:
    """Everything built and connected, nothing running yet."""

    settings: Settings
    rules: Rules
    store: SqlStore
    desk: Desk
    worker: Worker
    slack: Slack
    sockets: Sockets | None
    metrics: Metrics
    doors: Doors
    clock: Clock = field(default_factory=SystemClock)

    async def ready(self) -> Sequence[Finding]:
        """`bot.health.Health`: database, Slack and worker."""
        return (await self._database(), self._slack(), self._worker())

    async def _database(self) -> Finding:
        try:
            await self.store.ping()
        except StoreUnavailable as problem:
            return Finding(name="database", ok=False, says=str(problem))
        return Finding(name="database", ok=True, says="answers")

    def _slack(self) -> Finding:
        if self.sockets is None:
            return Finding(name="slack", ok=True, says="listens for Slack's requests")
        open_ = self.sockets.listening
        return Finding(name="slack", ok=open_ > 0, says=f"{open_} sockets connected")

    def _worker(self) -> Finding:
        age = self.clock.now() - self.worker.last_look
        says = f"looked {age.total_seconds():.0f} s ago"
        return Finding(name="worker", ok=age < _SLOWEST_LOOK, says=says)
