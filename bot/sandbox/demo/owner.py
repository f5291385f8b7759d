"""Plays the people of the night, for AUTO=1: they approve what they are asked, and Ana backfills."""

import asyncio

import httpx

from bot.sandbox.demo.errors import WentWrong
from bot.sandbox.demo.night import Scene
from bot.sandbox.demo.screens import Ask

#: Owners of the assets of this night. Whoever comes later in the chain is not needed.
OWNERS = ("ana", "bo")


class Owners:
    """Look at their screens twice a second, press what there is to press, once."""

    def __init__(self, scene: Scene) -> None:
        self._screens = scene.screens
        self._panel = scene.panel
        self._say = scene.say
        self._pressed: set[Ask] = set()
        self._http = httpx.AsyncClient(base_url=scene.base_url, timeout=10, trust_env=False)

    async def close(self) -> None:
        """Let go of connections."""
        await self._http.aclose()

    async def play(self) -> None:
        """Sleep until it is morning in the story; then act, until cancelled."""
        while True:
            if self._panel.reached("yes"):
                for ask in await self._screens.asks(OWNERS):
                    if ask not in self._pressed:
                        await self._approve(ask)
                await self._backfill()
            await asyncio.sleep(0.5)

    async def _approve(self, ask: Ask) -> None:
        try:
            await self._screens.approve(ask)
        except WentWrong as error:
            self._say(f"{error}; trying again")
            return
        self._pressed.add(ask)
        self._say(f"{ask.who.capitalize()} presses Approve")

    async def _backfill(self) -> None:
        """As the page does it. A button that can't be pressed yet says so, and is tried again."""
        await self._http.post("/demo/action", json={"id": "backfill", "as": "ana"})
