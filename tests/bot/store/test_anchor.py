"""The witness outside the database."""

from pathlib import Path

import pytest

from bot.store.anchor import Anchor, AnchorUnreadable
from policies.receipt import GENESIS

ONE, TWO = (1, "sha256:" + "1" * 64), (2, "sha256:" + "2" * 64)


def lines(file: Path) -> list[str]:
    return file.read_text().splitlines()


def write(file: Path, text: str) -> None:
    with file.open("a") as opened:
        opened.write(text)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "anchor"


async def test_the_last_head_is_the_last_line(file: Path) -> None:
    anchor = Anchor(file)
    assert await anchor.last() is None
    assert await anchor.append(ONE) is True
    assert await anchor.append(TWO) is True
    assert await Anchor(file).last() == TWO
    assert lines(file) == [f"1 {ONE[1]}", f"2 {TWO[1]}"]


async def test_the_same_head_again_and_an_empty_chain_write_nothing(file: Path) -> None:
    anchor = Anchor(file)
    assert await anchor.append((0, GENESIS)) is False
    await anchor.append(ONE)
    assert await anchor.append(ONE) is False
    assert len(lines(file)) == 1


async def test_a_shorter_or_different_chain_is_refused(file: Path) -> None:
    anchor = Anchor(file)
    await anchor.append(TWO)
    for head in (ONE, (2, ONE[1]), (1, TWO[1])):
        with pytest.raises(AnchorUnreadable, match="knows receipt 2"):
            await anchor.append(head)
    assert await anchor.last() == TWO


async def test_a_line_that_a_crash_left_half_written_does_not_count(file: Path) -> None:
    anchor = Anchor(file)
    await anchor.append(ONE)
    write(file, "2 sha256:22")
    assert await anchor.last() == ONE
    assert await anchor.append(TWO) is True
    assert await anchor.last() == TWO


@pytest.mark.parametrize("text", ["two sha256:x\n", "1 sha256:short\n", "é\n"])
async def test_a_file_that_holds_something_else_is_refused(file: Path, text: str) -> None:
    write(file, text)
    with pytest.raises(AnchorUnreadable, match="Mend the file"):
        await Anchor(file).last()
    with pytest.raises(AnchorUnreadable):
        await Anchor(file).append(ONE)


async def test_a_place_that_can_not_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(AnchorUnreadable, match="can't be used"):
        await Anchor(tmp_path / "no such folder" / "anchor").append(ONE)
    with pytest.raises(AnchorUnreadable, match="can't be used"):
        await Anchor(tmp_path).last()
