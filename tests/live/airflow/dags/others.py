"""Small airflow dags: a mapped task that fails for one region, a green run that hides a failure, a paused one."""

import time
from datetime import datetime, timezone

from house import DAG, get_current_context, task, task_group

NEVER = {
    "schedule": None,
    "start_date": datetime(2026, 1, 1, tzinfo=timezone.utc),
    "catchup": False,
}

with DAG(dag_id="region_loads", **NEVER):

    @task(map_index_template="{{ region }}")
    def load_region(region):
        get_current_context()["region"] = region
        if region == "eu":
            raise ValueError("region eu: the stage refused")

    @task_group
    def load(regions):
        load_region.expand(region=regions)

    load(["us", "eu"])

with DAG(dag_id="masked_failure", **NEVER):

    @task
    def work():
        raise RuntimeError("boom")

    @task(trigger_rule="all_done")
    def cleanup():
        print("cleaned")

    work() >> cleanup()

with DAG(dag_id="paused_export", is_paused_upon_creation=True, **NEVER):

    @task
    def export():
        print("exported")

    export()

with DAG(dag_id="quick", **NEVER):

    @task
    def nap():
        time.sleep(0.1)

    nap()

with DAG(dag_id="untold", **NEVER):

    @task
    def breaks():
        raise ValueError("3,100,000 event ids are there twice")

    breaks()
