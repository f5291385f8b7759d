"""The anchor finds what the chain alone can't: a rewritten or a cut-off one."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.anchor import AnchorDisagrees, AnchorUnreadable, append, broken, read
from policies.receipt import GENESIS, Receipt, seal
from tests.clock import NIGHT


def chain(length: int, word: str = "true") -> list[Receipt]:
    receipts: list[Receipt] = []
    for number in range(1, length + 1):
        previous = receipts[-1].hash if receipts else GENESIS
        receipts.append(seal(number, f"DW-{number}", previous, {"cause": word}))
    return receipts


def anchored(path: Path, receipts: list[Receipt]) -> Path:
    for receipt in receipts:
        append(path, receipt.number, receipt.hash, NIGHT)
    return path


def test_a_whole_chain_holds(tmp_path: Path) -> None:
    receipts = chain(3)
    assert broken(receipts, read(anchored(tmp_path / "anchor", receipts))) is None


def test_the_same_head_is_anchored_once(tmp_path: Path) -> None:
    path = anchored(tmp_path / "anchor", chain(2))
    assert append(path, 2, chain(2)[1].hash, NIGHT) is False
    assert path.read_text().splitlines() == [
        f"2026-09-29T00:41:00Z {r.number} {r.hash}" for r in chain(2)
    ]


def test_a_cut_off_chain_is_found_by_the_anchor_alone(tmp_path: Path) -> None:
    heads = read(anchored(tmp_path / "anchor", chain(3)))
    assert broken(chain(2)) is None
    found = broken(chain(2), heads)
    assert found is not None
    assert (found.number, "cut off" in found.why) == (3, True)


def test_a_rewritten_chain_is_found_even_when_it_was_anchored_again(tmp_path: Path) -> None:
    path = anchored(tmp_path / "anchor", chain(2))
    forged = chain(4, word="forged")
    found = broken(forged, read(anchored(path, forged[2:])))
    assert found is not None
    assert (found.number, "rewritten" in found.why) == (1, True)


def test_a_shorter_or_different_chain_is_not_anchored(tmp_path: Path) -> None:
    path = anchored(tmp_path / "anchor", chain(2))
    for other in (chain(1)[0], chain(2, word="forged")[1]):
        with pytest.raises(AnchorDisagrees, match="remembers receipt 2"):
            append(path, other.number, other.hash, NIGHT)
    assert len(read(path)) == 2


@pytest.mark.parametrize("torn", ["2", "2026-09-29T00:41", "2026-09-29T00:41:00Z 2 sha256:ab"])
def test_a_line_that_a_crash_left_half_written_does_not_count(tmp_path: Path, torn: str) -> None:
    path = anchored(tmp_path / "anchor", chain(1))
    with path.open("a") as file:
        file.write(torn)
    assert [head.number for head in read(path)] == [1]
    anchored(path, chain(2)[1:])
    assert [head.number for head in read(path)] == [1, 2]


def test_a_place_that_can_not_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(AnchorUnreadable, match="can't be written"):
        append(tmp_path / "no such folder" / "anchor", 1, chain(1)[0].hash, NIGHT)


def test_an_edited_receipt_is_named(tmp_path: Path) -> None:
    receipts = chain(3)
    receipts[1] = replace(receipts[1], body={"cause": "edited"})
    found = broken(receipts)
    assert found is not None
    assert (found.number, "edited" in found.why) == (2, True)


@pytest.mark.parametrize("content", [b"yesterday 1 sha256:abc\n", b"\xff\n"])
def test_a_file_that_is_no_anchor_verifies_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "anchor").write_bytes(content)
    with pytest.raises(AnchorUnreadable, match="Nothing was verified"):
        read(tmp_path / "anchor")


def test_a_missing_anchor_verifies_nothing(tmp_path: Path) -> None:
    with pytest.raises(AnchorUnreadable, match="No such file"):
        read(tmp_path / "anchor")
