"""Which cause is ranked when the answers differ, and what is said when there are none."""

from dataclasses import replace
from typing import Any

import pytest

from policies.alert import AlertKind
from policies.diagnosis import diagnose, rows
from policies.diagnosis.step_error import chain
from policies.diagnosis.unknown import not_known
from policies.evidence import Cause, Diagnosis, Evidence
from policies.facts import Facts
from policies.rules import Rules
from tests.building import an_alert
from tests.policies import night

LAST = "2026-09-28T23:59:40+00:00"
REPLICA = "source_replica_behind"
BOOM = {"step": "load", "error": "ValueError: duplicate key value violates event_id"}


def found(rules: Rules | None = None, **changes: Any) -> Diagnosis:
    return night.think(night.incident(), night.answers(**changes), rules)[0]


def cause(diagnosis: Diagnosis, name: str) -> Cause:
    return next(one for one in diagnosis.causes if one.name == name)


def test_a_short_run_id_is_completed_first_and_the_run_read_before_the_rest() -> None:
    alert = an_alert(run_id=None, run_id_short="5f1d2c9e", asset=None, check=None, partition=None)
    _, evidence = night.think(night.incident(alert), night.answers())
    assert [piece.probe.name for piece in evidence[:3]] == [
        "find_run",
        "run_failure",
        "materialization",
    ]
    assert evidence[0].probe.params == {"short": "5f1d2c9e"}
    assert evidence[2].probe.params == {"asset": "raw_sessions", "partition": night.DAY}


def test_an_alert_about_nothing_known_asks_nothing_and_says_what_is_unknown() -> None:
    bare = an_alert(run_id=None, asset=None, check=None, partition=None, job=None)
    diagnosis, evidence = night.think(night.incident(bare), {})
    assert (evidence, diagnosis.causes) == ((), ())
    assert diagnosis.unknown == (
        "which run it was: the alert names none that can be found",
        "which asset it is about",
    )


def test_nothing_answers_so_nothing_is_guessed() -> None:
    diagnosis, _ = night.think(night.incident(), {})
    assert diagnosis.causes == ()
    assert diagnosis.unknown[0] == (
        f"what run {night.RUN} says of its failure: dagster could not tell (no such reader)"
    )


def test_without_the_primary_the_replica_is_no_cause_and_the_gap_is_said() -> None:
    diagnosis = found(app_primary__rows_of_day="connection refused")
    assert all(one.name != "source_replica_behind" for one in diagnosis.causes)
    assert (
        "how many rows sessions holds for 2026-09-28: app_primary could not tell (connection refused)"
        in diagnosis.unknown
    )


def test_without_the_time_of_replay_it_is_likely_and_not_sure() -> None:
    made = {"at": night.LOADED_AT, "metadata": {}}
    diagnosis = found(dagster__materialization=made)
    assert diagnosis.cause.name == "source_replica_behind"
    assert diagnosis.cause.confidence == 0.6
    assert diagnosis.unknown == (
        (
            "how far app_replica had replayed when raw_sessions was loaded: the load does not say "
            "(source_replayed_to)"
        ),
    )


def test_a_replica_that_had_replayed_everything_speaks_against() -> None:
    made = {"at": night.LOADED_AT, "metadata": {"source_replayed_to": "2026-09-29T00:40:00"}}
    run = night.failed_run(steps_failed=[BOOM])
    diagnosis = found(dagster__materialization=made, dagster__run_failure=run)
    told = cause(diagnosis, REPLICA)
    assert (diagnosis.cause.name, told.confidence) == ("step_error", 0.25)
    assert told.against[0].says == (
        "the replica had replayed up to 00:40 when the asset ran at 00:41"
    )


def test_a_whole_load_rules_the_replica_out() -> None:
    run = night.failed_run(steps_failed=[BOOM])
    whole = {"rows": 28290, "last": LAST}
    told = cause(found(warehouse__rows_of_day=whole, dagster__run_failure=run), REPLICA)
    assert (told.confidence, told.for_) == (0.05, ())
    assert told.against[0].says == (
        "primary has 28,300 rows for 2026-09-28, loaded 28,290 (100.0 %)"
    )


