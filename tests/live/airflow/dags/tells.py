"""An airflow dag that tells dw how it ends, with the callback that the documents give."""

from datetime import datetime, timedelta, timezone

import dw_callback
from house import DAG, task

with DAG(
    dag_id="tells_dw",
    schedule=None,
    start_date=datetime(2026, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    default_args={
        "retries": 1,
        "retry_delay": timedelta(seconds=1),
        "on_failure_callback": dw_callback.task_failed,
    },
    on_failure_callback=dw_callback.run_failed,
    on_success_callback=dw_callback.run_succeeded,
):

    @task
    def breaks():
        raise ValueError("no rows for the day")

    breaks()
