"""Where a person sees the same: addresses of Airflow's own pages."""

import json
from collections.abc import Mapping
from urllib.parse import urlencode

from pydantic import JsonValue

from connectors.airflow.answers import Version
from connectors.airflow.api import segment

_OLD = 2


def dag_page(base: str, version: Version, dag: str) -> str:
    """A DAG."""
    return f"{base}/dags/{segment(dag)}" + ("/grid" if version.major == _OLD else "")


def run_page(base: str, version: Version, run_id: str) -> str:
    """A run, by `dag/run id`."""
    dag, _, run = run_id.partition("/")
    if version.major == _OLD:
        return f"{dag_page(base, version, dag)}?{urlencode({'dag_run_id': run})}"
    return f"{dag_page(base, version, dag)}/runs/{segment(run)}"


def form_page(base: str, version: Version, dag: str, conf: Mapping[str, JsonValue]) -> str:
    """Where a person starts a run: Airflow 2 fills in the form, Airflow 3 has it behind a button."""
    if version.major == _OLD:
        return f"{base}/dags/{segment(dag)}/trigger?{urlencode({'conf': json.dumps(conf)})}"
    return dag_page(base, version, dag)
