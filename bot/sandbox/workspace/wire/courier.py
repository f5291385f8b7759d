"""Deliveries: each goes to its app by socket or by HTTP, and events are tried again until acked or given up.

Clicks, commands and other interactions get one try: the person who acted sees that the app did not answer.
"""

import asyncio

from bot.sandbox.workspace.errors import Json
from bot.sandbox.workspace.ids import Mint
from bot.sandbox.workspace.seed import App
from bot.sandbox.workspace.timing import Timing
from bot.sandbox.workspace.wire.faults import Faults
from bot.sandbox.workspace.wire.pushes import Pushes
from bot.sandbox.workspace.wire.record import Attempt, Delivery, Record
from bot.sandbox.workspace.wire.sockets import Answer, Sockets, Spawn


class Courier:
    """Carries deliveries; `spawn` runs a coroutine in the workspace's task group."""

    def __init__(
        self, timing: Timing, mint: Mint, faults: Faults, record: Record, spawn: Spawn
    ) -> None:
        """Get ready; sockets and pushes are its two ways out."""
        self._timing = timing
        self._mint = mint
        self._faults = faults
        self._record = record
        self._spawn = spawn
        self._held: list[tuple[App, Delivery]] = []
        self.sockets = Sockets(timing, mint, faults, record, spawn)
        self.pushes = Pushes(timing, mint)

    def event(self, app: App, payload: Json) -> Delivery:
        """Deliver an event in the background, with retries."""
        delivery = self._new(app, "events_api", payload)
        reorder = self._faults.take("reorder")
        if reorder is None:
            self._spawn(self._persist(app, delivery))
            return delivery
        self._held.append((app, delivery))
        if not reorder.left:
            late, self._held = self._held[::-1], []
            for each_app, each in late:
                self._spawn(self._persist(each_app, each))
        return delivery

    async def ask(self, app: App, kind: str, payload: Json) -> Delivery:
        """Deliver an interaction once and wait: `state` is then `acked` or `failed`."""
        delivery = self._new(app, kind, payload)
        await self._settle(app, delivery, [0.0])
        return delivery

    def tell(self, app: App, kind: str, payload: Json) -> Delivery:
        """Deliver an interaction nobody waits for, such as a closed modal."""
        delivery = self._new(app, kind, payload)
        self._spawn(self._settle(app, delivery, [0.0]))
        return delivery

    def _new(self, app: App, kind: str, payload: Json) -> Delivery:
        delivery = Delivery(self._mint.next("D"), app.app_id, kind, payload)
        self._record.deliveries.append(delivery)
        return delivery

    async def _persist(self, app: App, delivery: Delivery) -> None:
        delay = self._faults.take("delay")
        await self._settle(
            app, delivery, [delay.ms / 1000 if delay else 0.0, *self._timing.redeliver_after]
        )

    async def _settle(self, app: App, delivery: Delivery, pauses: list[float]) -> None:
        reason = ""
        for number, pause in enumerate(pauses):
            if pause:
                await asyncio.sleep(pause)
            answer = await self._attempt(app, delivery, number, reason)
            if answer.acked:
                delivery.state = "acked"
                return
            if answer.final:
                break
            reason = answer.reason
        delivery.state = "failed"

    async def _attempt(self, app: App, delivery: Delivery, number: int, reason: str) -> Answer:
        envelopes = [self._mint.envelope()]
        double = self._faults.take("duplicate")
        if double is not None:
            envelopes.append(envelopes[0] if double.same_envelope else self._mint.envelope())
        attempt = Attempt(number, envelopes, self._mint.now(), reason)
        delivery.attempts.append(attempt)
        way = self.pushes if app.request_url else self.sockets
        return await way.send(app, delivery, attempt)

    async def close(self) -> None:
        """Close both ways out."""
        await self.sockets.close()
        await self.pushes.close()
