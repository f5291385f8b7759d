"""Messages of dagster-slack: the run failure sensor, and the hooks on ops."""

import re

from policies.alert import Alert, AlertKind
from policies.recognise.reading import Recogniser, opening, run_link, title
from policies.rules import AlertSender
from policies.signal import Signal

_SENSOR = re.compile(r'Job "(?P<job>[^"\n]{1,300})" failed\. `(?P<short>[0-9a-f]{8})`')
_STEPS = re.compile(r"Error: ```.{0,400}?Steps failed: \[(?P<steps>[^\]\n]{1,2000})\]", re.DOTALL)
_STEP = re.compile(r"'([^']+)'")
_HOOK = re.compile(
    r"Op (?P<op>\S{1,300}) on job (?P<job>\S{1,300}) (?P<verb>failed|succeeded)!\s+"
    r"Run ID: (?P<run>[0-9a-f]{8}-[0-9a-f-]{27})"
)


def sensor(signal: Signal, sender: AlertSender) -> Alert | None:
    """`Job "orders_job" failed. 5f1d2c9e`, with a button to the run where it was not cut off."""
    head = opening(signal, _SENSOR)
    if head is None:
        return None
    run, steps = run_link(signal, head["short"]), opening(signal, _STEPS)
    return Alert(
        signal_key=signal.key,
        system=sender.system,
        connection=sender.connection,
        kind=AlertKind.RUN_FAILED,
        title=title(AlertKind.RUN_FAILED, job=head["job"], asset=None),
        job=head["job"],
        run_id=run.run_id if run else None,
        run_id_short=head["short"],
        step_keys=tuple(_STEP.findall(steps["steps"])) if steps else (),
        deployment=run.deployment if run else None,
        url=run.url if run else None,
    )


def hook(signal: Signal, sender: AlertSender) -> Alert | None:
    """`Op dbt_orders on job orders_job failed!` and its good twin, with the whole run id."""
    head = opening(signal, _HOOK)
    if head is None:
        return None
    failed = head["verb"] == "failed"
    kind = AlertKind.OP_FAILED if failed else AlertKind.SUCCESS
    run = run_link(signal, head["run"])
    return Alert(
        signal_key=signal.key,
        system=sender.system,
        connection=sender.connection,
        kind=kind,
        title=title(kind, job=head["job"], asset=None, op=head["op"]),
        job=head["job"],
        op=head["op"],
        run_id=head["run"],
        step_keys=(head["op"],) if failed else (),
        deployment=run.deployment if run else None,
        url=run.url if run else None,
    )


RECOGNISERS: tuple[Recogniser, ...] = (sensor, hook)
