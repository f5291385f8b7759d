"""Manifests in the shapes of several versions, of the same small project: raw → stg → fct → a dashboard."""

import json
from pathlib import Path
from typing import Any

from connectors.dbt import Manifest, RunResults, lineage_of, manifest, run_results
from policies.lineage import Lineage

ARTIFACTS = Path(__file__).parent / "artifacts"
RAW, STG, FCT = "source.shop.app.raw_sessions", "model.shop.stg_sessions", "model.shop.fct_users"
SEED, BOARD = "seed.shop.countries", "exposure.shop.standup"
TEST = "test.shop.unique_stg_sessions_id.8f4005aa34"


def table(key: str, *reads: str, **more: Any) -> dict[str, Any]:
    """A node as version 12 writes it."""
    kind, name = key.split(".", maxsplit=1)[0], key.rsplit(".", maxsplit=1)[-1]
    known = {
        "unique_id": key,
        "name": name,
        "resource_type": kind,
        "relation_name": f'"wh"."main"."{name}"',
        "depends_on": {"nodes": list(reads), "macros": ["macro.dbt.run"]},
        "config": {"materialized": "table", "meta": {}},
    }
    return known | more


def version(number: int) -> dict[str, Any]:
    """The project as that version of the schema writes it."""
    nodes = {
        STG: table(STG, RAW),
        FCT: table(FCT, STG, SEED),
        SEED: table(SEED),
        TEST: table(TEST, STG, relation_name=None),
    }
    board = table(BOARD, FCT, type="dashboard", owner={"email": "cleo@example.com", "name": None})
    written = {
        "metadata": {"dbt_schema_version": f"https://schemas.example.com/manifest/v{number}.json"},
        "nodes": nodes,
        "sources": {RAW: table(RAW)},
        "exposures": {BOARD: board},
        "macros": {"macro.dbt.run": {"unique_id": "macro.dbt.run", "macro_sql": "…"}},
        "disabled": {},
        "child_map": {
            RAW: [STG],
            STG: [FCT, TEST],
            SEED: [FCT],
            FCT: [BOARD],
            BOARD: [],
            TEST: [],
        },
    }
    return _aged(written, number)


def _aged(written: dict[str, Any], number: int) -> dict[str, Any]:
    """What a version did not have yet, or wrote otherwise."""
    nodes = written["nodes"]
    code = "raw_sql" if number < 7 else "raw_code"
    nodes[FCT][code] = "select * from {{ ref('stg_sessions') }} join main.raw_sessions using (id)"
    if number >= 8:
        nodes[SEED]["depends_on"] = {"macros": []}
    if number >= 9:
        written["groups"] = {"group.shop.growth": {"name": "growth", "owner": {"name": "Growth"}}}
        nodes[STG]["group"] = "growth"
    if number >= 10:
        written["semantic_models"] = {}
    if number >= 11:
        written["saved_queries"] = {}
    if number >= 12:
        written["unit_tests"] = {}
    return written


def lineage(written: dict[str, Any]) -> Lineage:
    return lineage_of(parsed(written))


def parsed(written: dict[str, Any]) -> Manifest:
    return manifest(json.dumps(written).encode())


def recorded(name: str) -> Manifest:
    return manifest((ARTIFACTS / f"manifest_{name}.json").read_bytes())


def results(*told: tuple[str, str, str | None]) -> RunResults:
    """`(id, status, message)` each; or, without any, what dbt 1.11 wrote of a real run."""
    if not told:
        return run_results((ARTIFACTS / "run_results_1.11.json").read_bytes())
    every = [{"unique_id": key, "status": status, "message": says} for key, status, says in told]
    return run_results(json.dumps({"results": every}).encode())
