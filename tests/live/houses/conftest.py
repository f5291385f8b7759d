"""The systems that every promise is proven on, each on its real server."""

from collections.abc import Callable, Mapping

import pytest

from tests.live.houses.airflow import Airflow2, Airflow3
from tests.live.houses.dagster import Dagster
from tests.live.houses.prefect import Prefect
from tests.live.houses.system import System

SYSTEMS: Mapping[str, tuple[Callable[..., System], str]] = {
    "airflow2": (Airflow2, "airflow_world"),
    "dagster": (Dagster, "dagster_world"),
    "prefect": (Prefect, "prefect_world"),
}


#: where nothing is ever started: what a run that fails there becomes is the same
OWNED: Mapping[str, tuple[Callable[..., System], str]] = {"airflow3": (Airflow3, "airflow_world")}
#: the ones that keep the key of a step themselves, and so know a second start of it
KEEPERS = ("airflow2", "prefect")


@pytest.fixture(params=SYSTEMS)
def system(request: pytest.FixtureRequest) -> System:
    """One after the other; its server is started once for all."""
    return _system(request)


@pytest.fixture(params=KEEPERS)
def keeper(request: pytest.FixtureRequest) -> System:
    """Only those that themselves refuse, or recognise, a second run of one key."""
    return _system(request)


@pytest.fixture(params=[*SYSTEMS, *OWNED])
def watched(request: pytest.FixtureRequest) -> System:
    """Those where nothing is ever started, too."""
    return _system(request)


def _system(request: pytest.FixtureRequest) -> System:
    kind, world = {**SYSTEMS, **OWNED}[request.param]
    return kind(request.getfixturevalue(world))
