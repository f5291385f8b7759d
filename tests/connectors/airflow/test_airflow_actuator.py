"""Queueing a run on Airflow 2: each way it can end, once and only once. Airflow 3 is never triggered."""

from typing import Any

import httpx
import pytest

from connectors.airflow.actuator import run_id_of
from connectors.errors import (
    Broken,
    ConnectorError,
    Forbidden,
    NotFound,
    Rejected,
    TooSlow,
    Unreachable,
)
from policies.plan import Step
from policies.run import Run
from tests.building import NOW, a_plan, a_step, approved
from tests.connectors.airflow.fake_airflow import DAG, FakeAirflow, Queueing, body, response
from tests.policies import friday

KEY = "DW-7:run_usage_billing_daily:0123456789ab"
RUN_ID = run_id_of(KEY)
RUNS = f"dags/{DAG}/dagRuns"
DAY = "2026-11-29T00:00:00Z/2026-11-30T00:00:00Z"
MIDNIGHT = "2026-11-29T00:00:00Z"


def a_dag(job: str = DAG, **params: object) -> Step:
    return a_step(action="run_dag", change_class="rerun_dag", params={"job": job, **params})


async def act(fake: FakeAirflow, step: Step | None = None, key: str = KEY) -> Run:
    step = step or a_dag()
    return await fake.actuator().act(step, approved(a_plan(step)), key=key, now=NOW)


def ready(*answer: Any) -> FakeAirflow:
    return FakeAirflow(2).gets(f"dags/{DAG}", "dag").posts(RUNS, *answer)


def sent(fake: FakeAirflow) -> dict[str, Any]:
    [request] = [r for r in fake.asked if r.method == "POST"]
    return body(request)


async def test_the_run_is_queued_with_its_configuration_under_an_id_made_from_the_step() -> None:
    fake = Queueing().fake()
    run = await act(fake, a_dag(config={"usage_date": "2026-11-29"}))
    assert sent(fake) == {"dag_run_id": RUN_ID, "conf": {"usage_date": "2026-11-29"}}
    assert run.id == f"{DAG}/{RUN_ID}"
    assert RUN_ID.startswith("dw__DW-7__")
    assert len(RUN_ID) < 40


async def test_a_step_as_it_is_drafted_is_taken_whole() -> None:
    fake, told = Queueing().fake(), friday.can_run(airflow="2.11.2")
    run = await act(fake, friday.step(friday.rules(version=2), can_run=told))
    assert sent(fake)["conf"] == {"usage_date": friday.DAY}
    assert sent(fake)["data_interval_start"] == friday.LOGICAL
    assert run.id == f"{DAG}/{RUN_ID}"


async def test_the_interval_of_the_failed_run_is_reproduced_beside_its_logical_date() -> None:
    fake = Queueing().fake()
    run = await act(fake, a_dag(interval=DAY, logical_date=MIDNIGHT, partition="2026-11-29"))
    told = sent(fake)
    assert (told["data_interval_start"], told["data_interval_end"]) == tuple(DAY.split("/"))
    assert told["logical_date"].startswith("2026-11-29T00:00:00.000")
    assert told["logical_date"] != MIDNIGHT
    assert run.interval == DAY


async def test_two_reruns_of_one_interval_do_not_stand_in_each_others_way() -> None:
    queueing = Queueing()
    step = a_dag(interval=DAY, logical_date=MIDNIGHT)
    for key in (KEY, f"{KEY}-2"):
        await act(queueing.fake(), step, key)
    assert len(queueing.runs) == 2


async def test_a_409_for_our_own_id_is_our_run_and_is_adopted() -> None:
    fake = ready("conflict").gets(f"{RUNS}/{RUN_ID}", "run_unknown", "run_unknown", "run_failed")
    run = await act(fake)
    assert run.tags["dw/adopted"] == "yes"
    assert fake.count("POST") == 1


