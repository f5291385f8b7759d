"""Which level is in force, who may change it, and what a class must have shown before it is trusted."""

from dataclasses import replace
from datetime import timedelta

import pytest

from policies.autonomy import setting
from policies.autonomy.budget import RecordRule
from policies.autonomy.levels import (
    BOT,
    EVERY,
    Level,
    LevelEntry,
    body,
    in_force,
    named,
    proven,
    rank,
    wish,
)
from policies.autonomy.record import record
from policies.receipt import GENESIS, seal, summary
from tests.building import NOW, a_person
from tests.policies import night
from tests.policies.receipts import a_body

DEE, BO = "U0DEE", "U0BO"


def entry(number: int, change_class: str, level: Level, **changes: object) -> LevelEntry:
    known = {
        "number": number,
        "domain": "growth",
        "change_class": change_class,
        "level": level,
        "by": (DEE,),
        "at": NOW,
        "reason": "ten clean runs",
        "receipt": number,
    }
    return LevelEntry(**{**known, **changes})  # type: ignore[arg-type]


def level(*entries: LevelEntry, of: str = "run_job", start: Level = "L2") -> str:
    return in_force(entries, "growth", of, start).level


def test_without_entries_dw_yml_says_where_it_starts() -> None:
    assert level(start="L1") == "L1"


@pytest.mark.parametrize("start", ["L3", "L4"])
def test_a_file_never_gives_more_than_l2(start: Level) -> None:
    found = in_force((), "growth", "run_job", start)
    assert (found.level, found.alone) == ("L2", False)


def test_the_newest_entry_of_the_class_counts_and_other_classes_stay() -> None:
    entries = (entry(1, "run_job", "L3"), entry(2, "run_job", "L4"))
    assert level(*entries) == "L4"
    assert level(*entries, of="rerun_dag") == "L2"


def test_an_entry_of_another_domain_says_nothing() -> None:
    assert level(entry(1, "run_job", "L3", domain="billing")) == "L2"


def test_a_wish_without_a_receipt_is_not_in_force() -> None:
    assert level(entry(1, "run_job", "L3", receipt=None)) == "L2"


def test_lowering_the_domain_lowers_what_is_in_it() -> None:
    assert level(entry(1, "run_job", "L3"), entry(2, EVERY, "L2")) == "L2"
    assert level(entry(1, EVERY, "L0"), entry(2, "run_job", "L3")) == "L0"


def test_raising_the_domain_does_not_raise_a_class_that_was_lowered() -> None:
    assert level(entry(1, "run_job", "L2", by=(BOT,)), entry(2, EVERY, "L3")) == "L2"


def test_an_entry_of_the_bot_never_lets_anything_go_alone() -> None:
    assert not in_force((entry(1, "run_job", "L4", by=(BOT,)),), "growth", "run_job", "L2").alone


def test_an_entry_is_proven_by_the_receipt_that_says_the_same() -> None:
    made = entry(1, "run_job", "L3")
    sealed = seal(1, named("growth", "run_job"), GENESIS, body(made, "L2"))
    assert proven(made, sealed)
    assert not proven(made, None)
    assert not proven(replace(made, level="L4"), sealed)
    assert not proven(replace(made, by=(BO,)), sealed)
    assert summary(sealed.body)[0] == "level change: growth run_job, L2 to L3"


def test_a_wish_is_seconded_by_somebody_else_within_a_day_and_not_after_a_change() -> None:
    first = entry(1, "run_job", "L3", receipt=None)
    mine = entry(2, "run_job", "L3", by=(BO,), receipt=None)
    assert wish((first,), mine) == first
    assert wish((first,), replace(mine, by=(DEE,))) is None
    assert wish((first,), replace(mine, level="L4")) is None
    assert wish((first,), replace(mine, at=NOW + timedelta(hours=25))) is None
    assert wish((first, entry(2, "run_job", "L2")), replace(mine, number=3)) is None


