"""Tells dw how tasks and DAG runs ended. For Airflow 2 and 3; it needs nothing that Airflow does not bring.

Put this file beside your DAGs, set DW_HOOK_URL (https://<dw>/hooks/<name>) and DW_HOOK_SECRET in the environment of
the workers, the scheduler and (Airflow 3) the DAG processor, and name it in a DAG:

    import dw_callback

    with DAG(
        ...,
        default_args={"on_failure_callback": dw_callback.task_failed},
        on_failure_callback=dw_callback.run_failed,
        on_success_callback=dw_callback.run_succeeded,   # so that dw hears of the end of the trouble
    ):

Airflow calls these when an end is final: a task that will be tried again tells nothing. A callback that can't reach
dw logs that, and never changes what becomes of the task or the run.
"""

import hashlib
import hmac
import json
import logging
import os
import time
import urllib.error
import urllib.request
from datetime import datetime, timezone

log = logging.getLogger("dw_callback")
TRIES, PAUSE, PATIENCE = 3, 2.0, 5.0


def task_failed(context):
    """A task failed for good."""
    _tell("failed", context, _task(context))


def run_failed(context):
    """A DAG run failed."""
    _tell("failed", context, {})


def run_succeeded(context):
    """A DAG run ended well."""
    _tell("success", context, {})


def _task(context):
    ti = context.get("task_instance") or context["ti"]
    return {
        "task_id": ti.task_id,
        "map_index": getattr(ti, "map_index", -1),
        "try_number": ti.try_number,
        "log_url": getattr(ti, "log_url", None),
    }


def _tell(state, context, task):
    run = context["dag_run"]
    logical = getattr(run, "logical_date", None) or getattr(run, "execution_date", None)
    body = {
        "dag_id": run.dag_id,
        "run_id": run.run_id,
        "state": state,
        "logical_date": logical.isoformat() if logical else None,
        "at": datetime.now(timezone.utc).isoformat(),
        **task,
    }
    try:
        send(json.dumps(body).encode(), os.environ["DW_HOOK_URL"], os.environ["DW_HOOK_SECRET"])
    except Exception as error:  # whatever it is, the run must not suffer from it
        log.warning("dw was not told of %s/%s: %s", run.dag_id, run.run_id, error)


def send(body, url, secret):
    """Signed anew each time: dw refuses a time that is more than five minutes old."""
    for left in reversed(range(TRIES)):
        at = str(int(time.time()))
        signed = at.encode() + b"." + body
        signature = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
        headers = {
            "Content-Type": "application/json",
            "X-DW-Timestamp": at,
            "X-DW-Signature": f"v1={signature}",
        }
        request = urllib.request.Request(url, body, headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE):
                return
        except urllib.error.HTTPError as error:
            if error.code < 500 or not left:
                raise RuntimeError(f"{error.code} {error.read(500).decode(errors='replace')}") from None
        except OSError:
            if not left:
                raise
        time.sleep(PAUSE)
