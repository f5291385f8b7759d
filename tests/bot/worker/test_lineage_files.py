"""Lineage from files: merged with what the orchestrator says, and told when it could not be read."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.worker import drafting
from bot.worker.context import Context
from connectors.dbt import DbtManifest
from policies.events import EvidenceFound
from policies.incident import Incident, Phase
from tests.bot.worker.world import a_world, sqlite_url
from tests.clock import NIGHT, FakeClock
from tests.connectors.dbt.handmade import table
from tests.policies import night

SOURCE, BOARD = "source.shop.app.raw_sessions", "exposure.shop.retention"


@pytest.fixture
async def context(tmp_path: Path) -> AsyncIterator[Context]:
    async with a_world(sqlite_url(tmp_path), FakeClock(NIGHT)) as world:
        yield world.context


def reading(context: Context, file: Path) -> Context:
    return replace(context, systems=replace(context.systems, manifests=(DbtManifest(file),)))


def reached(draft: drafting.Draft) -> set[str]:
    return {hit.asset for hit in draft.radius.hits}


def trouble() -> Incident:
    return replace(night.diagnosed(), phase=Phase.DIAGNOSED)


async def test_what_only_the_manifest_knows_is_reached_beside_what_dagster_knows(
    context: Context, tmp_path: Path
) -> None:
    file = tmp_path / "manifest.json"
    board = table(BOARD, SOURCE, type="dashboard", owner={"email": "cleo@example.com"})
    written = {"sources": {SOURCE: table(SOURCE)}, "exposures": {BOARD: board}}
    file.write_text(json.dumps(written))
    before = reached(await drafting.draw(context, trouble()))
    draft = await drafting.draw(reading(context, file), trouble())
    assert reached(draft) == before | {"retention"}
    [hit] = [hit for hit in draft.radius.hits if hit.asset == "retention"]
    assert (hit.kind, hit.owner) == ("dashboard", "cleo@example.com")


async def test_a_file_that_can_not_be_read_is_told_and_the_rest_is_drawn_all_the_same(
    context: Context, tmp_path: Path
) -> None:
    before = await drafting.draw(context, trouble())
    draft = await drafting.draw(reading(context, tmp_path / "gone.json"), trouble())
    assert reached(draft) == reached(before)
    unread = next(fact.evidence for fact in draft.facts if isinstance(fact, EvidenceFound))
    assert "gone.json could not be read" in str(unread.problem)
    numbers = [fact.evidence.id for fact in draft.facts if isinstance(fact, EvidenceFound)]
    assert len(set(numbers)) == len(numbers)
