"""Plans for other nights, owners found and not found, and when there is no plan."""

from dataclasses import replace
from typing import Any

from policies.evidence import Cause, Diagnosis
from policies.incident import Incident
from policies.lineage import Lineage
from policies.plan import Plan, digest
from policies.playbook import NoPlan, draft
from policies.rules import Rules
from tests.building import an_alert
from tests.policies import night

RAW = "raw_sessions"
CHAIN_OF_OWNER = [{"who": "owner", "within": "5m"}]


def drafted(
    start: Incident | None = None,
    rules: Rules | None = None,
    lineage: Lineage | None = None,
    built: dict[str, Any] | None = None,
) -> Plan | NoPlan:
    known, whole = rules or night.rules(), lineage or night.lineage()
    incident = night.with_radius(start or night.diagnosed(known=known), whole, known, built)
    return draft(incident, known, whole, {})


def plan(**changes: Any) -> Plan:
    found = drafted(**changes)
    assert isinstance(found, Plan)
    return found


def why(**changes: Any) -> str:
    found = drafted(**changes)
    assert isinstance(found, NoPlan)
    return found.why


def caused_by(name: str, says: str = "it broke", **alert: Any) -> Incident:
    diagnosis = Diagnosis(causes=(Cause(name=name, says=says, confidence=0.9),))
    return replace(night.diagnosed(alert=an_alert(**alert)), diagnosis=diagnosis)


def jobs(**more: Any) -> Rules:
    connections = night.dw_yml()["connections"]
    dagster = connections["dagster"]
    named = {**dagster, "jobs": {**dagster["jobs"], **more}}
    return night.rules(connections={**connections, "dagster": named})


def test_what_is_repaired_already_leaves_the_digest_as_it_was() -> None:
    before = plan()
    at = {key: f"2026-09-29T07:3{n}:00Z" for n, key in enumerate((RAW, "stg_sessions"))}
    after = plan(built=night.states(**at))
    joined = replace(
        night.diagnosed(), alerts=(an_alert(), an_alert(signal_key="Ev2", asset="x", partition="y"))
    )
    for again in (after, plan(start=joined)):
        assert digest(again.steps, again.reach) == digest(before.steps, before.reach)


def test_a_replica_that_is_still_behind_is_the_risk_of_the_backfill() -> None:
    behind = night.answers(app_replica__rows_of_day={"rows": 25000, "last": None})
    assert (
        plan(start=night.diagnosed(behind))
        .steps[0]
        .risk.startswith("the replica is still behind: look first")
    )
    silent = night.answers(app_replica__rows_of_day="down")
    assert (
        plan(start=night.diagnosed(silent))
        .steps[0]
        .risk.startswith("nobody knows how far the replica is")
    )


def test_what_was_built_elsewhere_from_the_bad_load_is_rebuilt_by_its_owner_first() -> None:
    lineage = night.lineage((RAW, "fct_adoption"), fct_adoption="eli@example.com")
    built = night.states(fct_adoption="2026-09-29T04:00:00Z")
    steps = {step.id: step for step in plan(lineage=lineage, built=built).steps}
    rebuild = steps["rebuild_fct_adoption"]
    assert (rebuild.owner, rebuild.owner_because) == (
        "eli@example.com",
        "owner of fct_adoption, from dagster",
    )
    assert rebuild.params == {"assets": ["fct_adoption"]}
    assert steps["run_growth_rollups_job"].after == ("backfill", "rebuild_fct_adoption")


def test_the_backfill_goes_from_source_to_reader_even_across_a_diamond() -> None:
    lineage = night.lineage((RAW, "fct_daily_active_users"))
    assert plan(lineage=lineage).steps[0].params["assets"] == [
        RAW,
        "stg_sessions",
        "fct_daily_active_users",
    ]


def test_a_cycle_in_the_lineage_still_gives_a_plan() -> None:
    lineage = night.lineage(("fct_daily_active_users", "stg_sessions"))
    assert plan(lineage=lineage).steps[0].params["assets"][0] == RAW


