"""The closing record of the Monday night: complete, plain, chained, and short where it must be."""

import json
from dataclasses import replace
from datetime import datetime, timedelta

from policies import events as e
from policies.checks import CheckResult
from policies.incident import Incident
from policies.lifecycle import replay
from policies.plan import Plan
from policies.playbook import draft
from policies.receipt import GENESIS, body, seal, summary, verify
from policies.run import Run, RunState
from policies.standing import Refusal
from tests.building import NOW, a_decision, a_request, an_alert
from tests.policies import night

BACKFILL = (
    "Backfill raw_sessions, stg_sessions and fct_daily_active_users for 2026-09-28, in this order"
)
ROLLUPS = "Run growth_rollups_job for 2026-09-28"
DONE = datetime.fromisoformat("2026-09-29T07:38:00+00:00")


def run(run_id: str, job: str) -> Run:
    return Run(
        connection="dagster",
        id=run_id,
        job=job,
        state=RunState.SUCCEEDED,
        partition=night.DAY,
        ended_at=DONE,
    )


def measured(moment: str, passed: bool | None, words: str) -> CheckResult:
    return CheckResult(
        check="rows_vs_primary",
        passed=passed,
        measured=words,
        expected="28,300 rows",
        at=DONE,
        evidence_ids=("E1",),
        moment=moment,  # type: ignore[arg-type]
    )


def facts_of_the_night() -> list[e.Event]:
    incident = night.with_radius(night.diagnosed())
    plan = draft(incident, night.rules(), night.lineage(), {})
    assert isinstance(plan, Plan)
    asked = a_request(plan, "R1", step_ids=("backfill", "run_growth_rollups_job"))
    backfill, rollups = plan.steps[0].id, plan.steps[1].id
    late = an_alert(signal_key="Ev2", asset="fct_daily_active_users", title="late")
    refusal = Refusal(person="U0ELI", why="not entitled", who_may=("U0ANA",))
    ran = run("r2", "growth_rollups_job")
    return [
        e.IncidentOpened(alert=incident.alert, domain="growth", level="L2", channel="C0ALERTS"),
        *(e.EvidenceFound(evidence=piece) for piece in incident.evidence),
        e.Diagnosed(diagnosis=incident.diagnosis),
        e.RadiusDrawn(radius=incident.radius),
        e.ChecksRun(results=(measured("before", False, "23,100 of 28,300 rows"),)),
        e.Planned(plan=plan),
        e.ApprovalRequested(request=asked),
        e.AlertMatched(alert=late, because="downstream of raw_sessions"),
        e.DecisionRefused(request_id="R1", key="k", refusal=refusal),
        e.DecisionMade(request_id="R1", decision=a_decision(asked)),
        e.ApprovalGranted(request_id="R1"),
        e.StepReady(step_id=backfill),
        e.RunRecognised(step_id=backfill, run=run("r1", "__ASSET_JOB"), because="its partition"),
        e.StepDone(step_id=backfill),
        e.StepReady(step_id=rollups, results=(measured("gate", True, "passed"),)),
        e.ActionStarted(step_id=rollups, key="DW-3:x:y", approved_by=("U0ANA",), digest="sha256:x"),
        e.RunStarted(step_id=rollups, run=ran),
        e.StepDone(step_id=rollups, run=ran),
        e.VerificationStarted(step_ids=(backfill, rollups)),
        e.ChecksRun(results=(measured("after", True, "28,300 of 28,300 rows (100.0 %)"),)),
    ]


def journal(facts: list[e.Event]) -> tuple[Incident, list[e.Entry]]:
    step = timedelta(minutes=20)
    entries = [
        e.Entry(seq=n, at=NOW + step * n, event=fact) for n, fact in enumerate(facts, start=1)
    ]
    return replay("DW-3", entries), entries


def test_the_body_is_plain_json_and_can_be_sealed_and_checked() -> None:
    told = body(*journal(facts_of_the_night()))
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert verify([seal(1, "DW-3", GENESIS, told)]) is None


