"""The Monday night as a journal: every fact of the story in order, and how things stood after each."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from bot.ports import Copy, Showing, Stop
from policies import escalation, lifecycle
from policies import events as e
from policies.approval import ApprovalRequest
from policies.checks import CheckResult
from policies.events import Entry
from policies.incident import Incident
from policies.people import Seat
from policies.playbook import draft
from policies.run import Run, RunState
from policies.standing import Refusal
from tests.building import ANA, NOW, a_decision, an_alert, opened
from tests.policies import night

DAY = night.DAY
BACKFILL = Run(
    connection="dagster",
    id="abcd1234-0000",
    job="__ASSET_JOB",
    state=RunState.SUCCEEDED,
    url="http://127.0.0.1:3000/runs/abcd1234-0000",
    partition=DAY,
)
ROLLUPS = replace(BACKFILL, id="beef5678-0000", job="growth_rollups_job", partition=None)
CHECK = CheckResult(
    check="rows_vs_primary", passed=True, measured="28,300 rows", expected="28,300", at=NOW
)
STOP = Stop(by="U0DEE", at=NOW, reason="a deploy is going on")
CARD = Copy(
    incident_id="DW-3", name="card", channel="C0ALERTS", ts="1.000100", thread_ts=None, shown=""
)


def planned_incident() -> Incident:
    known = night.with_radius(night.diagnosed())
    plan = draft(known, night.rules(), night.lineage(), {"growth_rollups_job": "4"})
    assert plan is not None
    return lifecycle.advance(replace(known, phase=lifecycle.P.DIAGNOSED), e.Planned(plan=plan), NOW)


def the_night() -> list[e.Event]:
    """The facts from the alert to the receipt, with every detour that leaves the story on its way."""
    incident = planned_incident()
    assert incident.plan is not None
    domain = night.rules().domains["growth"]
    first, *others = escalation.requests(incident, incident.plan, domain, NOW)
    assert not others
    own, bot = (step.id for step in incident.plan.steps if not step.follow_up)
    return [*_found(incident), *_asking(first), *_repairing(own, bot, first.digest)]


def _found(incident: Incident) -> list[e.Event]:
    assert incident.plan is not None
    assert incident.diagnosis is not None
    assert incident.radius is not None
    before = replace(CHECK, passed=False, measured="23,100 rows", moment="before")
    return [
        replace(opened(), alert=incident.alert),
        *(e.EvidenceFound(evidence=found) for found in incident.evidence),
        e.Diagnosed(diagnosis=incident.diagnosis),
        e.ChecksRun(results=(before,)),
        e.RadiusDrawn(radius=incident.radius),
        e.Planned(plan=incident.plan),
    ]


def _asking(request: ApprovalRequest) -> list[e.Event]:
    rid, oncall = request.id, Seat(kind="group", ref="@data-oncall", because="next in the chain")
    late = an_alert(title="fct missed its freshness")
    deadline = NOW + timedelta(minutes=8)
    return [
        e.ApprovalRequested(request=request),
        e.PeopleAsked(request_id=rid, hop=0, people=(ANA,)),
        e.AlertMatched(alert=late, because="it is downstream"),
        e.MailRefused(request_id=rid, person=ANA, why="550 <no> such mailbox"),
        e.QuestionAsked(request_id=rid, person=ANA, text="was the <schema> changed?"),
        e.DecisionRefused(request_id=rid, key="k", refusal=_refusal()),
        e.Reminded(request_id=rid),
        e.Escalated(request_id=rid, hop=1, to=oncall, deadline=deadline),
        e.PeopleAsked(request_id=rid, hop=1, people=("U0CLEO",)),
        e.HandedOn(request_id=rid, by="U0CLEO", to=ANA, deadline=deadline),
        e.DecisionMade(request_id=rid, decision=a_decision(request, where="C0ALERTS")),
        e.ApprovalGranted(request_id=rid),
        e.DecisionRevoked(request_id=rid, key=f"click:{ANA}:yes", person=ANA, deadline=deadline),
        e.DecisionMade(request_id=rid, decision=a_decision(request, where="C0ALERTS", key="again")),
        e.ApprovalGranted(request_id=rid),
    ]


def _repairing(own: str, bot: str, digest: str) -> list[e.Event]:
    failed = replace(BACKFILL, id="dead0000-0000", state=RunState.FAILED)
    return [
        e.StepReady(step_id=own),
        e.RunRecognised(step_id=own, run=failed, because="it builds raw_sessions"),
        e.PersonRunFailed(step_id=own, run=failed, why="Dagster says FAILURE"),
        e.RunRecognised(step_id=own, run=BACKFILL, because="it builds raw_sessions"),
        e.StepDone(step_id=own, run=BACKFILL),
        e.StepHeld(step_id=bot, why="everything is stopped"),
        e.StepReady(step_id=bot, results=(replace(CHECK, moment="gate"),)),
        e.ActionStarted(step_id=bot, key="DW-3:x:y", approved_by=(ANA,), digest=digest),
        e.ActionUncertain(step_id=bot, why="Dagster did not answer in time"),
        e.RunStarted(step_id=bot, run=replace(ROLLUPS, state=RunState.QUEUED), adopted=True),
        e.StepDone(step_id=bot, run=ROLLUPS),
        e.VerificationStarted(step_ids=(own, bot)),
        e.ChecksRun(results=(CHECK,)),
        e.ReceiptIssued(number=1, hash="sha256:" + "a" * 64),
        e.IncidentResolved(receipt=1),
    ]


def endings() -> list[list[e.Event]]:
    """The same night with every other ending."""
    told = the_night()
    at = next(i for i, event in enumerate(told) if isinstance(event, e.DecisionMade))
    asked, request = told[:at], told[at].request_id  # type: ignore[union-attr]
    no = a_decision(_requested(told).request, choice="no", reason="the cause is wrong")
    step = next(x for x in told if isinstance(x, e.ActionStarted)).step_id
    started = told[: [type(x) for x in told].index(e.ActionStarted) + 1]
    handed = e.HandedOver(to="dee@example.com", why="the rollups failed")
    return [
        [
            *asked,
            e.DecisionMade(request_id=request, decision=no),
            e.RequestRefused(request_id=request),
        ],
        [*asked, e.RequestExpired(request_id=request)],
        [*asked, e.RequestVoided(request_id=request, why="it now reaches more: dim_users")],
        [*started, e.StepFailed(step_id=step, why="out of memory", run=ROLLUPS), handed, _lower()],
        [told[0], e.Observed(level="L0", owner="ana@example.com")],
        [*_investigating(told), *_watched(step)],
        [told[0], e.Dismissed(by=ANA, reason="a planned load test")],
        [told[0], e.Settled(why="growth_rollups_job began after all")],
        [told[0], e.Diagnosed(diagnosis=_nothing())],
        [told[0], e.HandedOver(to=ANA, why="no plan"), e.Reopened(why="it began further up")],
        *_of_one_cause(told[0], asked, request),
    ]


def _of_one_cause(first: e.Event, asked: list[e.Event], request: str) -> list[list[e.Event]]:
    because = "raw_<sessions> is built from shop.sessions"
    void = e.RequestVoided(request_id=request, why=f"this is one cause with DW-9: {because}")
    other = an_alert(signal_key="Ev9", asset="board_pack", title="board_pack <failed>")
    return [
        [*asked, void, e.Joined(into="DW-9", because=because)],
        [first, e.TookIn(incident="DW-7", alerts=(other,), because=because)],
        [first, e.Linked(incident="DW-8", because=because)],
    ]


def _lower() -> e.LevelLowered:
    return e.LevelLowered(change_class="run_job", was="L3", level="L2", why="out of <memory>")


def _investigating(told: list[e.Event]) -> list[e.Event]:
    return told[: [type(x) for x in told].index(e.ApprovalRequested)]


def _watched(step: str) -> list[e.Event]:
    would = ((step, "would ask <ana@example.com>; would queue growth_rollups_job"),)
    return [
        e.Observed(level="L1", owner="ana@example.com", would=would),
        e.ShadowSeen(step_id=step, change_class="run_job", run=ROLLUPS),
    ]


def standing(events: list[e.Event]) -> Iterator[tuple[Incident, tuple[Entry, ...]]]:
    """The incident and its journal after each fact."""
    first = events[0]
    assert isinstance(first, e.IncidentOpened)
    incident = lifecycle.open_incident("DW-3", first, NOW)
    entries = [Entry(seq=1, at=NOW, event=first)]
    yield incident, tuple(entries)
    for seq, event in enumerate(events[1:], start=2):
        at = NOW + timedelta(seconds=seq)
        incident = lifecycle.advance(incident, event, at)
        entries.append(Entry(seq=seq, at=at, event=event))
        yield incident, tuple(entries)


def stages() -> list[Showing]:
    """Every stage of every night, running and stopped."""
    nights = [the_night(), *endings()]
    return [
        showing(incident, entries, stopped)
        for events in nights
        for incident, entries in standing(events)
        for stopped in (None, STOP)
    ]


def showing(
    incident: Incident, entries: tuple[Entry, ...] = (), stopped: Stop | None = None, **more: object
) -> Showing:
    known = {"name": "card", "copy": None, "card": CARD, "now": NOW, **more}
    return Showing(incident=incident, entries=entries, stopped=stopped, **known)  # type: ignore[arg-type]


def asked_stage() -> Showing:
    """How it stands while Ana is asked."""
    return next(s for s in stages() if isinstance(s.entries[-1].event, e.PeopleAsked))


def _requested(events: list[e.Event]) -> e.ApprovalRequested:
    return next(x for x in events if isinstance(x, e.ApprovalRequested))


def _refusal() -> Refusal:
    return Refusal(person="U0ELI", why="not among those who may decide", who_may=(ANA,))


def _nothing() -> object:
    return replace(night.diagnosed().diagnosis, causes=(), unknown=("app_replica: down",))  # type: ignore[type-var]
