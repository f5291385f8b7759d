"""Messages of Airflow's own Slack notifier, in the wording its users copy from the documentation."""

import re

from policies.alert import Alert, AlertKind
from policies.recognise.airflow_pages import run_page
from policies.recognise.reading import Recogniser, opening, title
from policies.rules import AlertSender
from policies.run import within
from policies.signal import Signal

_FAILED = re.compile(
    r"Task [`*]*(?P<dag>[\w.\-]{1,250}?)\.(?P<task>[\w.\-]{1,250})[`*]* failed"
    r"(?: on try (?P<number>\d{1,4}))?(?: in run [`*]*(?P<run>[^\s`*]{1,250}))?"
)


def notifier(signal: Signal, sender: AlertSender) -> Alert | None:
    """`Task orders_daily.load_orders failed on try 3 in run …`.

    DAG and task ids may both hold dots: the link tells where one ends, the first dot only without it.
    """
    head = opening(signal, _FAILED)
    if head is None:
        return None
    whole = f"{head['dag']}.{head['task']}"
    page = run_page(signal)
    told = page if page and page.task and whole == f"{page.dag}.{page.task}" else None
    dag, op = (told.dag, told.task or "") if told else (head["dag"], head["task"])
    run_id = within(dag, head["run"]) if head["run"] else told.run_id if told else None
    numbered = {"try_number": head["number"]} if head["number"] else {}
    return Alert(
        signal_key=signal.key,
        system=sender.system,
        connection=sender.connection,
        kind=AlertKind.OP_FAILED,
        title=title(AlertKind.OP_FAILED, job=dag, asset=None, op=op),
        job=dag,
        op=op,
        run_id=run_id,
        step_keys=(op,),
        url=told.url if told and told.run_id in (None, run_id) else None,
        extra=numbered | (dict(told.extra) if told else {}),
    )


RECOGNISERS: tuple[Recogniser, ...] = (notifier,)
