"""`/dw autonomy`: typing changes nothing; an admin's tap on the button is stored."""

from dataclasses import replace

import pytest

from bot.commands import SetLevel
from handlers import ids
from handlers.autonomy import _read
from handlers.payloads.level import level as parse_level
from handlers.views import autonomy, confirm_level, level_changed, level_receipt
from policies.autonomy.budget import Budget, RecordRule
from policies.autonomy.levels import InForce, LevelEntry, body
from policies.autonomy.overview import ClassLevel, DomainLevels
from policies.autonomy.record import Record
from policies.autonomy.setting import Ask
from policies.autonomy.shadow import Tally
from policies.receipt import GENESIS, seal
from tests.building import NOW

ASK = Ask(
    domain="growth", change_class="run_job", level="L3", person="U0DEE", reason="clean <!here>"
)
ENTRY = LevelEntry(
    number=1,
    domain="growth",
    change_class="run_job",
    level="L3",
    by=("U0DEE",),
    at=NOW,
    reason="clean",
    receipt=4,
)


@pytest.mark.parametrize(
    ("words", "change_class", "level", "reason"),
    [
        ("growth L1", "*", "L1", ""),
        ("growth * l2 a bad feeling", "*", "L2", "a bad feeling"),
        ("growth run_job L3", "run_job", "L3", ""),
        ("  growth   run_job  L3  ten clean runs", "run_job", "L3", "ten clean runs"),
    ],
)
def test_typed_words_are_read(words: str, change_class: str, level: str, reason: str) -> None:
    ask = _read(words, "U0DEE")
    assert isinstance(ask, Ask)
    assert (ask.domain, ask.change_class, ask.level) == ("growth", change_class, level)
    assert ask.reason == reason


@pytest.mark.parametrize("words", ["", "growth", "growth run_job", "growth run_job L9", "L3"])
def test_words_that_name_no_level_are_answered_with_how(words: str) -> None:
    assert "write `/dw autonomy set" in str(_read(words, "U0DEE"))


def test_the_question_says_what_changes_and_mentions_nobody() -> None:
    said = confirm_level(ASK, "L2", 2)
    assert "L2 → L3" in said.words()
    assert "It takes 2 admins" in said.words()
    assert "<!here>" not in said.words()
    (button,) = said.blocks[-1]["elements"]
    assert ids.decode_level(button["value"]).reason == "clean <!here>"


def test_the_tap_becomes_a_command_and_a_forged_level_is_kept_unread() -> None:
    assert isinstance(parse_level(a_tap("L3"), NOW).command, SetLevel)
    assert not isinstance(parse_level(a_tap("L9"), NOW).command, SetLevel)


def a_tap(level: str) -> dict[str, object]:
    tag = ids.LevelTag(domain="growth", change_class="run_job", level=level)
    action = {"action_id": ids.LEVEL, "action_ts": "1.2", "value": tag.encode()}
    return {"user": {"id": "U0DEE"}, "actions": [action], "channel": {"id": "C0ALERTS"}}


def test_the_picture_shows_levels_records_budgets_shadows_and_what_the_numbers_allow() -> None:
    record = Record(clean=12, badly=(), rule=RecordRule())
    tally = Tally(would=7, by_hand=6)
    line = ClassLevel(
        name="run_job", level=InForce(level="L2"), record=record, shadow=tally, suggests="L3"
    )
    domain = DomainLevels(
        name="growth",
        level=InForce(level="L2"),
        budget=Budget(runs_a_day=5, reach=9, cost_a_day=20),
        spent=2,
        paid=7.5,
        classes=(line,),
        wishes=(ENTRY,),
    )
    said = autonomy([domain]).words()
    assert "*growth* *L2*" in said
    assert "3 of 5 runs are left today, 12.5 of 20 of their cost" in said
    assert "12 of 10 clean receipts in 90 days" in said
    assert "would have queued 7 runs; 6 of 7 were later run by hand" in said
    assert "`/dw autonomy set growth run_job L3`" in said
    assert "<@U0DEE> wants L3" in said


def test_whoever_confirms_sees_the_numbers_first() -> None:
    record = Record(clean=4, badly=("DW-7",), rule=RecordRule())
    line = ClassLevel(
        name="run_job",
        level=InForce(level="L1"),
        record=record,
        shadow=Tally(would=7, by_hand=7),
        suggests=None,
    )
    said = confirm_level(ASK, "L2", 1, [line]).words()
    assert "4 of 10 clean receipts in 90 days, and it ended badly in DW-7" in said
    assert "would have queued 7 runs; 7 of 7 were later run by hand" in said
    assert "no record of it yet" in confirm_level(ASK, "L2", 1).words()


def test_the_channel_is_told_of_a_rise_a_fall_and_a_wish() -> None:
    rose = level_changed(replace(ENTRY, reason="clean <!here>"), "L2").words()
    assert "`growth`, `run_job`: L2 → *L3*" in rose
    assert "By <@U0DEE>, receipt 4.\nReason: clean &lt;!here&gt;" in rose
    fell = level_changed(replace(ENTRY, by=("dw",), level="L2"), "L3").words()
    assert "asks for each change, until an admin raises it again" in fell
    assert "By itself, after a bad end, receipt 4." in fell
    wished = level_changed(replace(ENTRY, receipt=None), "L2").words()
    assert "<@U0DEE> wants L3 for `run_job`; one more admin is needed" in wished
    assert "Nothing is changed yet." in wished


def test_the_receipt_of_a_level_says_who_and_why() -> None:
    said = level_receipt(seal(4, "level:growth:run_job", GENESIS, body(ENTRY, "L2"))).words()
    assert "L2 → L3" in said
    assert "<@U0DEE>: clean" in said
