"""The leash that git is on: its environment, its bounds, and what is left when it is cut off."""

import asyncio
import os
from pathlib import Path

import pytest

from connectors.errors import Malformed, NotFound, Rejected, TooSlow
from connectors.git import Bounds
from connectors.git.binary import Remote, _binary, environment
from connectors.git.reader import _version
from connectors.git.refusals import meaning
from tests.connectors.git.conftest import Reading
from tests.connectors.git.repositories import Repository
from tests.connectors.git.test_git_history import asked, subjects


def test_nothing_that_is_configured_on_the_machine_counts() -> None:
    known = environment(
        Remote(connection="code", url="https://git.example.com/x.git"), network=True
    )
    assert known["GIT_CONFIG_NOSYSTEM"] == "1"
    assert known["GIT_CONFIG_GLOBAL"] == os.devnull
    assert known["GIT_TERMINAL_PROMPT"] == "0"
    assert known["GIT_ALLOW_PROTOCOL"] == "https"
    assert "HOME" not in known
    keys = {known[f"GIT_CONFIG_KEY_{n}"]: known[f"GIT_CONFIG_VALUE_{n}"] for n in range(12)}
    assert keys["core.hooksPath"] == os.devnull
    assert keys["credential.helper"] == ""
    assert keys["http.followRedirects"] == "false"


def test_a_token_is_only_given_to_the_child_that_speaks_to_the_host() -> None:
    remote = Remote(connection="code", url="https://git.example.com/x.git", token="planted-token")
    held = [" ".join(environment(remote, network=speaks).values()) for speaks in (True, False)]
    assert ["Authorization: Basic" in values for values in held] == [True, False]
    assert environment(remote, network=False)["GIT_ALLOW_PROTOCOL"] == ""
    ssh = Remote(connection="code", url="ssh://git@git.example.com/x.git", token="planted-token")
    assert "Authorization" not in " ".join(environment(ssh, network=True).values())


def test_a_machine_without_git_says_what_to_install() -> None:
    with pytest.raises(NotFound, match="git is not installed here"):
        _binary("code", which=lambda _: None)


async def test_a_history_that_is_too_large_is_not_kept_by_halves(
    repository: Repository, reading: Reading
) -> None:
    good = repository.commit("one")
    failed = repository.commit("two " + os.urandom(50_000).hex())
    reader = reading(bounds=Bounds(size=10_000))
    with pytest.raises(Rejected, match="larger than"):
        await asked(reader, good, failed)
    assert not reader._copy.git.folder.exists()


async def test_an_answer_without_an_end_is_cut_off(
    repository: Repository, reading: Reading
) -> None:
    good = repository.commit("one")
    for number in range(3):
        repository.commit(f"{number} " + "x" * 50_000)
    with pytest.raises(Malformed, match="more than can be read"):
        await asked(reading(bounds=Bounds(answer=60_000)), good, repository.commits[-1])


async def test_what_a_cut_off_fetch_left_is_swept_away(
    repository: Repository, reading: Reading
) -> None:
    reader = reading()
    good, failed = repository.commit("one"), repository.commit("two")
    await asked(reader, good, failed)
    left = reader._copy.git.folder / "objects" / "pack" / "tmp_pack_x"
    stale = reader._copy.git.folder / "packed-refs.lock"
    for file in (left, stale):
        file.write_bytes(b"half")
    later = repository.commit("three")
    assert subjects(await asked(reader, failed, later)) == ["three"]
    assert not left.exists()
    assert not stale.exists()


async def test_two_readers_of_one_folder_take_turns(
    repository: Repository, reading: Reading
) -> None:
    good, failed = repository.commit("one"), repository.commit("two")
    found = await asyncio.gather(*(asked(reading(), good, failed) for _ in range(4)))
    assert [subjects(one) for one in found] == [["two"]] * 4


async def test_a_process_that_holds_the_folder_for_ever_is_not_waited_for(
    repository: Repository, reading: Reading
) -> None:
    good, failed = repository.commit("one"), repository.commit("two")
    async with reading()._copy._alone():
        with pytest.raises(TooSlow, match="another process"):
            await asked(reading(bounds=Bounds(network=0.3)), good, failed)


async def test_a_folder_that_can_not_be_written_is_said(
    repository: Repository, reading: Reading, tmp_path: Path
) -> None:
    (tmp_path / "data").write_text("a file")
    good, failed = repository.commit("one"), repository.commit("two")
    with pytest.raises(Rejected, match="DW_DATA can't be written"):
        await asked(reading(), good, failed)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("git@x: Permission denied (publickey).\nfatal: Could not read from remote", "our key"),
        ("Host key verification failed.", "known_hosts"),
        ("fatal: detected dubious ownership in repository at '/x'", "another account"),
        ("fatal: unable to access 'u': SSL certificate problem: self-signed", "not trusted here"),
        ("error: unable to write file: No space left on device", "is full"),
        ("fatal: bad object HEAD", "made again"),
        ("fatal: something new", "git failed: fatal: something new"),
        ("", "it said nothing"),
    ],
)
def test_what_git_prints_becomes_words(said: str, words: str) -> None:
    found = str(meaning(said, "code", "https://git.example.com/x.git"))
    assert found.startswith("code: ")
    assert words in found


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ("git version 2.39.5\n", (2, 39, 5)),
        ("git version 2.50.1 (Apple Git-155)", (2, 50, 1)),
        ("", ()),
    ],
)
def test_a_version_is_read_whatever_stands_around_it(said: str, version: tuple[int, ...]) -> None:
    assert _version(said) == version


async def test_a_copy_outlives_a_host_that_refuses(
    repository: Repository, reading: Reading, tmp_path: Path
) -> None:
    good, failed = repository.commit("one"), repository.commit("two")
    reader = reading()
    await asked(reader, good, failed)
    repository.folder.rename(tmp_path / "moved.git")
    with pytest.raises(NotFound, match="no such repository"):
        await asked(reader, failed, "abcdef12")
    assert subjects(await asked(reader, good, failed)) == ["two"]
