"""Names and subjects are foreign words: whatever stands in them, commits stay apart and lines stay lines."""

from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.code_ids import commit_in, commit_of
from connectors.errors import Malformed
from connectors.git.commits import Author, authors_of, parse
from tests.connectors.git.conftest import Reading
from tests.connectors.git.repositories import ANA, Repository
from tests.connectors.git.test_git_history import asked, names, subjects

WORDS = st.text(st.characters(exclude_characters="\0\n", exclude_categories=("Cs",)), max_size=300)
ROWS = st.lists(
    st.tuples(st.from_regex(r"[0-9a-f]{40}", fullmatch=True), WORDS, WORDS, WORDS, WORDS),
    max_size=5,
)


@given(rows=ROWS)
@settings(max_examples=60, deadline=None)
def test_as_many_commits_come_out_as_went_in_whatever_they_say(
    rows: list[tuple[str, str, str, str, str]],
) -> None:
    fields = [
        (commit, "2026-09-28T00:00:00+00:00", name, email, subject, trailer)
        for commit, name, email, subject, trailer in rows
    ]
    printed = "".join(f"{field}\0" for row in fields for field in row).encode()
    found = parse(printed)
    assert [commit.id for commit in found] == [row[0] for row in rows]
    for commit in found:
        shown = [
            commit.subject,
            *(a.name for a in commit.authors),
            *(a.email for a in commit.authors),
        ]
        assert all(text.isprintable() and len(text) <= 200 for text in shown)


@given(printed=st.binary(max_size=400))
def test_bytes_that_are_no_commits_are_refused_or_read_but_never_blow_up(printed: bytes) -> None:
    with suppress(Malformed):
        parse(printed)


async def test_a_hostile_commit_is_read_as_words(repository: Repository, reading: Reading) -> None:
    good = repository.commit("one")
    evil = "<!channel> *approve* \u202e`x` \x1b[31m\u2066\n\nCo-authored-by: \x07Eve\tE <eve@example.com> <x>\n"
    failed = repository.commit(evil, ("<!here> Ana\x1bOrtiz", "ana@example.com"))
    found = await asked(reading(), good, failed)
    assert subjects(found) == ["<!channel> *approve* `x` [31m"]
    assert names(found) == ["!here Ana Ortiz", "Eve E"]


async def test_a_commit_with_nul_no_author_and_bytes_that_are_no_text_is_read(
    repository: Repository, reading: Reading
) -> None:
    good = repository.commit("one")
    tree = repository.git("rev-parse", f"{good}^{{tree}}")
    at = int(datetime(2026, 9, 28, tzinfo=UTC).timestamp())
    body = (
        f"tree {tree}\nparent {good}\nauthor  <> {at} +0000\n"
        f"committer M <m@example.com> {at} +0000\n\n"
    ).encode() + b"half \xff\xfe a\0fter\n\nCo-authored-by: Ana Ortiz <ana@example.com>\n"
    failed = repository.raw(body)
    found = await asked(reading(), good, failed)
    assert len(subjects(found)) == 1
    assert subjects(found)[0].startswith("half")


def test_one_person_of_two_spellings_is_one_and_the_first_name_stays() -> None:
    row = (
        "a" * 40,
        "2026-09-28T00:00:00+00:00",
        "Ana",
        "ana@example.com",
        "x",
        "ANA <Ana@Example.com>",
    )
    (commit,) = parse("".join(f"{field}\0" for field in row).encode())
    assert commit.authors == (Author(name="Ana", email="ana@example.com"),)
    assert list(authors_of([commit, commit])) == ["ana@example.com"]
    assert ANA[1] == commit.authors[0].email


@pytest.mark.parametrize(
    ("said", "commit"),
    [
        ("a1b2c3d", "a1b2c3d"),
        ("registry.example.com/pipelines:sha-a1b2c3d", "a1b2c3d"),
        ("registry.example.com/pipelines:main-" + "0" * 39 + "1", "0" * 39 + "1"),
        ("image pipelines:A1B2C3D", "a1b2c3d"),
        ("pipelines@sha256:" + "a" * 64, None),
        ("20260930", None),
        ("1.4.2", None),
        ("latest", None),
        ("pipelines:v1.4.2-rc1", None),
        (None, None),
    ],
)
def test_only_what_looks_like_a_commit_is_taken_for_one(
    said: str | None, commit: str | None
) -> None:
    assert commit_in(said) == commit


def test_a_tag_of_a_run_names_a_commit_only_under_a_usual_word() -> None:
    assert commit_of({"team/git_sha": "a1b2c3d"}) == "a1b2c3d"
    assert commit_of({"git-commit": "a1b2c3d"}) == "a1b2c3d"
    assert commit_of({"dagster/partition": "a1b2c3d", "commit": "main"}) is None
