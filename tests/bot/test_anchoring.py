"""Each replica has an anchor of its own, and each is a witness of the whole chain."""

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.anchor import AnchorDisagrees, broken, read
from bot.main.anchoring import FileAnchor
from policies.receipt import GENESIS, Receipt, seal
from tests.clock import FakeClock


class Chain:
    """Receipts that grow."""

    def __init__(self) -> None:
        self.sealed: list[Receipt] = []

    def grow(self) -> None:
        number, previous = len(self.sealed) + 1, self.sealed[-1].hash if self.sealed else GENESIS
        self.sealed.append(seal(number, f"DW-{number}", previous, {"n": number}))

    async def head(self) -> tuple[int, str]:
        return (self.sealed[-1].number, self.sealed[-1].hash) if self.sealed else (0, GENESIS)


async def test_a_replica_that_wrote_no_receipt_follows_all_the_same(
    tmp_path: Path, clock: FakeClock
) -> None:
    chain = Chain()
    one, other = (FileAnchor(path=tmp_path / name, clock=clock) for name in ("one", "other"))
    await other.follow(chain)  # type: ignore[arg-type]
    for _ in range(3):
        chain.grow()
        await one.write(*await chain.head())
    for _ in range(2):
        await other.follow(chain)  # type: ignore[arg-type]
    assert [line.number for line in read(tmp_path / "one")] == [1, 2, 3]
    assert [line.number for line in read(tmp_path / "other")] == [3]
    cut = chain.sealed[:2]
    assert broken(cut, read(tmp_path / "other")) is not None


async def test_a_chain_that_was_rewritten_is_told_once_and_never_written(
    tmp_path: Path, clock: FakeClock
) -> None:
    chain, mine = Chain(), FileAnchor(path=tmp_path / "mine", clock=clock)
    chain.grow()
    await mine.follow(chain)  # type: ignore[arg-type]
    chain.sealed = [seal(1, "DW-1", GENESIS, {"n": "rewritten"})]
    with capture_logs() as logs:
        for _ in range(3):
            await mine.follow(chain)  # type: ignore[arg-type]
    assert [line["event"] for line in logs] == ["not_anchored"]
    assert len(read(tmp_path / "mine")) == 1
    with pytest.raises(AnchorDisagrees):
        await mine.write(*await chain.head())
