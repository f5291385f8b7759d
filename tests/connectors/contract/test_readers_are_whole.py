"""The table of readers holds every reader there is and every question it can answer, and a well server answers them all."""

import json

import pytest

from policies.kinds import KINDS as OF_DW_YML
from tests.connectors.contract.readers import KINDS, Kind

#: what is not asked over HTTP has troubles of its own: tests/connectors/test_table_readers.py, tests/connectors/git
OTHERWISE = {"postgres", "duckdb", "git"}
every = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))


def test_a_kind_of_reader_that_is_not_in_the_table_is_missing_here() -> None:
    assert {row.kind for row in KINDS.values()} | OTHERWISE == set(OF_DW_YML)


@every
def test_each_question_it_can_answer_is_in_the_table(kind: Kind) -> None:
    assert set(kind.questions) == set(kind.reader(kind.server()).probes)


@every
async def test_a_server_that_is_well_gets_an_answer_to_each(kind: Kind) -> None:
    for name, ask in kind.asks().items():
        told = await ask(kind.reader(kind.server()))
        assert told, name
        if name in kind.questions:
            assert json.loads(json.dumps(told)) == told
