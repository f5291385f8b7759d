"""One message a second and channel, with short bursts, and a long wait is handed back."""

import pytest

from bot.ports import RetryAfter
from handlers.pace import Pace


async def test_a_burst_goes_out_and_the_rest_waits() -> None:
    pace = Pace(1.0, 3, patience=0.0, now=lambda: 100.0)
    for _ in range(3):
        await pace.turn("C1")
    with pytest.raises(RetryAfter) as asked:
        await pace.turn("C1")
    assert asked.value.seconds == pytest.approx(1.0)
    await pace.turn("C2")


async def test_time_gives_turns_back() -> None:
    times = iter([0.0, 0.0, 1.0])
    pace = Pace(1.0, 1, patience=0.0, now=lambda: next(times))
    await pace.turn("C1")
    with pytest.raises(RetryAfter):
        await pace.turn("C1")
    await pace.turn("C1")


async def test_a_rate_of_nothing_switches_it_off() -> None:
    pace = Pace(0)
    for _ in range(1000):
        await pace.turn("C1")
