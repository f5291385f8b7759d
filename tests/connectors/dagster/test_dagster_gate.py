"""A reader's client can't change anything, whatever it is asked to send."""

import ast
from pathlib import Path

import pytest

import connectors.dagster
from connectors.dagster import queries
from connectors.http import WriteByReader
from tests.connectors.dagster.fake_dagster import FakeDagster

FOLDER = Path(connectors.dagster.__file__).parent


async def test_a_reader_can_not_send_the_launch_document() -> None:
    fake = FakeDagster()
    with pytest.raises(WriteByReader):
        await fake.graphql().write(queries.LAUNCH, params={})
    assert fake.asked == []


async def test_an_actuator_can_send_nothing_but_the_documents_of_this_house() -> None:
    fake = FakeDagster()
    with pytest.raises(WriteByReader):
        await fake.graphql(writes=True).write(
            "mutation { wipeAssets(assetKeys: []) { __typename } }"
        )
    assert fake.asked == []


def test_no_document_that_a_reader_may_send_is_a_mutation() -> None:
    assert all(document.startswith("query ") for document in queries.READS)
    assert not queries.READS & queries.WRITES


def test_every_document_of_the_house_is_listed_as_a_read_or_a_write() -> None:
    named = {
        value
        for name, value in vars(queries).items()
        if name.isupper() and not name.startswith("_") and isinstance(value, str)
    }
    assert named == queries.READS | queries.WRITES


def test_documents_are_written_in_queries_and_nowhere_else() -> None:
    for file in FOLDER.glob("*.py"):
        if file.name == "queries.py":
            continue
        strings = [
            n.value for n in ast.walk(ast.parse(file.read_text())) if isinstance(n, ast.Constant)
        ]
        assert not [
            s for s in strings if isinstance(s, str) and s.startswith(("mutation ", "query Dw"))
        ]
