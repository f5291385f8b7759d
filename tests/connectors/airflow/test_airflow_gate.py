"""No client of ours can send what it must not, whatever it is asked to send."""

import pytest

from connectors.airflow.doors import Password
from connectors.catalogue import Secrets, build
from connectors.http import Request, WriteByReader
from policies.rules import Rules
from tests.connectors.airflow.fake_airflow import DAG, DAGS, SECRET, URL, FakeAirflow, Queueing

RUNS = f"/api/v1/dags/{DAG}/dagRuns"
GOOD = {"dag_run_id": "dw__DW-1__a", "conf": {}}
BOTH = Secrets(password="planted-read", act_token="planted-act")
NAMED = {"kind": "airflow", "url": URL, "user": "reader", "act_user": "queuer", "jobs": {DAG: {}}}


def rules(**connection: object) -> Rules:
    return Rules.model_validate(
        {
            "version": 1,
            "alert_channels": ["#data"],
            "senders": [{"app_id": "A1", "system": "airflow", "connection": "airflow"}],
            "connections": {"airflow": {**NAMED, **connection}},
            "domains": {
                "billing": {
                    "channels": ["#data"],
                    "assets": ["*"],
                    "chain": [{"who": "owner", "within": "5m"}],
                }
            },
        }
    )


def why(**connection: object) -> str:
    built = build(rules(**connection), {"airflow": BOTH}, acting=True)
    assert built.actuators == {}
    return built.no_actuator["airflow"]


def test_for_airflow_3_no_actuator_exists() -> None:
    assert "Airflow 3 is never triggered" in why(version=3)


def test_for_an_airflow_that_dw_yml_does_not_call_a_2_none_exists_either() -> None:
    assert "does not say `version: 2`" in why()


def test_a_connection_pinned_read_only_has_none() -> None:
    assert "pins this connection read-only" in why(version=2, read_only=True)


def test_the_password_that_reads_is_never_used_to_act() -> None:
    built = build(rules(version=2), {"airflow": Secrets(password="planted")}, acting=True)
    assert "none to act on it" in built.no_actuator["airflow"]


def test_an_airflow_2_with_a_credential_of_its_own_has_one() -> None:
    built = build(rules(version=2), {"airflow": BOTH}, acting=True)
    assert set(built.actuators) == {"airflow"}
    assert set(built.orchestrators) == {"airflow"}


@pytest.mark.parametrize("major", [2, 3])
@pytest.mark.parametrize("method", ["POST", "PATCH", "PUT", "DELETE"])
async def test_a_reader_sends_nothing_but_get_and_its_login(major: int, method: str) -> None:
    fake = FakeAirflow(2 if major == 2 else 3)
    api = fake.api(Password("airflow", URL, "ana", SECRET))
    for path in (RUNS, RUNS.replace("v1", "v2"), "/auth/logout"):
        with pytest.raises(WriteByReader):
            await api._http.once(Request(method=method, url=path, json=GOOD))
    assert fake.asked == []


@pytest.mark.parametrize(
    ("method", "path", "sent"),
    [
        ("POST", "/api/v1/dags/another/dagRuns", GOOD),
        ("POST", f"/api/v2/dags/{DAG}/dagRuns", GOOD),
        ("POST", RUNS, {"dag_run_id": "manual__1"}),
        ("POST", RUNS, {"conf": {}}),
        ("POST", f"/api/v1/dags/{DAG}/clearTaskInstances", GOOD),
        ("POST", f"{RUNS}/x/clear", GOOD),
        ("PATCH", f"/api/v1/dags/{DAG}", {"is_paused": False}),
        ("DELETE", f"{RUNS}/x", None),
    ],
)
async def test_an_actuator_can_queue_our_own_runs_of_named_dags_and_nothing_else(
    method: str, path: str, sent: object
) -> None:
    fake = FakeAirflow(2)
    with pytest.raises(WriteByReader):
        await fake.api(dags=DAGS)._http.once(Request(method=method, url=path, json=sent))
    assert fake.asked == []


async def test_what_an_actuator_sends_passes() -> None:
    fake = Queueing().fake()
    await fake.api(dags=DAGS).queue(DAG, GOOD)
    assert [r.method for r in fake.asked] == ["POST"]