async def test_a_409_for_the_logical_date_of_another_run_is_told() -> None:
    fake = ready("conflict")
    with pytest.raises(Rejected, match=r"holds the logical date .* Nothing was started"):
        await act(fake)
    assert fake.count("POST") == 1


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        ("conf_bad", Rejected, "'many' is not of type 'integer'.* Nothing was started"),
        ("import_error", Rejected, "has import errors.* Nothing was started"),
        ("forbidden", Forbidden, "may read usage_billing_daily but not run it"),
        ("dag_unknown", NotFound, "knows no DAG .* Nothing was started"),
        ("stumbled", Broken, "HTTP 500"),
        (500, Broken, "HTTP 500"),
        (502, Broken, "gateway"),
        (504, TooSlow, "gateway"),
        (401, Forbidden, "refused the credential"),
        (200, Broken, "its answer can't be understood"),
        (httpx.ConnectError("x"), Unreachable, "nothing was sent"),
        (httpx.ReadTimeout("x"), TooSlow, "outcome is unknown"),
        (httpx.ReadError("x"), Broken, "connection broke"),
    ],
)
async def test_each_way_a_start_can_fail_is_told_and_is_never_tried_again(
    answer: Any, error: type[ConnectorError], words: str
) -> None:
    fake = ready(answer)
    with pytest.raises(error, match=words):
        await act(fake)
    assert fake.count("POST") == 1


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("dag_paused", "it is paused: a run would wait"),
        ("dag_gone", "import error, or is gone"),
        (lambda _: response("v1_dag", has_import_errors=True), "import error"),
    ],
)
async def test_a_dag_that_would_not_run_is_not_queued(answer: Any, words: str) -> None:
    fake = ready("queued").gets(f"dags/{DAG}", answer)
    with pytest.raises(Rejected, match=rf"{words}.* Nothing was started"):
        await act(fake)
    assert fake.count("POST") == 0


async def test_a_wrong_password_is_told_before_anything_is_sent() -> None:
    fake = ready("queued").gets(f"{RUNS}/{RUN_ID}", "forbidden")
    with pytest.raises(Forbidden, match="wrong user or password"):
        await act(fake)
    assert fake.count("POST") == 0


async def test_nothing_is_queued_when_it_can_not_be_known_whether_it_runs_already() -> None:
    for answer in (500, 404, "nowhere"):
        fake = ready("queued").gets(f"{RUNS}/{RUN_ID}", answer)
        with pytest.raises(ConnectorError):
            await act(fake)
        assert fake.count("POST") == 0


async def test_a_404_that_is_not_airflows_own_does_not_say_that_there_is_no_run() -> None:
    fake = ready("queued").gets(f"{RUNS}/{RUN_ID}", "nowhere")
    with pytest.raises(NotFound):
        await fake.actuator().find(KEY, a_dag())


async def test_an_airflow_too_old_to_be_told_the_interval_starts_nothing() -> None:
    old = httpx.Response(200, json={"version": "2.9.3"})
    fake = ready("queued").gets("version", lambda _: old)
    with pytest.raises(Rejected, match=r"2\.9\.3 can't be told .* Nothing was started"):
        await act(fake, a_dag(interval=DAY))
    assert fake.count("POST") == 0


async def test_an_airflow_that_became_a_3_since_starts_nothing() -> None:
    fake = FakeAirflow(3).posts("/auth/token", "token").gets(f"dags/{DAG}", "dag")
    with pytest.raises(Forbidden, match=r"Airflow 3\.3\.2 by now.* Nothing was started"):
        await act(fake)
    assert {r.method for r in fake.asked} == {"GET"}


async def test_an_upgrade_between_looking_and_queueing_finds_no_such_address() -> None:
    """Airflow 3 has nothing where a run of Airflow 2 is queued, so even this can't trigger it."""

    def upgraded(_: httpx.Request) -> httpx.Response:
        return response("v2_nowhere")

    fake = ready(upgraded)
    with pytest.raises(NotFound, match="Nothing was started"):
        await act(fake)


async def test_a_dag_that_dw_yml_does_not_name_never_reaches_the_wire() -> None:
    fake = FakeAirflow(2)
    with pytest.raises(Rejected, match=r"not among those dw\.yml lets it run"):
        await act(fake, a_dag("drop_everything"))
    assert fake.asked == []


async def test_what_airflow_echoes_of_our_password_is_told_to_nobody() -> None:
    echo = httpx.Response(400, json={"detail": "bad planted-secret", "status": 400})
    with pytest.raises(Rejected) as caught:
        await act(ready(lambda _: echo))
    assert "planted-secret" not in str(caught.value)
