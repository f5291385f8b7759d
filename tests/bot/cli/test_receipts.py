"""`dw receipts`: read them, and find the first that does not hold."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bot.anchor import append
from bot.ports import StoreUnavailable
from policies.receipt import Receipt
from tests.bot.cli.fakes import FakeDatabase, Result, chain, dw, fake_house
from tests.clock import NIGHT


def receipts(*args: str, of: list[Receipt] | None = None) -> Result:
    database = FakeDatabase(chain=chain(3) if of is None else of)
    result = dw("receipts", *args, house=fake_house(open=lambda url: database))
    assert database.closed
    return result


def test_the_newest_come_first() -> None:
    lines = receipts("list", "--limit", "2").output.splitlines()
    assert [line.split()[0] for line in lines] == ["3", "2", "3"]
    assert lines[-1] == "3 receipts."


def test_no_receipts_is_an_answer() -> None:
    assert receipts("list", of=[]).output == "There are no receipts yet.\n"


def test_one_receipt_is_readable() -> None:
    shown = receipts("show", "2").output
    assert shown.startswith("Receipt 2 of DW-2\n")
    assert "cause: the replica was behind" in shown
    assert f"hash     {chain(2)[1].hash}" in shown


def test_one_receipt_as_json_is_what_was_sealed() -> None:
    shown = json.loads(receipts("show", "2", "--json").output)
    receipt = chain(2)[1]
    assert (shown["hash"], shown["body"]) == (receipt.hash, dict(receipt.body))


def test_a_receipt_that_is_not_there_is_exit_code_1() -> None:
    result = receipts("show", "9")
    assert (result.exit_code, "There is no receipt 9" in result.stderr) == (1, True)


def test_a_whole_chain_holds_but_its_end_is_unproven_without_an_anchor() -> None:
    result = receipts("verify")
    assert result.exit_code == 0
    assert result.output.startswith("3 receipts hold.\nNo anchor was given")


def test_the_first_broken_one_is_named() -> None:
    edited = chain(3)
    edited[1] = replace(edited[1], body={"cause": "nothing"})
    result = receipts("verify", of=edited)
    assert result.exit_code == 1
    assert result.stderr.startswith("BROKEN at receipt 2: its content does not match its hash")


def test_a_missing_one_is_named() -> None:
    result = receipts("verify", of=[chain(3)[0], chain(3)[2]])
    assert (result.exit_code, result.stderr[:19]) == (1, "BROKEN at receipt 2")


@pytest.fixture
def anchor(tmp_path: Path) -> str:
    for receipt in chain(3):
        append(tmp_path / "anchor", receipt.number, receipt.hash, NIGHT)
    return str(tmp_path / "anchor")


def test_the_anchor_proves_the_end(anchor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "(3 heads)" in receipts("verify", "--anchor", anchor).output
    monkeypatch.setenv("DW_ANCHOR", anchor)
    result = receipts("verify", of=chain(2))
    assert (result.exit_code, "receipt 3: cut off" in result.stderr) == (1, True)


def test_an_anchor_that_can_not_be_read_verifies_nothing() -> None:
    result = dw("receipts", "verify", "--anchor", "/nowhere/anchor")
    assert (result.exit_code, "Nothing was verified." in result.stderr) == (1, True)


def test_a_database_that_is_gone_is_told() -> None:
    gone = FakeDatabase(error=StoreUnavailable("The database was not reached."))
    result = dw("receipts", "list", house=fake_house(open=lambda url: gone))
    assert (result.exit_code, result.stderr) == (1, "The database was not reached.\n")
