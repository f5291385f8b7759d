"""Manifests of every shape become the same lineage, whatever is odd in them."""

import itertools
import os
from pathlib import Path

import pytest

from connectors.dbt import DbtManifest, lineage_of, manifest
from connectors.errors import Malformed, NotFound
from policies.lineage import Lineage
from tests.connectors.dbt.handmade import (
    BOARD,
    FCT,
    RAW,
    SEED,
    STG,
    lineage,
    recorded,
    table,
    version,
)

MINI = {
    ("fct_daily_usage", "fct_versioned_v1"),
    ("fct_daily_usage", "fct_versioned_v2"),
    ("fct_daily_usage", "snap_daily_usage"),
    ("fct_daily_usage", "stripe_usage_push"),
    ("fct_daily_usage", "weekly_usage_dashboard"),
    ("stg_usage_events", "fct_daily_usage"),
    ("usage_events", "fct_feature_adoption"),
    ("usage_events", "stg_usage_events"),
    ("usage_events", "stripe_usage_push"),
}


@pytest.mark.parametrize("number", range(4, 13))
def test_every_version_says_the_same(number: int) -> None:
    found = lineage(version(number))
    assert [*found.downstream("raw_sessions")] == ["fct_users", "stg_sessions", "standup"]
    assert found.children("countries") == ("fct_users",)
    assert found.suspected == {("raw_sessions", "fct_users")}
    assert found.assets["standup"].kind == "dashboard"
    assert found.assets["standup"].owner == "cleo@example.com"
    assert found.assets["stg_sessions"].owner == ("Growth" if number >= 9 else None)


@pytest.mark.parametrize("name", ["1.11", "2.0rc"])
def test_what_dbt_itself_wrote_is_read_the_same_by_both_engines(name: str) -> None:
    """Through an ephemeral model, past tests and metrics, with a raw name in the code of one model."""
    found = lineage_of_mini(name)
    assert found.edges == MINI
    assert found.suspected == {("usage_events", "fct_feature_adoption")}
    owners = {key: asset.owner for key, asset in found.assets.items()}
    assert owners["fct_daily_usage"] == "bo@example.com"
    assert owners["fct_feature_adoption"] == "growth@example.com"
    assert owners["stripe_usage_push"] == "billing@example.com"


def lineage_of_mini(name: str) -> Lineage:
    return lineage_of(recorded(name))


def test_a_seed_on_the_relation_of_a_source_is_one_table_with_the_owner_that_is_told() -> None:
    asset = lineage_of_mini("1.11").assets["usage_events"]
    assert asset.owner == "platform-data@example.com"


def test_without_a_child_map_edges_come_from_what_each_node_reads() -> None:
    written = version(12)
    with_map = lineage(written)
    del written["child_map"]
    assert lineage(written) == with_map


def test_children_that_nobody_describes_and_circles_are_survived() -> None:
    written = version(12)
    written["child_map"][STG] += ["saved_query.shop.gone", "model.shop.disabled", STG]
    written["child_map"][FCT] += [STG]
    assert set(lineage(written).downstream("stg_sessions")) == {"fct_users", "standup"}


def test_a_chain_deeper_than_any_stack_is_walked() -> None:
    keys = [f"model.shop.m{number}" for number in range(3000)]
    nodes = {key: table(key, config={"materialized": "ephemeral"}) for key in keys[1:-1]}
    ends = {key: table(key) for key in (keys[0], keys[-1])}
    child_map = {one: [other] for one, other in itertools.pairwise(keys)}
    found = lineage({"nodes": nodes | ends, "child_map": child_map})
    assert found.edges == {("m0", "m2999")}


def test_a_metric_between_a_model_and_a_dashboard_is_passed_through() -> None:
    written = version(12)
    written["metrics"] = {"metric.shop.users": {"unique_id": "metric.shop.users"}}
    written["child_map"][FCT] = ["metric.shop.users"]
    written["child_map"]["metric.shop.users"] = [BOARD]
    assert lineage(written).children("fct_users") == ("standup",)