def test_it_says_why_who_what_and_with_which_numbers() -> None:
    told = body(*journal(facts_of_the_night()))
    assert told["cause"]["found"]["name"] == "source_replica_behind"
    cited = {finding["evidence"] for finding in told["cause"]["found"]["for"]}
    assert cited <= {piece["id"] for piece in told["evidence"]}
    assert [one["because"] for one in told["alerts"]] == [
        "it was the first",
        "downstream of raw_sessions",
    ]
    (decision,) = told["decisions"]
    assert (decision["person"], decision["choice"], decision["where"]) == ("U0ANA", "yes", "thread")
    assert (decision["right"], decision["delegate"]) == ("owner of raw_sessions", None)
    assert told["refused_attempts"][0]["why"] == "not entitled"
    assert [one["run"]["id"] for one in told["runs"]] == ["r1", "r2"]
    assert told["runs"][0]["recognised_because"] == "its partition"
    assert told["runs"][1]["approved_by"] == ["U0ANA"]
    assert [told["checks"][m][0]["passed"] for m in ("before", "gate", "after")] == [
        False,
        True,
        True,
    ]
    assert [one["step"] for one in told["undo"]] == ["backfill", "run_growth_rollups_job"]
    assert [(one["step"], one["follow_up"]) for one in told["open"]] == [("guard", True)]
    assert told["timeline"][-1]["fact"] == "ChecksRun"
    assert told["plan"]["steps"][2]["diff"] == night.GUARD


def test_the_summary_is_read_in_twenty_seconds() -> None:
    lines = summary(body(*journal(facts_of_the_night())))
    assert lines[0].startswith("DW-3: raw_sessions_complete failed on raw_sessions, 2026-09-29")
    assert lines[1:] == [
        "Cause: the source replica was behind when raw_sessions read it (95% sure)",
        "Reached: 3 held back and 1 due downstream of raw_sessions, read next at 09:30 UTC",
        "Decided: U0ANA said yes at 00:41 as owner of raw_sessions",
        f"Ran: {BACKFILL}: succeeded at 07:38; {ROLLUPS}: succeeded at 07:38",
        "Proof: rows_vs_primary passed: 28,300 of 28,300 rows (100.0 %)",
        "Open: Guard raw_sessions against loading from a replica that is behind (bo@example.com)",
    ]


def test_an_incident_that_was_handed_over_at_once_has_a_receipt_too() -> None:
    facts = [facts_of_the_night()[0], e.HandedOver(to="growth", why="nobody knows")]
    told = body(*journal(facts))
    assert (told["cause"], told["plan"], told["reach"], told["runs"]) == (None, None, None, [])
    lines = summary(told)
    assert len(lines) == 7
    assert lines[1:] == [
        "Cause: not known",
        "Reached: nothing downstream",
        "Decided: nobody decided",
        "Ran: nothing",
        "Proof: nothing was measured",
        "Handed over: nobody knows",
    ]


def test_a_step_that_somebody_marked_done_says_who() -> None:
    facts = facts_of_the_night()
    done = e.StepDone(step_id="backfill", by="U0ANA")
    until = facts.index(e.StepReady(step_id="backfill")) + 1
    incident, entries = journal([*facts[:until], done])
    (ran,) = body(incident, entries)["runs"]
    assert (ran["by"], ran["run"], ran["phase"]) == ("U0ANA", None, "done")
    assert "in this order: done" in summary(body(incident, entries))[4]


def test_what_could_not_be_known_is_in_the_record() -> None:
    incident, entries = journal(facts_of_the_night())
    unsure = replace(incident.diagnosis, causes=(), unknown=("how far it was",))
    told = body(replace(incident, diagnosis=unsure), entries)
    assert (told["cause"]["found"], told["cause"]["unknown"]) == (None, ["how far it was"])
    assert summary(told)[1] == "Cause: not known"


def test_it_tells_from_what_to_what_the_cause_moved_and_which_troubles_are_one_now() -> None:
    upstream = an_alert(signal_key="U", asset="shop", title="shop failed")
    other = an_alert(signal_key="B", asset="raw_payments", title="raw_payments failed")
    facts = [
        facts_of_the_night()[0],
        e.AlertMatched(alert=upstream, because="raw_sessions is built from shop", root=True),
        e.TookIn(incident="DW-7", alerts=(other,), because="raw_payments is built from shop"),
        e.Linked(incident="DW-8", because="the same asset shop"),
    ]
    told = body(*journal(facts))
    (moved,) = told["cause_moved"]
    assert moved["from"] == "raw_sessions_complete failed on raw_sessions"
    assert (moved["to"], moved["because"]) == ("shop failed", "raw_sessions is built from shop")
    assert [one["title"] for one in told["alerts"]][1:] == ["shop failed", "raw_payments failed"]
    first, cause, *_ = summary(told)
    assert first.endswith("; DW-7 joined it; DW-8 goes on beside it")
    assert "from raw_sessions_complete failed on raw_sessions to shop failed" in cause
