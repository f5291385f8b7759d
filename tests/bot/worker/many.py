"""Troubles of one cause, as journals: in each Ana is asked for a rerun of another part."""

from dataclasses import replace
from datetime import datetime

from policies import events as e
from tests.building import (
    a_diagnosis,
    a_plan,
    a_radius,
    a_request,
    a_step,
    an_alert,
    opened,
)


def a_rerun(name: str, number: int, now: datetime, because: str = "") -> tuple[e.Event, ...]:
    """The journal of one of them, until Ana was asked."""
    plan = a_plan(a_step(doer="person", params={"partition": f"part-{number}"}))
    request = a_request(plan, f"{name}-R1", asked_at=now, deadline=now.replace(hour=23))
    diagnosis = a_diagnosis()
    if because:
        diagnosis = replace(diagnosis, causes=(replace(diagnosis.causes[0], says=because),))
    return (
        replace(opened(), alert=an_alert(signal_key=f"Ev{number}", partition=f"part-{number}")),
        e.Diagnosed(diagnosis=diagnosis),
        e.RadiusDrawn(radius=a_radius()),
        e.Planned(plan=plan),
        e.ApprovalRequested(request=request),
        e.PeopleAsked(request_id=request.id, hop=0, people=("U0ANA",)),
    )
