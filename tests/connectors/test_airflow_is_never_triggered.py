"""No Airflow but one that dw.yml calls a 2, and that is one, is ever told to run anything."""

from typing import Any

import httpx
import pytest

from connectors.airflow.actuator import AirflowActuator
from connectors.airflow.doors import Bearer
from connectors.catalogue import Catalogue, Secrets, build
from connectors.errors import Forbidden
from policies.rules import Rules
from tests.building import NOW, a_plan, a_step, approved
from tests.policies import night

BOTH = {"airflow": Secrets(token="planted-read", act_token="planted-act")}
STEP = a_step(connection="airflow", action="run_dag", params={"job": "orders"})


def built(**said: Any) -> Catalogue:
    airflow = {"kind": "airflow", "url": "https://airflow.example.com", "jobs": {"orders": {}}}
    known = night.dw_yml()
    connections = {**known["connections"], "airflow": {**airflow, **said}}
    return build(Rules.model_validate({**known, "connections": connections}), BOTH, acting=True)


@pytest.mark.parametrize("said", [{}, {"version": 3}], ids=["not said", "a 3"])
def test_an_airflow_that_is_not_called_a_2_has_no_actuator(said: dict[str, Any]) -> None:
    with pytest.raises(Forbidden, match="ever triggered"):
        built(**said).actuator("airflow")


def test_an_airflow_2_has_one() -> None:
    assert "airflow" in built(version=2).actuators


async def test_an_airflow_that_became_a_3_is_told_nothing_whatever_dw_yml_says() -> None:
    sent: list[httpx.Request] = []

    def three(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        if request.url.path.endswith("/version"):
            return httpx.Response(200, json={"version": "3.0.2", "git_version": None})
        return httpx.Response(404, json={"detail": "no such run"})

    actuator = AirflowActuator(
        "airflow",
        "https://airflow.example.com",
        Bearer("planted-act"),
        frozenset({"orders"}),
        transport=httpx.MockTransport(three),
    )
    with pytest.raises(Forbidden, match="started by their owner"):
        await actuator.act(STEP, approved(a_plan(STEP)), key="DW-1:orders:1", now=NOW)
    assert {request.method for request in sent} == {"GET"}