def test_two_nodes_of_one_name_go_by_their_tables_else_by_their_ids() -> None:
    eu, us = "model.eu.orders", "model.us.orders"
    apart = {
        eu: table(eu, relation_name='"wh"."eu"."orders_eu"'),
        us: table(us, relation_name='"wh"."us"."orders_us"'),
    }
    assert set(lineage({"nodes": apart}).assets) == {"orders_eu", "orders_us"}
    alike = {key: table(key, relation_name=f'"wh"."{key}"."orders"') for key in (eu, us)}
    assert set(lineage({"nodes": alike}).assets) == {eu, us}


@pytest.mark.parametrize(
    ("more", "owner"),
    [
        ({"meta": {"owner": "bo@example.com"}, "config": None}, "bo@example.com"),
        ({"config": {"meta": {"owner": "bo@example.com"}}}, "bo@example.com"),
        (
            {"config": {"meta": None}, "meta": {"owner": {"email": "bo@example.com"}}},
            "bo@example.com",
        ),
        ({"config": {"meta": {"owner": ["x"]}}}, None),
        ({}, None),
    ],
)
def test_an_owner_stands_in_either_place(more: dict[str, object], owner: str | None) -> None:
    found = lineage({"nodes": {FCT: table(FCT, **more)}}).assets["fct_users"]
    assert found.owner == owner
    assert found.owner_said_by == ("dbt meta" if owner else None)


@pytest.mark.parametrize("owner", [{"name": "Growth"}, {"email": ["growth@example.com"]}, {}, None])
def test_an_exposure_may_have_half_an_owner(owner: dict[str, object] | None) -> None:
    found = lineage({"exposures": {BOARD: table(BOARD, owner=owner)}})
    assert found.assets["standup"].owner in ("Growth", "growth@example.com", None)


@pytest.mark.parametrize(
    "code",
    [
        "select * from main.raw_sessions",
        'select 1 from "wh"."main"."RAW_SESSIONS" s',
        "with x as (select 1)\nselect * from x left join main . raw_sessions r on true",
    ],
)
def test_a_table_named_by_hand_is_suspected(code: str) -> None:
    nodes = {FCT: table(FCT, raw_code=code)}
    found = lineage({"nodes": nodes, "sources": {RAW: table(RAW)}})
    assert found.suspected == found.edges == {("raw_sessions", "fct_users")}


@pytest.mark.parametrize(
    "code",
    [
        "select 1 -- from main.raw_sessions",
        "/* from main.raw_sessions */ select 1",
        "{# join main.raw_sessions #} select 1",
        "select main.raw_sessions",
        "select * from other.raw_sessions",
        "select * from {{ source('app', 'raw_sessions') }}",
    ],
)
def test_what_is_no_table_in_the_code_is_not_suspected(code: str) -> None:
    nodes = {FCT: table(FCT, raw_code=code)}
    assert lineage({"nodes": nodes, "sources": {RAW: table(RAW)}}).suspected == frozenset()


def test_an_edge_that_another_source_is_sure_of_is_suspected_no_more() -> None:
    sure, suspects = lineage(version(12)), lineage(version(6))
    certain = type(sure)(edges=frozenset({("raw_sessions", "fct_users")}))
    assert suspects.merged(sure).suspected == {("raw_sessions", "fct_users")}
    assert suspects.merged(certain).suspected == frozenset()


@pytest.mark.parametrize("data", [b"", b"<html>", b"[]", b'{"nodes": []}', b"\xff"])
def test_what_is_no_manifest_says_so(data: bytes) -> None:
    with pytest.raises(Malformed, match=r"no manifest\.json of dbt"):
        manifest(data)


async def test_a_file_is_read_again_only_when_it_changed(tmp_path: Path) -> None:
    file = tmp_path / "manifest.json"
    file.write_text('{"nodes": {}}')
    source = DbtManifest(file)
    first = await source.lineage()
    assert await source.lineage() is first
    file.write_text("not a manifest")
    os.utime(file, ns=(1, 1))
    for _ in range(2):
        with pytest.raises(Malformed):
            await source.lineage()


async def test_a_file_that_is_not_there_says_which(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"manifest\.json could not be read.*lineage in dw\.yml"):
        await DbtManifest(tmp_path / "manifest.json").lineage()


def test_a_seed_without_depends_on_is_a_table_like_any_other() -> None:
    assert "countries" in lineage({"nodes": {SEED: table(SEED, depends_on=None)}}).assets
