"""A webhook, a Slack alert and a poll of one run answer to a common fingerprint."""

import pytest

from policies.alert import Alert, AlertKind
from policies.correlation import keys
from policies.recognise import recognise
from policies.rules import AlertSender
from policies.signal import Sender
from tests.policies.flat import message
from tests.policies.hooks import deliveries as d

LINES = (
    "Flow run orders-flow/amber-lynx observed in state `Failed` at 2026-09-28T02:07:41+00:00.",
    f"Flow ID: {d.RUN}",
    f"Flow run ID: {d.RUN}",
)
LOG = f"https://airflow.example.com/dags/orders_daily/runs/{d.AF_RUN}/tasks/load_orders"
SLACK = {
    "airflow": ("airflow", ["Task `orders_daily.load_orders` failed on try 3"], LOG),
    "astro": (
        "astro",
        [
            "Pipeline failure detected on DAG orders_daily",
            "*DAG Start Time*\n2026-09-28 02:00:03 UTC",
            "*DAG Fail Time*\n2026-09-28 02:07:41 UTC",
        ],
        d.ASTRO_PAGE,
    ),
    "dagsterplus": (
        "dagsterplus",
        ["Job sessions_job failed"],
        f"https://acme.dagster.cloud/prod/runs/{d.RUN}",
    ),
    "dbt_cloud": ("dbt_cloud", ['Run #70403110001 failed on Job "Daily build"'], None),
    "prefect": ("prefect", ["\n".join(LINES)], None),
}
RUNS = {
    "airflow": ("orders_daily", f"orders_daily/{d.AF_RUN}"),
    "astro": ("orders_daily", f"orders_daily/{d.AF_RUN}"),
    "alertmanager": ("orders_daily", f"orders_daily/{d.AF_RUN}"),
    "openlineage": ("orders_daily", f"orders_daily/{d.AF_RUN}"),
    "dagsterplus": ("sessions_job", d.RUN),
    "dbt_cloud": ("Daily build", "70403110001"),
    "prefect": ("orders-flow/prod", d.RUN),
}


def posted(kind: str) -> Alert:
    system, texts, link = SLACK[kind]
    sender = AlertSender(app_id="A0X", system=system, connection=d.ABOUT.get(kind, "airflow"))
    signal = message(*texts, app_id="A0X", buttons={"View": link} if link else None)
    alert = recognise(signal, (sender,), Sender())
    assert isinstance(alert, Alert), alert
    return alert


def polled(kind: str) -> Alert:
    """What a look at the orchestrator tells of the run."""
    job, run_id = RUNS[kind]
    return Alert(
        signal_key=f"poll:{run_id}",
        system="any",
        connection=d.ABOUT.get(kind, "airflow"),
        kind=AlertKind.RUN_FAILED,
        title=f"{job} failed",
        job=job,
        run_id=run_id,
        partition="2026-09-28",
        extra={
            "started_at": "2026-09-28T02:00:03+00:00",
            "ended_at": "2026-09-28T02:07:41+00:00",
            "logical_date": "2026-09-28T02:00:00+00:00",
        },
    )


@pytest.mark.parametrize("kind", sorted(RUNS))
def test_the_poll_of_the_run_is_the_same_trouble(kind: str) -> None:
    assert set(keys(d.alert(kind))) & set(keys(polled(kind)))


@pytest.mark.parametrize("kind", sorted(SLACK))
def test_the_alert_in_slack_is_the_same_trouble_in_any_order(kind: str) -> None:
    told, said, seen = (set(keys(one)) for one in (d.alert(kind), posted(kind), polled(kind)))
    assert told & said
    assert said & seen


def test_an_older_alert_of_astro_is_known_by_when_it_ran() -> None:
    body = {**d.FAILED["astro"], "airflowDagRunId": None}
    alert = d.alert("astro", body)
    assert set(keys(alert)) & set(keys(polled("astro")))
    assert set(keys(alert)) & set(keys(posted("astro")))


@pytest.mark.parametrize("kind", ["pagerduty", "grafana", "alertmanager"])
def test_the_good_news_of_a_monitor_find_its_bad_news(kind: str) -> None:
    bad, good = d.alert(kind), d.alert(kind, d.GOOD[kind])
    assert keys(bad)
    assert set(keys(bad)) & set(keys(good))


@pytest.mark.parametrize("kind", ["airflow", "openlineage"])
def test_another_run_of_the_job_shares_no_run(kind: str) -> None:
    other = d.alert(
        "airflow", {**d.FAILED["airflow"], "run_id": "manual__2026-09-29T00:00:00+00:00"}
    )
    shared = set(keys(d.alert(kind))) & set(keys(other))
    assert not [key for key in shared if ":run:" in key]
