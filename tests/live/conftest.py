"""Real servers, each started once for all folders that ask for it."""

from tests.live.airflow.world import airflow_world  # noqa: F401 - a fixture for every folder
from tests.live.dagster.world import dagster_world  # noqa: F401 - the same
from tests.live.prefect.world import prefect_world  # noqa: F401 - the same
