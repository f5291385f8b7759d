"""Who changed the code between two commits, out of real repositories."""

from datetime import UTC, datetime
from typing import Any

import pytest

from connectors.errors import NotFound
from connectors.git import GitReader
from policies.evidence import Evidence, Probe
from tests.connectors.git.conftest import Reading
from tests.connectors.git.repositories import ANA, BO, Repository

NOW = datetime(2026, 9, 29, 1, tzinfo=UTC)


async def asked(reader: GitReader, good: str, failed: str, **more: Any) -> Evidence:
    probe = Probe(
        connection="pipelines", name="changes", params={"good": good, "failed": failed, **more}
    )
    return await reader.read(probe, evidence_id="E1", now=NOW)


def subjects(found: Evidence) -> list[str]:
    commits = found.value["commits"]
    assert isinstance(commits, list)
    return [str(one["subject"]) for one in commits]  # type: ignore[index,call-overload]


def names(found: Evidence) -> list[str]:
    people = found.value["authors"]
    assert isinstance(people, list)
    return [str(one["name"]) for one in people]  # type: ignore[index,call-overload]


async def test_the_commits_in_between_are_told_newest_first_and_the_good_one_is_none_of_them(
    repository: Repository, reading: Reading
) -> None:
    good = repository.commit("the good one")
    repository.commit("faster joins", ANA)
    failed = repository.commit("fewer columns", BO)
    found = await asked(reading(), good, failed)
    assert subjects(found) == ["fewer columns", "faster joins"]
    assert names(found) == ["Bo Lindqvist", "Ana Ortiz"]
    assert (found.value["between"], found.value["taken_back"]) == (2, 0)
    assert found.query == f"git log --no-merges {good}..{failed}"


async def test_who_put_it_there_is_not_who_wrote_it_but_a_co_author_is(
    repository: Repository, reading: Reading
) -> None:
    good = repository.commit("the good one")
    words = "fewer columns\n\nlong story\n\nCo-authored-by: Bo Lindqvist <bo@example.com>\nco-authored-by: Cleo <cleo@example.com>\n"
    failed = repository.commit(words, ANA)
    found = await asked(reading(), good, failed)
    assert names(found) == ["Ana Ortiz", "Bo Lindqvist", "Cleo"]


async def test_the_beginnings_of_ids_are_enough(repository: Repository, reading: Reading) -> None:
    good, failed = repository.commit("one"), repository.commit("two")
    found = await asked(reading(), good[:8], failed[:10])
    assert (found.value["good"], found.value["failed"]) == (good, failed)


async def test_only_what_touches_the_paths_of_dw_yml_counts(
    repository: Repository, reading: Reading
) -> None:
    good = repository.commit("the good one", dags__usage__dag_py="1")
    repository.commit("usage", ANA, dags__usage__dag_py="2")
    failed = repository.commit("something else", BO, dags__other_py="1")
    reader = reading(code_of=["airflow"], paths={"usage_*": ["dags/usage"]})
    found = await asked(reader, good, failed, paths=["dags/usage"])
    assert subjects(found) == ["usage"]
    assert names(found) == ["Ana Ortiz"]
    assert (found.value["between"], found.value["touching"]) == (2, 1)
    elsewhere = await asked(reader, good, failed, paths=["dags/nowhere", "*"])
    assert (elsewhere.value["touching"], elsewhere.value["authors"]) == (0, [])


async def test_a_merge_is_no_change_of_its_own_and_what_it_brought_is(
    repository: Repository, reading: Reading
) -> None:
    good = repository.commit("the good one", x="1")
    side = repository.commit("on the side", BO, branch="side", parents=(good,), y="1")
    failed = repository.commit("Merge branch side", ANA, parents=(good, side))
    found = await asked(reading(), good, failed)
    assert (subjects(found), names(found)) == (["on the side"], ["Bo Lindqvist"])


async def test_code_that_went_back_is_told_as_that(
    repository: Repository, reading: Reading
) -> None:
    failed = repository.commit("old")
    good = repository.commit("new", BO)
    found = await asked(reading(), good, failed)
    assert (found.value["between"], found.value["taken_back"]) == (0, 1)
    assert found.value["authors"] == []


async def test_everybody_in_between_is_told_though_not_every_commit_is(
    repository: Repository, reading: Reading
) -> None:
    good = repository.commit("the good one")
    repository.commit("early", BO)
    for number in range(4):
        repository.commit(f"late {number}", ANA)
    found = await asked(reading(), good, repository.commits[-1], limit=2)
    assert subjects(found) == ["late 3", "late 2"]
    assert names(found) == ["Ana Ortiz", "Bo Lindqvist"]


async def test_new_commits_are_fetched_when_they_are_asked_for(
    repository: Repository, reading: Reading
) -> None:
    reader = reading()
    good, failed = repository.commit("one"), repository.commit("two")
    await asked(reader, good, failed)
    later = repository.commit("three", BO)
    assert subjects(await asked(reader, failed, later)) == ["three"]


async def test_nothing_is_fetched_when_both_are_here(
    repository: Repository, reading: Reading
) -> None:
    reader = reading()
    good, failed = repository.commit("one"), repository.commit("two")
    await asked(reader, good, failed)
    repository.folder.rename(repository.folder.with_name("gone.git"))
    assert subjects(await asked(reader, good, failed)) == ["two"]


async def test_history_that_was_rewritten_since_is_still_read_while_the_host_gives_it(
    repository: Repository, reading: Reading
) -> None:
    first = repository.commit("first")
    good = repository.commit("the good one")
    repository.move("main", first)
    failed = repository.commit("rewritten", BO)
    found = await asked(reading(), good, failed)
    assert (subjects(found), found.value["taken_back"]) == (["rewritten"], 1)


async def test_a_commit_that_is_gone_is_said_and_nobody_is_called_its_author(
    repository: Repository, reading: Reading
) -> None:
    first = repository.commit("first")
    good = repository.commit("the good one")
    repository.move("main", first)
    failed = repository.commit("rewritten", BO)
    repository.forget()
    with pytest.raises(NotFound, match=f"does not have commit {good[:12]}.*history was rewritten"):
        await asked(reading(), good, failed)
    with pytest.raises(NotFound, match="does not have commit abcdef1"):
        await asked(reading(), "abcdef1", failed)


async def test_one_branch_is_enough_where_dw_yml_names_one(
    repository: Repository, reading: Reading
) -> None:
    good = repository.commit("one")
    failed = repository.commit("two")
    aside = repository.commit("aside", branch="aside", parents=(good,))
    repository.git("config", "uploadpack.allowAnySHA1InWant", "false")
    reader = reading(branch="main")
    assert subjects(await asked(reader, good, failed)) == ["two"]
    copy = reader._copy.git
    assert aside not in (await copy.ask("rev-list", "--all")).decode()
    with pytest.raises(NotFound, match="no such branch"):
        await asked(reading(branch="nope", code_of=["x"], paths={"a": ["b"]}), good, failed)


async def test_only_commits_come_over_the_wire(repository: Repository, reading: Reading) -> None:
    good = repository.commit("one", secret_csv="x" * 5000)
    failed = repository.commit("two", secret_csv="y" * 5000)
    reader = reading()
    await asked(reader, good, failed)
    held = repository.git(
        "--git-dir", str(reader._copy.git.folder), "cat-file", "--batch-all-objects",
        "--batch-check=%(objecttype)", inside=False, GIT_ALLOW_PROTOCOL="",
    )  # fmt: skip
    assert set(held.split()) == {"commit"}
