"""Waiting for something outside to become true, with a bound and a name for what was missing."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")


class Missing(Exception):
    """What was waited for did not come in time; the message says what."""


async def until(
    what: str, look: Callable[[], Awaitable[T | None]], *, within_s: float, every_s: float = 0.1
) -> T:
    """The first answer of `look` that is neither None nor False. Raises `Missing`."""
    try:
        async with asyncio.timeout(within_s):
            answer = await look()
            while not answer:
                await asyncio.sleep(every_s)
                answer = await look()
            return answer
    except TimeoutError as error:
        raise Missing(f"{what} did not come within {within_s:g} s") from error
