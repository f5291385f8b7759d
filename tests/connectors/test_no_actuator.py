"""No actuator exists where nothing may be changed: whatever else says yes, there is nothing to call."""

from typing import Any

import pytest

from connectors.catalogue import Catalogue, Secrets, build
from connectors.errors import Forbidden, NotFound
from tests.policies import night

ACT = {"dagster": Secrets(token="read-1", act_token="act-1")}


def built(secrets: dict[str, Secrets] = ACT, *, acting: bool = True, **dagster: Any) -> Catalogue:
    """The catalogue of the night, with `dagster` in its connection of that name."""
    rules = night.rules()
    changed = rules.connections["dagster"].model_copy(update=dagster)
    return build(
        rules.model_copy(update={"connections": {**rules.connections, "dagster": changed}}),
        secrets,
        acting=acting,
    )


def test_one_actuator_is_built_where_acting_is_allowed() -> None:
    assert set(built().actuators) == {"dagster"}
    assert set(built().readers) == {"dagster", "app_primary", "app_replica", "warehouse"}


@pytest.mark.parametrize(
    ("catalogue", "why"),
    [
        (built(read_only=True), "read-only"),
        (built(acting=False), "DW_ACTING=off"),
        (built(jobs={}), "names no jobs"),
        (built({"dagster": Secrets(token="read-1")}), "none to act on it"),
    ],
    ids=["pinned", "off", "no jobs", "no credential to act"],
)
def test_no_actuator_exists_where_nothing_may_be_changed(catalogue: Catalogue, why: str) -> None:
    assert catalogue.actuators == {}
    with pytest.raises(Forbidden, match=why):
        catalogue.actuator("dagster")


def test_stores_and_unknown_connections_have_no_actuator() -> None:
    with pytest.raises(Forbidden, match="only holds tables"):
        built().actuator("warehouse")
    with pytest.raises(NotFound, match="no connection 'other'"):
        built().actuator("other")
