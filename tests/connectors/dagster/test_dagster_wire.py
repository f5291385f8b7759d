"""Small print of Dagster's answers."""

from typing import Any

import pytest

from connectors.dagster import DagsterReader
from connectors.dagster.wire import Metadata, PythonError, partition_of
from connectors.errors import Malformed, NotFound
from tests.connectors.dagster.fake_dagster import FakeDagster


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ({"text": "x"}, "x"),
        ({"intRepr": "5000000000"}, 5_000_000_000),
        ({"floatValue": 0.5}, 0.5),
        ({"floatValue": None}, None),
        ({"boolValue": False}, False),
        ({"timestamp": 0.0}, "1970-01-01T00:00:00+00:00"),
        ({"jsonString": '{"a": [1]}'}, {"a": [1]}),
        ({"url": "https://x"}, "https://x"),
        ({"path": "/x"}, "/x"),
        ({"mdStr": "**x**"}, "**x**"),
        ({}, None),
    ],
)
def test_each_kind_of_metadata_has_its_value(entry: dict[str, Any], value: object) -> None:
    whole = {"__typename": "AnyMetadataEntry", "label": "a", **entry}
    assert Metadata.model_validate(whole).value() == value


def test_an_error_without_causes_is_its_own_root() -> None:
    error = PythonError.model_validate(
        {"message": "a.b.Failure: no table\n", "className": "Failure"}
    )
    assert error.root() == "Failure: no table"


def test_an_error_that_is_all_wrapping_is_still_told() -> None:
    error = PythonError.model_validate({"message": "gave up\n", "className": "RetryRequested"})
    assert error.root() == "gave up"
    assert PythonError.model_validate({}).root() == "no words were given"


def test_the_partition_tag_counts_before_a_range() -> None:
    tags = {"dagster/partition": "a", "dagster/asset_partition_range_start": "b"}
    assert partition_of(tags) == "a"
    assert partition_of({}) is None


@pytest.mark.parametrize("body", [[], {}, {"data": None}, {"data": []}])
async def test_an_answer_without_data_is_malformed(body: Any) -> None:
    class Bare(FakeDagster):
        def _response(self, answer: Any, variables: Any) -> Any:
            response = super()._response(lambda _: None, variables)
            return type(response)(200, json=body)

    with pytest.raises(Malformed):
        await Bare(DwRun=200).reader().run("x")


def test_an_address_that_is_none_is_refused_at_once() -> None:
    with pytest.raises(NotFound, match=r"its url in dw\.yml can't be used"):
        DagsterReader("dagster", "http://[::")


async def test_an_address_may_end_in_graphql_or_a_slash() -> None:
    for url in ("http://x.example.com/prod/graphql", "http://x.example.com/prod/"):
        fake = FakeDagster(DwRun="run_failed")
        run = await DagsterReader("dagster", url, transport=fake).run("x")
        assert str(run.url).startswith("http://x.example.com/prod/runs/")
