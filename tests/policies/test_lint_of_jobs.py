"""Names of Prefect deployments and accounts of dbt Cloud that can't be what they are said to be."""

import pytest

from policies.lint import connections


def mistakes(**connection: object) -> list[str]:
    found = connections.jobs({"connections": {"flows": connection}})
    return [f"{'.'.join(map(str, each.path))}: {each.what}" for each in found]


@pytest.mark.parametrize("job", ["rollups", "a/b/c"])
def test_a_deployment_is_named_with_its_flow(job: str) -> None:
    assert mistakes(kind="prefect", jobs={job: {}}) == [
        f"connections.flows.jobs.{job}: {job!r} names no deployment"
    ]
    assert mistakes(kind="prefect", jobs={"rollups/prod": {}}) == []


def test_an_address_of_dbt_cloud_holds_the_account() -> None:
    assert mistakes(kind="dbt_cloud", url="https://cloud.getdbt.com") == [
        "connections.flows.url: this names no account"
    ]
    assert mistakes(kind="dbt_cloud", url="https://cloud.getdbt.com/deploy/1/projects/2") == []


@pytest.mark.parametrize("connection", [{"kind": "dagster", "jobs": {"x": {}}}, {"kind": 3}, {}])
def test_what_is_of_another_kind_or_of_no_shape_is_passed_over(
    connection: dict[str, object],
) -> None:
    assert mistakes(**connection) == []


def test_runs_are_expected_only_where_a_schedule_is_told() -> None:
    stated = {"expected": {"daily": {}}}
    for kind in ("dbt_cloud", "duckdb"):
        [found] = connections.expected({"connections": {"it": {"kind": kind, **stated}}})
        assert found.path == ("connections", "it", "expected")
    for kind in ("airflow", "dagster", "prefect"):
        assert not [*connections.expected({"connections": {"it": {"kind": kind, **stated}}})]


def test_only_dagster_has_code_locations() -> None:
    jobs = {"jobs": {"daily": {"location": "growth"}}}
    [found] = connections.expected({"connections": {"it": {"kind": "airflow", **jobs}}})
    assert found.path == ("connections", "it", "jobs", "daily", "location")
    assert not [*connections.expected({"connections": {"it": {"kind": "dagster", **jobs}}})]
