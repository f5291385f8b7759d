"""The night with the real bot, and with a bot that is killed three times on the way."""

import asyncio
import re
from pathlib import Path

import httpx
import pytest

from bot.sandbox.demo.run import Options, run_demo
from tests.live.demo.places import DAGSTER

pytestmark = [pytest.mark.live, pytest.mark.timeout(900)]

MOMENTS = ("posted its alert", "Ana presses Approve", "passes:")


class Listener:
    """Hears what the demo says; `moments` gives each moment once, as it comes."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.moments: asyncio.Queue[str] = asyncio.Queue()

    def __call__(self, text: str) -> None:
        self.said.append(text)
        for moment in MOMENTS:
            if moment in text:
                self.moments.put_nowait(moment)

    @property
    def url(self) -> str:
        return next(m[1] for line in self.said if (m := re.search(r"open: (http\S+)", line)))


def options(tmp_path: Path) -> Options:
    return Options(workdir=tmp_path, venv=DAGSTER, auto=True)


def words_of(listener: Listener) -> str:
    return "\n".join(listener.said)


async def test_the_bot_brings_the_night_to_its_receipt(tmp_path: Path) -> None:
    listener = Listener()
    assert await run_demo(options(tmp_path), listener) == 0, words_of(listener)
    said = words_of(listener)
    assert "28,300 of 28,300 rows" in said
    assert "before: 23,100 of 28,300 rows" in said


async def test_the_bot_is_killed_at_three_turns_and_the_night_ends_the_same(tmp_path: Path) -> None:
    listener = Listener()

    async def kill() -> None:
        async with httpx.AsyncClient(trust_env=False) as client:
            while True:
                await listener.moments.get()
                press = {"id": "kill", "as": "dee"}
                await client.post(f"{listener.url}/demo/action", json=press)

    async with asyncio.TaskGroup() as group:
        killing = group.create_task(kill())
        code = await run_demo(options(tmp_path), listener)
        killing.cancel()
    assert code == 0, words_of(listener)
    assert words_of(listener).count("the bot was killed") == len(MOMENTS)