def test_a_replica_that_is_still_behind_is_said_with_what_is_left() -> None:
    diagnosis = found(
        app_replica__rows_of_day={"rows": 25000, "last": LAST},
        app_replica__replication={"paused": True, "unreplayed_bytes": 88368},
    )
    said = [finding.says for finding in diagnosis.cause.for_]
    assert "the replica is still behind: it holds 25,000 rows now" in said
    assert "on app_replica replay is paused, 88,368 bytes are not replayed yet" in said


def test_a_replica_that_goes_on_without_figures_is_said_plainly() -> None:
    diagnosis = found(
        app_replica__rows_of_day={"rows": 25000, "last": LAST}, app_replica__replication={}
    )
    assert "on app_replica replay goes on" in [f.says for f in diagnosis.cause.for_]


def test_a_replica_that_can_not_be_asked_now_leaves_the_cause_standing() -> None:
    diagnosis = found(app_replica__rows_of_day="down", app_replica__replication="down")
    assert diagnosis.cause.name == "source_replica_behind"
    assert len(diagnosis.unknown) == 2


def test_changed_code_speaks_against_the_replica_and_is_a_cause_of_its_own() -> None:
    diagnosis = found(dagster__last_success={"code_version": "0ld"})
    assert diagnosis.cause.confidence == 0.75
    assert diagnosis.cause.against[0].says.startswith("the code changed: 0ld in the last good run")
    assert cause(diagnosis, "code_changed").confidence == 0.5


def test_changed_code_and_an_exception_together_are_likelier() -> None:
    run = night.failed_run(checks=[], steps_failed=[BOOM], assets_materialized=[])
    told = {
        ("dagster", "run_failure"): run,
        ("dagster", "last_success"): {"code_version": "0ld"},
    }
    start = night.incident(an_alert(check=None, kind=AlertKind.RUN_FAILED))
    diagnosis, _ = night.think(start, told)
    assert [(one.name, one.confidence) for one in diagnosis.causes] == [
        ("code_changed", 0.75),
        ("step_error", 0.7),
    ]


def test_no_code_version_is_an_open_question() -> None:
    diagnosis = found(dagster__last_success={"code_version": None})
    assert diagnosis.cause.confidence == 0.9
    assert diagnosis.unknown == (
        "whether the code changed: dagster tells no code version to compare",
    )


def test_a_source_that_is_short_itself_is_the_cause() -> None:
    diagnosis = found(
        app_primary__rows_of_day={"rows": 23100, "last": LAST},
        app_replica__rows_of_day={"rows": 23100, "last": LAST},
    )
    assert diagnosis.cause.name == "source_incomplete"
    assert diagnosis.cause.for_[0].says == (
        "the source has 23,100 rows for 2026-09-28, 81.3 % of the trailing median of 28,400 (14 days)"
    )


def test_the_usual_rows_come_from_the_check_where_the_target_can_not_tell() -> None:
    past = [{"passed": True, "metadata": {"rows": 28000 + n}} for n in range(5)]
    odd = [{"passed": False, "metadata": {"rows": 1}}, {"passed": True, "metadata": {}}]
    diagnosis, evidence = night.think(
        night.incident(),
        night.answers(
            warehouse__daily_rows="locked", dagster__check_history={"results": [*past, *odd]}
        ),
    )
    usual = rows.usual(Facts(incident=night.incident(), evidence=evidence))
    assert (usual.rows, usual.days) == (28002, 5)
    assert cause(diagnosis, "source_incomplete").confidence == 0.05


def test_too_few_days_are_no_baseline() -> None:
    diagnosis = found(warehouse__daily_rows={"values": {"2026-09-27": 1, "2026-09-26": None}})
    assert diagnosis.unknown == (
        "how many rows are usual: too few days before 2026-09-28 are known",
    )
    assert rows.usual(Facts(incident=night.incident())) is None


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (BOOM["error"], "step load raised ValueError: duplicate key value violates event_id"),
        (None, "step load failed and left no exception"),
        (
            {
                "class": "RetryRequestedFromPolicy",
                "message": "Exceeded max_retries of 1",
                "cause": {"className": "ValueError", "message": "ValueError: boom"},
            },
            (
                "step load raised ValueError: boom "
                "(wrapped in RetryRequestedFromPolicy: Exceeded max_retries of 1)"
            ),
        ),
    ],
)
def test_an_exception_is_quoted_to_the_end_of_its_chain(error: Any, says: str) -> None:
    run = night.failed_run(checks=[], steps_failed=[{"step": "load", "error": error}])
    start = night.incident(an_alert(check=None, partition=None))
    diagnosis, _ = night.think(start, {("dagster", "run_failure"): run})
    assert diagnosis.cause.for_[0].says == says


