"""Each promise can be seen to break: whoever takes a guard away is told by a test, and by which one."""

from pathlib import Path

import pytest

from tests.faults.mutation import Mutation, copy_of_the_house, every_test, failed
from tests.faults.promises import MUTATIONS

pytestmark = [pytest.mark.mutation, pytest.mark.timeout(300)]


def test_unbroken_every_test_that_is_named_passes(tmp_path: Path) -> None:
    names, said = failed(copy_of_the_house(tmp_path / "house"), every_test(MUTATIONS))
    assert not names, said


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: f"{m.promise}: {m.breaks}")
def test_a_broken_promise_is_noticed(tmp_path: Path, mutation: Mutation) -> None:
    house = copy_of_the_house(tmp_path / "house")
    for edit in mutation.edits():
        edit.apply(house)
    names, said = failed(house, mutation.caught_by)
    assert names >= set(mutation.caught_by), said
