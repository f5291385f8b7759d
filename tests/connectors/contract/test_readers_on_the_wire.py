"""The troubles that only a real socket has: nobody there, TLS, silence, an answer cut off or without end, a way elsewhere."""

import contextlib
import re
from pathlib import Path

import pytest

from connectors.errors import Broken, ConnectorError, Forbidden, TooSlow, Unreachable
from connectors.http import Patience
from tests.connectors.contract.readers import KINDS, SECRET, Kind
from tests.connectors.contract.wire import Socket, answer, with_certificate
from tests.postgres_server import free_port

pytestmark = pytest.mark.loopback
every = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
BRIEF = Patience(whole=0.3, connect=0.3, tries=1, pause=0.001, most=300_000)
STEADY = Patience(whole=20, connect=10, tries=1, pause=0.001, most=300_000)


async def asked(kind: Kind, address: str, patience: Patience = STEADY) -> ConnectorError:
    """The error that its first question becomes, over its own transport."""
    path = re.sub(r"^https?://[^/]+", "", kind.url)
    reader = kind.build(address + path, None, patience)
    try:
        with pytest.raises(ConnectorError) as caught:
            await reader.ping()
    finally:
        await reader.close()
    return caught.value


@every
async def test_nobody_there_is_told_as_that(kind: Kind) -> None:
    problem = await asked(kind, f"http://127.0.0.1:{free_port()}")
    assert isinstance(problem, Unreachable)
    assert "nobody listens there; nothing was sent" in str(problem)


@every
async def test_silence_is_not_waited_for_without_end(kind: Kind) -> None:
    server = Socket(b"", then="silence")
    async with server.up() as address:
        assert isinstance(await asked(kind, address, BRIEF), TooSlow)
        await server.hung_up.wait()


@every
async def test_a_flood_is_cut_off_and_hung_up_on(kind: Kind) -> None:
    server = Socket(answer("200 OK", "Transfer-Encoding: chunked"), then="flood")
    async with server.up() as address:
        problem = await asked(kind, address)
        assert isinstance(problem, TooSlow)
        assert "longer than 0.3 MB" in str(problem)
        await server.hung_up.wait()


@every
async def test_an_answer_that_is_cut_off_is_none(kind: Kind) -> None:
    whole = answer("200 OK", "Content-Type: application/json", "Content-Length: 900", body=b"{}")
    async with Socket(whole).up() as address:
        assert isinstance(await asked(kind, address), Broken)


@every
async def test_a_certificate_that_nobody_trusts_is_told_as_that(kind: Kind, tmp_path: Path) -> None:
    server = Socket(answer("200 OK"))
    async with server.up(with_certificate(tmp_path)) as address:
        problem = await asked(kind, address)
    assert isinstance(problem, Unreachable)
    assert "certificate is signed by itself; nothing was sent" in str(problem)
    assert server.heads == []


@pytest.mark.parametrize("kind", [KINDS["dagster"]], ids=["dagster"])
async def test_a_server_that_speaks_no_tls_is_told_as_that(kind: Kind) -> None:
    async with Socket(answer("200 OK")).up() as address:
        problem = await asked(kind, address.replace("http://", "https://"))
    assert "no TLS connection could be made; nothing was sent" in str(problem)


@every
async def test_the_token_does_not_go_where_it_is_sent_on_to(kind: Kind) -> None:
    other = Socket(answer("200 OK", "Content-Length: 2", body=b"{}"))
    async with contextlib.AsyncExitStack() as stack:
        elsewhere = await stack.enter_async_context(other.up())
        told = answer("302 Found", f"Location: {elsewhere}/login", "Content-Length: 0")
        address = await stack.enter_async_context(Socket(told).up())
        problem = await asked(kind, address)
    assert isinstance(problem, Forbidden)
    assert "the token went nowhere else" in str(problem)
    assert other.heads == []
    assert SECRET not in str(problem)