def test_a_chain_of_causes_ends_somewhere_and_without_words_says_nothing() -> None:
    endless: dict[str, Any] = {"class": "A", "message": "x"}
    endless["cause"] = endless
    assert len(chain(endless)) == 20
    assert chain({"class": None, "message": None}) == ()


def test_an_exception_beside_a_failed_check_comes_second() -> None:
    run = night.failed_run(steps_failed=[BOOM])
    assert cause(found(dagster__run_failure=run), "step_error").confidence == 0.3


def test_a_late_asset_says_when_it_was_built_last() -> None:
    late = an_alert(kind=AlertKind.ASSET_STALE, run_id=None, check=None, partition=None)
    told = {("dagster", "materialization"): {"at": "2026-09-28T00:45:00Z"}}
    diagnosis, _ = night.think(night.incident(late), told)
    assert diagnosis.cause.for_[0].says == "raw_sessions was last built on 2026-09-28 at 00:45"
    never, _ = night.think(night.incident(late), {("dagster", "materialization"): {"at": None}})
    assert never.cause.for_[0].says == "raw_sessions was never built"


def test_an_asset_that_dw_yml_does_not_describe_is_not_compared() -> None:
    diagnosis = found(rules=night.rules(assets={}))
    assert "whether rows are missing: dw.yml names no source and target for raw_sessions" in (
        diagnosis.unknown
    )


def test_a_partition_that_is_no_day_is_not_compared() -> None:
    start = night.incident(an_alert(partition="2026-09-28-05:00"))
    diagnosis, evidence = night.think(start, night.answers())
    assert "whether rows are missing: the partition is not a day" in diagnosis.unknown
    assert all(piece.probe.connection == "dagster" for piece in evidence)


@pytest.mark.parametrize(("missing", "confidence"), [("source", None), ("target", 0.4)])
def test_half_a_description_asks_half_the_questions(missing: str, confidence: float | None) -> None:
    diagnosis = found(rules=night.with_asset("raw_sessions", **{missing: None}))
    assert (diagnosis.cause.confidence if diagnosis.cause else None) == confidence


def test_a_source_without_replica_can_not_have_one_behind() -> None:
    source = {"connection": "app_primary", **night.SESSIONS}
    diagnosis = found(rules=night.with_asset("raw_sessions", source=source))
    assert "source_replica_behind" not in [one.name for one in diagnosis.causes]
    assert rows.replica(Facts(incident=night.incident()), night.rules(assets={})) is None


def test_a_newer_unanswered_question_hides_an_older_answer() -> None:
    start = night.incident()
    _, evidence = night.think(start, night.answers())
    asked = next(piece for piece in evidence if piece.probe.name == "run_failure")
    silent = replace(asked, id="E99", value={}, problem="timed out")
    assert Facts(incident=start, evidence=(*evidence, silent)).run == {}


def test_an_unknown_probe_is_told_by_its_name() -> None:
    asked = night.answer(night.Probe(connection="x", name="odd_one"), 1, {})
    told = not_known(Facts(incident=night.incident(), evidence=(asked,)), night.rules())
    assert told[0] == "odd one: x could not tell (no such reader)"


def test_a_diagnosis_starts_afresh_and_does_not_trust_old_evidence() -> None:
    stored = night.diagnosed()
    assert isinstance(next(diagnose(stored, night.rules()))[0], type(stored.evidence[0].probe))
    diagnosis, _ = night.think(stored, {})
    assert diagnosis.causes == ()
    assert isinstance(stored.evidence[0], Evidence)
