"""Waiting for something outside to become true, with a bound and a name for what was missing."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.sandbox.demo.errors import Missing

T = TypeVar("T")
#: Looks once: the answer, or nothing (None, False) as long as there is none.
Look = Callable[[], Awaitable[T | None]]


async def until(what: str, look: Look[T], *, within_s: float | None, every_s: float = 0.1) -> T:
    """The first answer of `look` that is neither None nor False. Raises `Missing`.

    Without `within_s` it waits for as long as it takes, which is right for people.
    """
    try:
        async with asyncio.timeout(within_s):
            answer = await look()
            while not answer:
                await asyncio.sleep(every_s)
                answer = await look()
            return answer
    except TimeoutError as error:
        raise Missing(f"{what} did not come within {within_s:g} s") from error