def test_without_the_run_everything_that_waits_is_backfilled() -> None:
    start = night.diagnosed(night.answers(dagster__run_failure="gone"))
    assert plan(start=start).steps[0].params["assets"] == [
        RAW,
        "stg_sessions",
        "fct_daily_active_users",
    ]


def test_jobs_run_in_the_order_of_what_they_build_each_after_what_it_needs() -> None:
    later = {"builds": ["agg_monthly"], "after": ["agg_weekly_engagement"], "config": {"days": 1}}
    lineage = night.lineage(("agg_weekly_engagement", "agg_monthly"))
    steps = plan(rules=jobs(monthly_job=later, other_job={"builds": ["z"]}), lineage=lineage).steps
    assert [step.id for step in steps] == [
        "backfill",
        "run_growth_rollups_job",
        "run_monthly_job",
        "guard",
    ]
    assert steps[2].after == ("backfill", "run_growth_rollups_job")
    assert steps[2].params["config"] == {"days": 1}


def test_one_trouble_is_one_question_unless_dw_yml_names_somebody_for_the_job() -> None:
    dagster_says = night.lineage(agg_weekly_engagement="bo@example.com")
    assert plan(lineage=dagster_says).steps[1].owner_because == "owner of raw_sessions, from dw.yml"
    by_job = night.rules_for(owners={"growth_rollups_job": "dee@example.com", "raw*": "ana"})
    assert plan(rules=by_job).steps[1].owner_because == ("owner of growth_rollups_job, from dw.yml")


def test_where_dw_yml_is_silent_the_owner_in_dagster_is_asked() -> None:
    silent = night.rules_for(owners={})
    told = night.lineage(raw_sessions="ana@example.com", agg_weekly_engagement="bo@example.com")
    backfill, rollups, _ = plan(rules=silent, lineage=told).steps
    assert backfill.owner_because == "owner of raw_sessions, from dagster"
    assert rollups.owner_because == "owner of agg_weekly_engagement, from dagster"


def test_a_team_of_dagster_is_nobody_so_the_chain_is_asked() -> None:
    found = plan(
        rules=night.rules_for(owners={}), lineage=night.lineage(raw_sessions="team:growth")
    )
    assert (found.steps[0].owner, found.steps[0].owner_because) == (
        "@data-oncall",
        "nobody is named for raw_sessions; first in the chain of growth",
    )


def test_when_nobody_can_be_asked_there_is_no_plan() -> None:
    lonely = night.rules_for(owners={}, chain=CHAIN_OF_OWNER)
    assert "Nobody can be asked: dw.yml names no owner for raw_sessions" in why(rules=lonely)
    named = night.rules_for(owners={RAW: "ana@example.com"}, chain=CHAIN_OF_OWNER)
    assert [step.owner for step in plan(rules=named).steps[:2]] == ["ana@example.com"] * 2


def test_a_guard_is_drafted_only_where_dw_yml_holds_one() -> None:
    bare = night.with_asset(RAW, guard=None)
    assert [step.id for step in plan(rules=bare).steps] == ["backfill", "run_growth_rollups_job"]
    ownerless = night.with_asset(RAW, code_owner=None, code=None)
    guard = plan(rules=ownerless).steps[-1]
    assert (guard.owner, guard.params) == ("ana@example.com", {})


def test_a_failed_named_job_may_be_run_again_without_a_gate() -> None:
    run = night.failed_run(
        job="growth_rollups_job",
        checks=[],
        assets_planned=["agg_weekly_engagement"],
        assets_materialized=[],
        steps_failed=[{"step": "agg_weekly_engagement", "error": "IOError: disk is full"}],
    )
    bare = an_alert(asset=None, check=None, partition=None)
    start = night.diagnosed({("dagster", "run_failure"): run}, alert=bare)
    (step,) = plan(start=start).steps
    assert (step.action, step.gate, step.after) == ("run_job", (), ())
    assert step.why == (
        "step agg_weekly_engagement raised IOError: disk is full; "
        "if that was a passing fault, running it again is enough"
    )


