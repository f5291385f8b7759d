"""A receipt that was edited, moved, left out or cut off is found by anybody who has the chain."""

from dataclasses import replace

import pytest

from policies.receipt import GENESIS, Receipt, canonical, seal, verify


@pytest.fixture
def chain() -> list[Receipt]:
    sealed: list[Receipt] = []
    for number in (1, 2, 3):
        previous = sealed[-1].hash if sealed else GENESIS
        sealed.append(seal(number, f"DW-{number}", previous, {"rows": number}))
    return sealed


def head(chain: list[Receipt]) -> tuple[int, str]:
    return chain[-1].number, chain[-1].hash


def test_an_untouched_chain_holds(chain: list[Receipt]) -> None:
    assert verify(chain, head(chain)) is None
    assert verify([]) is None


def test_an_edited_receipt_is_found(chain: list[Receipt]) -> None:
    chain[1] = replace(chain[1], body={"rows": 99})
    broken = verify(chain)
    assert (broken.number, broken.why) == (2, "its content does not match its hash: it was edited")


def test_a_missing_receipt_is_found(chain: list[Receipt]) -> None:
    del chain[1]
    assert verify(chain).why == "missing or out of order: found 3 here"


def test_a_receipt_that_was_sealed_again_is_found(chain: list[Receipt]) -> None:
    chain[1] = seal(2, "DW-2", GENESIS, {"rows": 2})
    assert verify(chain).why == "does not follow from the one before it"


def test_a_cut_off_chain_is_found_by_its_anchor(chain: list[Receipt]) -> None:
    assert verify(chain[:2], head(chain)).why == "cut off: the anchor knows 3 receipts"


def test_a_rewritten_chain_is_found_by_its_anchor(chain: list[Receipt]) -> None:
    other = (3, GENESIS)
    assert verify(chain, other).number == 3


def test_numbers_that_are_no_json_are_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical({"rows": float("nan")})
