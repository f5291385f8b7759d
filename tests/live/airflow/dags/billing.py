"""An airflow dag of the story: it fails unless a run says `duplicates: false`, as after the clean-up."""

from datetime import datetime, timedelta, timezone

from house import DAG, Param, get_current_context, task

with DAG(
    dag_id="usage_billing_daily",
    schedule="@daily",
    start_date=datetime(2026, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    max_active_runs=4,
    default_args={"retries": 1, "retry_delay": timedelta(seconds=2)},
    params={
        "duplicates": Param(True, type="boolean"),
        "usage_date": Param(None, type=["null", "string"], pattern=r"^\d{4}-\d{2}-\d{2}$"),
    },
):

    @task
    def stg_usage_events():
        context = get_current_context()
        print("connecting with password=planted-in-the-log")
        print(f"ds={context.get('ds')} usage_date={context['params']['usage_date']}")
        if context["params"]["duplicates"]:
            raise ValueError("3,100,000 event ids are there twice")

    @task(retries=0)
    def fct_daily_usage():
        print("built")

    @task(retries=0)
    def push_usage_to_stripe():
        print("pushed")

    stg_usage_events() >> fct_daily_usage() >> push_usage_to_stripe()
