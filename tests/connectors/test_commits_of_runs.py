"""Which commit a run says it ran, by system: told outright, in a tag, or not at all."""

import pytest

from connectors.airflow.wire import WireRun as AirflowRun
from connectors.dagster.wire import Versioned
from connectors.prefect.wire import FlowRun

WHOLE, OTHER = "a1b2c3d4e5" * 4, "f" * 40


def airflow(bundle: str | None = None, *versions: tuple[int, str | None]) -> str | None:
    told = [{"version_number": number, "bundle_version": at} for number, at in versions]
    run = {"dag_id": "d", "dag_run_id": "r", "bundle_version": bundle, "dag_versions": told}
    return AirflowRun.model_validate(run).commit


def test_airflow_tells_the_commit_of_the_run_before_that_of_its_newest_version() -> None:
    assert airflow(WHOLE, (3, OTHER)) == WHOLE
    assert airflow(None, (3, WHOLE), (2, OTHER)) == WHOLE
    assert airflow(None, (3, None)) is None
    assert airflow("2026-09-28-nightly") is None
    assert airflow() is None


@pytest.mark.parametrize(
    ("tags", "commit"),
    [
        ({"git_sha": WHOLE, "dagster/image": f"pipelines:{OTHER}"}, WHOLE),
        ({"dagster/image": "registry.example.com/pipelines:sha-a1b2c3d"}, "a1b2c3d"),
        ({"dagster/image": "registry.example.com/pipelines:latest"}, None),
        ({}, None),
    ],
)
def test_dagster_tells_it_in_a_tag_of_the_run_or_of_its_image(
    tags: dict[str, str], commit: str | None
) -> None:
    told = [{"key": key, "value": value} for key, value in tags.items()]
    assert Versioned.model_validate({"tags": told, "pipelineSnapshotId": OTHER}).commit() == commit


def test_prefect_tells_it_where_the_deployment_was_versioned_by_its_repository() -> None:
    run = {"id": "1", "name": "n", "flow_id": "2"}
    assert FlowRun.model_validate({**run, "deployment_version": "a1b2c3d4"}).commit == "a1b2c3d4"
    assert FlowRun.model_validate({**run, "deployment_version": "1.4.0"}).commit is None
    assert FlowRun.model_validate(run).commit is None
