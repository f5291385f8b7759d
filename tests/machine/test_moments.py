"""Each moment that matters, over both databases: what is against the law is noticed there, every time."""

import pytest

from tests.machine.moments import MOMENTS
from tests.machine.night import Night


@pytest.mark.parametrize("name", MOMENTS)
async def test_in_the_moments_that_matter_nothing_is_against_the_law(name: str, url: str) -> None:
    moment = MOMENTS[name]
    async with Night(url, **moment.terms) as night:
        await moment.happens(night)
