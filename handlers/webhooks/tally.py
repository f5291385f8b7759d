"""How often each webhook was heard, and with what outcome: at once for `/metrics`, in batches for `dw doctor`.

Anybody may knock, so a knock costs no transaction: counts are gathered here and stored every few seconds.
"""

from bot.clock import Clock
from bot.metrics import Metrics
from bot.ports import HookCount, HookCounts, StoreUnavailable
from handlers.webhooks.outcomes import Outcome


class Tally:
    """Counts of one process since the last time they were stored."""

    def __init__(self, metrics: Metrics, clock: Clock) -> None:
        self._metrics, self._clock = metrics, clock
        self._fresh: dict[tuple[str, Outcome], HookCount] = {}

    def count(self, hook: str, outcome: Outcome, says: str = "") -> None:
        """One more. `says` is kept for the last of them."""
        self._metrics.hooks.labels(hook=hook, outcome=outcome.word).inc()
        known = self._fresh.get((hook, outcome))
        self._fresh[hook, outcome] = HookCount(
            hook=hook,
            outcome=outcome.word,
            count=(known.count if known else 0) + 1,
            last_at=self._clock.now(),
            says=says,
        )

    async def keep(self, store: HookCounts) -> None:
        """Store what is new. Raises `StoreUnavailable`; then it is tried again with the next."""
        taken, self._fresh = self._fresh, {}
        if not taken:
            return
        try:
            await store.count_hooks(tuple(taken.values()))
        except StoreUnavailable:
            self._give_back(taken)
            raise

    def _give_back(self, taken: dict[tuple[str, Outcome], HookCount]) -> None:
        for key, old in taken.items():
            new = self._fresh.get(key)
            self._fresh[key] = old.before(new) if new else old
