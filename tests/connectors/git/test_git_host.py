"""The same over HTTP: who gets the token, what is said when it is refused, and that nothing is ever pushed."""

import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web

from connectors.errors import (
    Broken,
    ConnectorError,
    Forbidden,
    NotFound,
    Rejected,
    Throttled,
    TooSlow,
    Unreachable,
)
from connectors.git import Bounds
from connectors.git.binary import Git, environment
from tests.connectors.git.conftest import Reading
from tests.connectors.git.host import TOKEN, Host, a_host, basic
from tests.connectors.git.repositories import GIT, Repository
from tests.connectors.git.test_git_history import asked, subjects
from tests.postgres_server import free_port

pytestmark = pytest.mark.loopback
HURRIED = Bounds(network=1)


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[Host]:
    async with a_host(tmp_path) as built:
        yield built


@pytest.fixture
def pipelines(host: Host) -> str:
    return f"{host.url}/pipelines.git"


async def test_a_private_repository_is_read_with_its_token_and_no_other(
    host: Host, pipelines: str, repository: Repository, reading: Reading
) -> None:
    good, failed = repository.commit("one"), repository.commit("two")
    reader = reading(url=pipelines, token=TOKEN)
    assert subjects(await asked(reader, good, failed)) == ["two"]
    assert set(host.seen) == {basic("x-access-token", TOKEN)}
    host.user = "oauth2"
    health = await reading(url=pipelines, token=TOKEN, user="oauth2").ping()
    assert health.version.startswith("git 2.")
    assert f"the default branch is at {failed[:7]}" in health.says


async def test_the_token_stands_in_no_command_no_file_and_no_error(
    host: Host, pipelines: str, repository: Repository, reading: Reading, tmp_path: Path
) -> None:
    good, failed = repository.commit("one"), repository.commit("two")
    reader = reading(url=pipelines, token=TOKEN)
    await asked(reader, good, failed)
    host.token = "another"
    with pytest.raises(Forbidden) as refused:
        await reader.ping()
    pair = basic("x-access-token", TOKEN).removeprefix("Basic ")
    files = b"".join(f.read_bytes() for f in (tmp_path / "data").rglob("*") if f.is_file())
    told = [*host.commands, str(refused.value), repr(reader._copy.remote), files.decode("latin-1")]
    assert any("fetch" in line for line in host.commands)
    assert [text for text in told if TOKEN in text or pair in text] == []


async def test_nothing_can_be_pushed_through_it(
    host: Host, pipelines: str, repository: Repository, reading: Reading
) -> None:
    """Not by a verb of ours, and not by whoever gets hold of its copy and its environment."""
    good, failed = repository.commit("one"), repository.commit("two")
    repository.git("config", "http.receivepack", "true")
    reader = reading(url=pipelines, token=TOKEN)
    await asked(reader, good, failed)
    git: Git = reader._copy.git
    for verb in ("push", "send-pack", "remote", "config", "receive-pack", "http-push"):
        with pytest.raises(Rejected, match="never run"):
            await git.ask(verb, "origin", f"{good}:refs/heads/evil")
    words = [GIT, "--git-dir", str(git.folder), "push", "origin", f"{good}:refs/heads/evil"]
    tried = subprocess.run(  # noqa: S603, ASYNC221 - its own words; nothing else runs meanwhile
        words, check=False, env=dict(environment(git.remote, network=True)), capture_output=True
    )
    assert b"transport 'ext' not allowed" in tried.stderr
    assert repository.head("evil") is None
    assert [one for one in host.asked if "receive-pack" in one] == []
    assert any("git-upload-pack" in one for one in host.asked)


@pytest.mark.parametrize(
    ("status", "kind", "says"),
    [
        (401, Forbidden, "it refused us"),
        (403, Forbidden, "it refused us"),
        (404, NotFound, "no such repository"),
        (429, Throttled, "asks to wait"),
        (500, Broken, "fault of its own"),
        (302, Rejected, "it has moved"),
    ],
)
async def test_what_the_host_refuses_is_said_in_words_that_help(
    host: Host, pipelines: str, reading: Reading, status: int, kind: type[ConnectorError], says: str
) -> None:
    where = {"Location": f"http://localhost:{free_port()}/x"} if status == 302 else {}
    host.answer = lambda: web.Response(status=status, headers=where)
    with pytest.raises(kind, match=says):
        await reading(url=pipelines, token=TOKEN).ping()


async def test_a_token_never_follows_to_another_host(
    host: Host, pipelines: str, repository: Repository, reading: Reading, tmp_path: Path
) -> None:
    repository.commit("one")
    async with a_host(tmp_path) as other:
        host.answer = lambda: web.Response(
            status=302, headers={"Location": f"{other.url}/pipelines.git/info/refs"}
        )
        with pytest.raises(Rejected, match="it has moved"):
            await reading(url=pipelines, token=TOKEN).ping()
        assert other.seen == []


async def test_a_host_that_is_not_there_or_never_answers_is_said(
    host: Host, pipelines: str, reading: Reading
) -> None:
    with pytest.raises(Unreachable, match="no connection could be made"):
        await reading(url=f"http://127.0.0.1:{free_port()}/x.git").ping()
    host.wait = 30
    with pytest.raises(TooSlow, match="did not end within 1 s"):
        await reading(url=pipelines, token=TOKEN, bounds=HURRIED).ping()


async def test_a_login_page_is_no_repository(host: Host, pipelines: str, reading: Reading) -> None:
    host.answer = lambda: web.Response(text="<html>Log in</html>", content_type="text/html")
    with pytest.raises(NotFound, match="a login page answers"):
        await reading(url=pipelines, token=TOKEN).ping()