def test_a_named_job_whose_failure_nobody_understands_may_be_run_again_too() -> None:
    bare = an_alert(job="growth_rollups_job", asset=None, check=None, partition=None)
    found = plan(start=night.diagnosed({}, alert=bare))
    assert found.steps[0].why.startswith("no cause is known")
    assert found.steps[0].params == {"job": "growth_rollups_job"}
    assert found.cause == "not known"


def test_a_named_job_that_nobody_owns_is_handed_over() -> None:
    start = night.diagnosed({}, alert=an_alert(job="growth_rollups_job", asset=None, check=None))
    lonely = night.rules_for(owners={}, chain=CHAIN_OF_OWNER)
    assert "names no owner for growth_rollups_job" in why(start=start, rules=lonely)


def test_a_late_asset_is_built_by_the_job_that_dw_yml_names_for_it() -> None:
    late = caused_by("asset_stale", asset="agg_weekly_engagement", run_id=None, check=None)
    late = replace(late, evidence=())
    (step,) = plan(start=late).steps
    assert step.id == "run_growth_rollups_job"
    other = replace(caused_by("asset_stale", asset="x", run_id=None), evidence=())
    assert "no job that dw.yml lets the bot run builds x" in why(start=other)


def test_other_failures_are_handed_to_a_person_with_what_is_known() -> None:
    start = caused_by("step_error", "step load raised ValueError", url="https://d.example/runs/1")
    told = why(start=start)
    assert told.startswith("Step load raised ValueError. Nothing was started: sessions_job is not")
    assert told.endswith("Look at https://d.example/runs/1")
    bare = an_alert(asset=None, check=None, run_id=None, connection="dagster")
    told = why(start=night.diagnosed({}, alert=bare))
    assert told.startswith("No cause fits what could be read. Not known: which run it was")
    assert told.endswith("nothing tells which job it was. Look for it in dagster.")
    undiagnosed = replace(night.incident(bare), diagnosis=None)
    assert why(start=undiagnosed).startswith("No cause fits what could be read. Nothing was")


def test_a_short_source_and_changed_code_are_not_loaded_again() -> None:
    assert "Loading it again would bring the same rows" in why(
        start=caused_by("source_incomplete", "the source is short")
    )
    assert "mend it or revert it" in why(start=caused_by("code_changed", "the code changed"))


def test_without_checks_of_the_domain_the_failed_check_is_the_proof() -> None:
    told = plan(rules=night.rules_for(checks=[]))
    assert [check.says for check in told.checks] == [
        "raw_sessions_complete passes on raw_sessions for 2026-09-28"
    ]


def test_without_any_check_there_is_no_gate_and_nothing_to_prove_with() -> None:
    start = night.diagnosed(night.answers(dagster__run_failure="gone"), alert=an_alert(check=None))
    told = plan(start=start, rules=night.rules_for(checks=[]))
    assert (told.checks, told.steps[1].gate) == ((), ())


def test_an_orchestrator_without_an_address_gives_no_links() -> None:
    connections = night.dw_yml()["connections"]
    bare = {**connections, "dagster": {**connections["dagster"], "url": None}}
    assert plan(rules=night.rules(connections=bare)).steps[0].link is None


def test_an_alert_about_an_unknown_connection_still_gives_a_plan() -> None:
    other = night.diagnosed({}, alert=an_alert(connection="gone", job="growth_rollups_job"))
    assert "is not among the jobs" in why(start=other)


def test_a_plan_drafted_again_has_the_next_version() -> None:
    first = plan()
    again = replace(night.with_radius(night.diagnosed()), plan=first)
    assert draft(again, night.rules(), night.lineage(), {}).version == 2


def test_without_a_radius_the_plan_reaches_the_asset_alone() -> None:
    found = draft(night.diagnosed(), night.rules(), night.lineage(), {})
    assert isinstance(found, Plan)
    assert found.reach == (RAW,)
    assert [step.id for step in found.steps] == ["backfill", "guard"]
