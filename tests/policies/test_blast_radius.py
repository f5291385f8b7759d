"""What the trouble means downstream: held back, contaminated or due, and when it is read next."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from policies import blast_radius
from policies.incident import Incident
from policies.lineage import Asset, BlastRadius, Hit, Lineage, Reach
from policies.rules import Note
from tests.building import an_alert
from tests.policies import night

STANDUP = night.rules().notes


def drawn(
    lineage: Lineage | None = None,
    built: dict[str, Any] | None = None,
    notes: list[Note] | None = None,
    start: Incident | None = None,
) -> BlastRadius:
    return blast_radius.draw(
        start or night.diagnosed(),
        lineage or night.lineage(),
        STANDUP if notes is None else notes,
        night.states() if built is None else built,
        domain=night.rules().domains["growth"],
    )


def hits(radius: BlastRadius) -> dict[str, Hit]:
    return {hit.asset: hit for hit in radius.hits}


def test_what_read_the_bad_load_already_is_contaminated_and_so_are_its_readers() -> None:
    lineage = night.lineage(
        ("raw_sessions", "fct_adoption"), ("fct_adoption", "agg_adoption"), ("agg_adoption", "x")
    )
    note = Note(asset="Adoption board", reads=["fct_adoption"], due="08:00")
    built = night.states(
        fct_adoption="2026-09-29T04:00:00Z",
        agg_adoption="2026-09-29T04:10:00Z",
        x="2026-09-29T04:05:00Z",
    )
    found = hits(drawn(lineage, built, [note]))
    assert found["fct_adoption"].reach is Reach.CONTAMINATED
    assert found["fct_adoption"].because == "built at 04:00 from the bad load"
    assert found["agg_adoption"].reach is Reach.CONTAMINATED
    assert found["x"].reach is Reach.HELD_BACK, "it was built before its parent took the load in"
    assert found["Adoption board"].because == "reads fct_adoption"
    assert found["Adoption board"].reach is Reach.CONTAMINATED


def test_what_was_built_after_from_old_data_only_is_held_back() -> None:
    built = night.states(agg_weekly_engagement="2026-09-29T04:00:00Z")
    hit = hits(drawn(built=built))["agg_weekly_engagement"]
    assert (hit.reach, hit.because) == (Reach.HELD_BACK, "not built since 04:00")


def test_a_build_of_another_partition_took_nothing_in() -> None:
    other = {"at": "2026-09-29T04:00:00Z", "partition": "2026-09-29"}
    found = hits(drawn(built={**night.states(), "stg_sessions": other}))
    assert found["stg_sessions"].reach is Reach.HELD_BACK


def test_a_warning_that_stopped_nothing_contaminates_what_the_same_run_built() -> None:
    run = night.failed_run(assets_materialized=["raw_sessions", "stg_sessions"])
    start = night.diagnosed(night.answers(dagster__run_failure=run))
    found = hits(drawn(start=start, built={}))
    assert found["stg_sessions"].reach is Reach.CONTAMINATED
    assert found["fct_daily_active_users"].reach is Reach.HELD_BACK
    assert found["agg_weekly_engagement"].because == "nobody knows when it was built last"


def test_a_load_that_never_happened_contaminates_nothing() -> None:
    run = night.failed_run(assets_materialized=[])
    start = night.diagnosed(night.answers(dagster__run_failure=run))
    built = night.states(stg_sessions="2026-09-29T04:00:00Z", agg_weekly_engagement=None)
    found = hits(drawn(start=start, built=built))
    assert {hit.reach for hit in found.values()} == {Reach.HELD_BACK, Reach.DUE}
    assert found["agg_weekly_engagement"].because == "no build of it is known"


def test_after_the_repair_what_was_built_again_is_not_called_contaminated() -> None:
    again = night.states(raw_sessions="2026-09-29T07:31:00Z", stg_sessions="2026-09-29T07:33:00Z")
    found = hits(drawn(built=again))
    assert (found["stg_sessions"].reach, found["stg_sessions"].because) == (
        Reach.HELD_BACK,
        "built again at 07:33",
    )


def test_a_reader_without_a_time_waits_and_owners_of_dw_yml_come_first() -> None:
    note = Note(asset="Board", reads=["stg_sessions"], owner="cleo@example.com")
    found = hits(drawn(night.lineage(stg_sessions="other@example.com"), notes=[note]))
    assert (found["Board"].reach, found["Board"].because) == (Reach.HELD_BACK, "reads stg_sessions")
    assert found["stg_sessions"].owner == "bo@example.com"
    assert blast_radius.draw(
        night.diagnosed(), night.lineage(stg_sessions="other@example.com"), [], {}
    ).hits[0].owner == ("other@example.com")


def test_the_next_reading_is_the_first_one_still_to_come_today() -> None:
    notes = [Note(asset=at, reads=["stg_sessions"], due=at) for at in ("00:10", "09:30", "08:00")]
    assert drawn(notes=notes).next_due == "08:00"
    late = replace(night.diagnosed(), opened_at=datetime(2026, 9, 29, 22, 0, tzinfo=UTC))
    assert drawn(notes=notes, start=late).next_due == "00:10"
    assert drawn(notes=[]).next_due is None


def test_without_an_asset_the_root_is_the_job_or_the_title() -> None:
    run = night.failed_run(checks=[], assets_planned=[], assets_materialized=[])
    bare = an_alert(asset=None, check=None)
    start = night.diagnosed({("dagster", "run_failure"): run}, alert=bare)
    assert drawn(start=start) == BlastRadius(root="sessions_job")
    assert drawn(start=night.diagnosed({}, alert=bare)).root == bare.title
    assert blast_radius.questions(start, night.lineage()) == ()


def test_one_question_asks_for_the_asset_and_all_that_is_built_downstream() -> None:
    whole = night.lineage().merged(blast_radius.noted(STANDUP))
    (probe,) = blast_radius.questions(night.diagnosed(), whole)
    assert (probe.connection, probe.name) == ("dagster", "asset_states")
    assert probe.params["assets"] == [
        "raw_sessions",
        "stg_sessions",
        "fct_daily_active_users",
        "agg_weekly_engagement",
    ]


def test_a_question_never_asks_for_more_than_a_reader_takes() -> None:
    wide = night.lineage(*(("raw_sessions", f"x{n}") for n in range(700)))
    (probe,) = blast_radius.questions(night.diagnosed(), wide)
    assert len(probe.params["assets"]) == blast_radius.MOST


def test_named_jobs_tell_lineage_that_the_orchestrator_may_not_know() -> None:
    told = blast_radius.from_jobs(night.rules())
    assert told.edges == {("fct_daily_active_users", "agg_weekly_engagement")}
    assert told.assets["agg_weekly_engagement"].job == "growth_rollups_job"


nodes = st.sampled_from(["raw_sessions", "stg_sessions", "a", "b", "c", "Hex: Growth standup"])
times = st.sampled_from([None, "2026-09-28T01:00:00Z", "2026-09-29T02:00:00Z", "x", 7])


@given(st.sets(st.tuples(nodes, nodes)), st.dictionaries(nodes, times))
def test_a_radius_is_drawn_on_any_lineage_cycles_too(
    edges: set[tuple[str, str]], built: dict[str, Any]
) -> None:
    states = {key: {"at": at} for key, at in built.items()}
    radius = drawn(Lineage(edges=frozenset(edges)), states)
    names = [hit.asset for hit in radius.hits]
    assert len(names) == len(set(names))
    assert "raw_sessions" not in names


def test_what_only_code_betrays_is_told_as_suspected_and_a_dashboard_is_never_built() -> None:
    edge, board = ("raw_sessions", "fct_adoption"), ("raw_sessions", "standup")
    lineage = Lineage(
        assets={"standup": Asset(key="standup", kind="dashboard", said_by="dbt")},
        edges=frozenset({edge, board}),
        suspected=frozenset({edge}),
    )
    found = hits(drawn(lineage, {}, []))
    assert found["fct_adoption"].because.endswith("(suspected: only its code names what it reads)")
    assert found["standup"].because == "reads raw_sessions"
    [probe] = blast_radius.questions(night.diagnosed(), lineage)
    assert probe.params["assets"] == ["raw_sessions", "fct_adoption"]


def test_thousands_of_readers_are_judged_in_one_walk() -> None:
    """One that walks anew for each would not end within the time limit of a test."""
    keys = ["raw_sessions", *(f"m{number}" for number in range(5000))]
    edges = frozenset(
        (keys[max(0, at - back)], keys[at]) for at in range(1, 5001) for back in (1, 7)
    )
    assert len(drawn(Lineage(edges=edges), {}, []).hits) == 5000