def ask(change_class: str = "run_job", to: Level = "L3", domain: str = "growth") -> setting.Ask:
    return setting.Ask(
        domain=domain, change_class=change_class, level=to, person=DEE, reason="clean"
    )


ADMINS = ["U0DEE", "U0BO"]


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (ask("backfill"), "can't be taken back"),
        (ask(EVERY, "L4"), "one named change class"),
        (ask("run_job", "L1"), "whole domain"),
        (ask("drop_table"), "no change class"),
        (ask(domain="billing"), "no domain"),
    ],
)
def test_what_can_not_be_set_is_refused_with_words(wanted: setting.Ask, why: str) -> None:
    said = setting.refusal(night.rules(admins=ADMINS), a_person(DEE), wanted)
    assert said is not None
    assert why in said


@pytest.mark.parametrize(
    "person",
    [None, a_person("U0ELI"), a_person(DEE, deactivated=True), a_person(DEE, bot=True)],
)
def test_only_an_admin_of_dw_yml_may_set_anything(person: object) -> None:
    said = setting.refusal(night.rules(admins=ADMINS), person, ask())  # type: ignore[arg-type]
    assert said is not None
    assert "only an admin" in said


def test_above_l2_it_takes_two_admins_where_there_are_two() -> None:
    rules = night.rules(admins=ADMINS)
    first, counts = setting.entry_of((), rules, ask(), NOW)
    assert (counts, first.by) == (False, (DEE,))
    second, counts = setting.entry_of((first,), rules, replace(ask(), person=BO), NOW)
    assert (counts, second.by, second.number) == (True, (DEE, BO), 2)
    alone = night.rules(admins=[DEE])
    assert setting.entry_of((), alone, ask(), NOW)[1] is True


@pytest.mark.parametrize("to", ["L0", "L1", "L2"])
def test_lowering_takes_one(to: Level) -> None:
    wanted = ask(EVERY, to)
    assert setting.entry_of((entry(1, EVERY, "L3"),), night.rules(admins=ADMINS), wanted, NOW)[1]
    assert rank(to) < rank("L3")


RULE = RecordRule(receipts=2, days=90)


def test_a_record_is_good_after_enough_clean_receipts_and_none_that_ended_badly() -> None:
    bodies = [a_body("DW-1"), a_body("DW-2")]
    assert record(bodies, "growth", "run_job", NOW, RULE).good
    assert not record(bodies[:1], "growth", "run_job", NOW, RULE).good
    bad = record([*bodies, a_body("DW-3", passed=False)], "growth", "run_job", NOW, RULE)
    assert (bad.good, bad.clean, bad.badly) == (False, 2, ("DW-3",))
    assert bad.says == "2 of 2 clean receipts in 90 days, and it ended badly in DW-3"


def test_a_check_that_was_not_measured_is_no_clean_end() -> None:
    assert record([a_body("DW-1", passed=None)], "growth", "run_job", NOW, RULE).badly == ("DW-1",)


def test_a_run_that_failed_is_a_bad_end_and_one_nobody_proved_is_none_at_all() -> None:
    failed = record([a_body("DW-1", phase="failed", checks=0)], "growth", "run_job", NOW, RULE)
    assert failed.badly == ("DW-1",)
    unproved = record([a_body("DW-1", checks=0)], "growth", "run_job", NOW, RULE)
    assert (unproved.clean, unproved.badly) == (0, ())


def test_what_is_old_elsewhere_of_another_class_or_of_a_person_does_not_count() -> None:
    old = NOW - timedelta(days=91)
    bodies = [
        a_body("DW-1", closed_at=old),
        a_body("DW-2", domain="billing"),
        a_body("DW-3", change_class="rerun_dag"),
        a_body("DW-4", doer="person"),
        body(entry(1, "run_job", "L3"), "L2"),
    ]
    assert record(bodies, "growth", "run_job", NOW, RULE).clean == 0
