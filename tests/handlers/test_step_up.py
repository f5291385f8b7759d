"""A code proves once that it is them, is never kept, and can't be guessed by trying."""

from datetime import timedelta

import pyotp

from handlers.step_up import Proof, StepUp
from tests.clock import FakeClock

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DP"


def code(clock: FakeClock, **before: float) -> str:
    return pyotp.TOTP(SECRET).at(clock.now() - timedelta(**before))


def test_the_code_of_now_and_the_ones_beside_it_are_right() -> None:
    clock = FakeClock()
    step_up = StepUp({"U0ANA": SECRET}, clock)
    now, before = (
        step_up.check("U0ANA", code(clock)),
        step_up.check("U0ANA", code(clock, seconds=30)),
    )
    assert isinstance(now, Proof)
    assert isinstance(before, Proof)
    assert now != before
    spaced = f"{code(clock)[:3]} {code(clock)[3:]}"
    assert step_up.check("U0ANA", spaced) == now


def test_an_old_code_anothers_or_none_is_refused_in_words() -> None:
    clock = FakeClock()
    step_up = StepUp({"U0ANA": SECRET}, clock)
    assert "not the code" in str(step_up.check("U0ANA", code(clock, minutes=2)))
    assert "not the code" in str(step_up.check("U0ANA", ""))
    assert "No authenticator" in str(step_up.check("U0BO", code(clock)))


def test_after_five_wrong_ones_even_the_right_one_waits() -> None:
    clock = FakeClock()
    step_up = StepUp({"U0ANA": SECRET}, clock)
    for _ in range(5):
        step_up.check("U0ANA", "000000x")
    assert "Wait five minutes" in str(step_up.check("U0ANA", code(clock)))
    clock.advance(minutes=5)
    assert isinstance(step_up.check("U0ANA", code(clock)), Proof)
