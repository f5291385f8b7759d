"""The page of the promises says what the list says, and the list is whole."""

from tests.faults.mutation import ROOT
from tests.faults.page import PAGE, page
from tests.faults.promises import MUTATIONS, PROMISES


def test_the_page_is_current() -> None:
    said = PAGE.read_text(encoding="utf-8")
    assert said == page(), "run `python -m tests.faults.page`"


def test_every_promise_can_be_seen_to_break_or_says_that_it_can_not() -> None:
    broken = {mutation.promise for mutation in MUTATIONS}
    assert [promise.number for promise in PROMISES] == list(range(1, 13))
    assert {p.number for p in PROMISES if not p.not_yet} == broken


def test_what_is_replaced_stands_in_the_code_exactly_once() -> None:
    edits = [edit for mutation in MUTATIONS for edit in mutation.edits()]
    rotten = [e for e in edits if (ROOT / e.file).read_text(encoding="utf-8").count(e.old) != 1]
    assert rotten == []


def test_every_test_that_is_named_is_there() -> None:
    named = {test.partition("[")[0] for m in MUTATIONS for test in m.caught_by}
    lost = [
        test
        for test in named
        if f"def {test.partition('::')[2]}(" not in (ROOT / test.partition("::")[0]).read_text()
    ]
    assert lost == []
