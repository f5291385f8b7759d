"""The Monday night: given what the systems answer, the cause, the reach and the plan of the story."""

from policies.lineage import Reach
from policies.plan import Plan, digest
from policies.playbook import draft
from tests.policies import night


def plan_of_the_night() -> Plan:
    incident = night.with_radius(night.diagnosed())
    versions = {"growth_rollups_job": "v7", "sessions_job": None}
    plan = draft(incident, night.rules(), night.lineage(), versions)
    assert isinstance(plan, Plan)
    return plan


def test_the_cause_is_the_replica_and_every_finding_cites_evidence() -> None:
    incident = night.diagnosed()
    cause = incident.diagnosis.cause
    assert cause.name == "source_replica_behind"
    assert cause.confidence == 0.95
    asked = {piece.id: piece.probe for piece in incident.evidence}
    said = {finding.says: asked[finding.evidence_id].name for finding in cause.for_}
    assert said == {
        "primary has 28,300 rows for 2026-09-28, loaded 23,100 (81.6 %)": "rows_of_day",
        "the last row loaded is from 21:05, on primary from 23:59": "rows_of_day",
        "the replica had replayed only up to 21:05 when the asset ran at 00:41": "materialization",
        "the replica has caught up since: it holds 28,300 rows now": "rows_of_day",
        "asset code and check unchanged: version c0ffee120000, as in the last good run": "last_success",
    }
    assert cause.against == ()
    assert incident.diagnosis.unknown == ()


def test_other_causes_are_named_and_ruled_out() -> None:
    ruled_out = night.diagnosed().diagnosis.causes[1:]
    assert [(c.name, c.confidence, c.for_) for c in ruled_out] == [
        ("source_incomplete", 0.05, ()),
        ("code_changed", 0.05, ()),
    ]
    assert ruled_out[0].against[0].says == (
        "the source has 28,300 rows for 2026-09-28, 99.6 % of the trailing median of 28,400 (14 days)"
    )


def test_the_reach_is_nearest_first_with_the_standup_due() -> None:
    radius = night.with_radius(night.diagnosed()).radius
    assert radius.root == "raw_sessions"
    assert [(hit.asset, hit.reach) for hit in radius.hits] == [
        ("stg_sessions", Reach.HELD_BACK),
        ("fct_daily_active_users", Reach.HELD_BACK),
        ("agg_weekly_engagement", Reach.HELD_BACK),
        ("Hex: Growth standup", Reach.DUE),
    ]
    assert [hit.because for hit in radius.hits] == [
        "planned in the failed run, not built",
        "planned in the failed run, not built",
        "not built since 00:45",
        "reads agg_weekly_engagement at 09:30",
    ]
    assert radius.next_due == "09:30"
    assert radius.hits[3].owner == "cleo@example.com"


def test_the_owner_backfills_then_the_bot_runs_the_rollups_and_a_guard_is_drafted() -> None:
    backfill, rollups, guard = plan_of_the_night().steps
    assert (backfill.doer, backfill.owner) == ("person", "ana@example.com")
    assert backfill.owner_because == "owner of raw_sessions, from dw.yml"
    assert backfill.params == {
        "assets": ["raw_sessions", "stg_sessions", "fct_daily_active_users"],
        "partition": "2026-09-28",
    }
    assert backfill.link == (
        "http://127.0.0.1:3000/assets/raw_sessions?view=partitions&partition=2026-09-28"
    )
    assert (rollups.doer, rollups.action, rollups.after) == ("bot", "run_job", ("backfill",))
    assert rollups.params == {"job": "growth_rollups_job", "partition": "2026-09-28"}
    assert [check.says for check in rollups.gate] == [
        "raw_sessions_complete passes on raw_sessions for 2026-09-28"
    ]
    assert rollups.code_version == "v7"
    assert (guard.owner, guard.follow_up, guard.diff) == ("bo@example.com", True, night.GUARD)
    assert all(step.undo and step.risk and step.why for step in (backfill, rollups, guard))


def test_the_plan_reaches_everything_and_is_proven_by_the_checks_of_the_domain() -> None:
    plan = plan_of_the_night()
    assert plan.reach == (
        "Hex: Growth standup",
        "agg_weekly_engagement",
        "fct_daily_active_users",
        "raw_sessions",
        "stg_sessions",
    )
    assert [check.name for check in plan.checks] == ["rows_vs_primary", "dau_vs_mondays"]
    assert (plan.version, plan.deadline) == (1, "09:30")
    assert plan.cause == "the source replica was behind when raw_sessions read it"


def test_the_same_night_drafts_the_same_digest() -> None:
    one, two = plan_of_the_night(), plan_of_the_night()
    assert digest(one.steps, one.reach) == digest(two.steps, two.reach)
