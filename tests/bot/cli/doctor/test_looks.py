"""The doctor tells a connection that is blind from one that is only quiet."""

from dataclasses import replace
from datetime import timedelta

from bot.cli.doctor.sights import looked
from policies.sight import Sight
from tests.building import NOW
from tests.policies import night

RULES = night.rules().model_copy(update={"poll_every": timedelta(minutes=1)})
WELL = Sight(connection="dagster", began=NOW, since=NOW, looked_at=NOW, seen_at=NOW)


def found(sight: Sight | None, **later: float) -> tuple[bool | None, str]:
    told = looked("dagster", sight, RULES, NOW + timedelta(**later))
    return told.ok, told.says


def test_one_that_answers_is_well_and_says_which_runs_are_missing() -> None:
    ok, says = found(replace(WELL, remarks=("sessions_job: its run has not begun",)))
    assert ok is True
    assert "sessions_job: its run has not begun" in says


def test_one_that_fails_wants_a_look_and_is_broken_once_it_is_blind() -> None:
    bad = replace(WELL, failures=2, problem="it is down")
    assert found(bad, minutes=14)[0] is None
    ok, says = found(bad, minutes=15)
    assert ok is False
    assert says.startswith("2 failed in a row, nothing seen since ")
    assert says.endswith(": it is down")


def test_looks_that_do_not_end_are_told_too() -> None:
    assert "do not end" in found(replace(WELL, failures=2))[1]


def test_one_that_nobody_looks_at_any_more_is_not_well() -> None:
    for sight in (None, WELL):
        ok, says = found(sight, hours=1)
        assert ok is None
        assert "is `dw run` running?" in says
