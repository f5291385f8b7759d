"""Waiting is bounded and says what was missing."""

import pytest

from bot.sandbox.demo.errors import Missing
from bot.sandbox.demo.waiting import until


async def test_the_first_answer_is_given() -> None:
    answers = iter([None, False, "here"])

    async def look() -> object:
        return next(answers)

    assert await until("it", look, within_s=1, every_s=0) == "here"


async def test_what_never_comes_is_named() -> None:
    async def look() -> None:
        return None

    with pytest.raises(Missing, match=r"the receipt did not come within 0\.05 s"):
        await until("the receipt", look, within_s=0.05, every_s=0.01)
