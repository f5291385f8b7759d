"""Everything that can go wrong over HTTP lands in one place of the error tree, without secrets."""

import asyncio
import inspect
import json
from collections.abc import AsyncIterator

import httpx
import pytest

from connectors.errors import (
    Broken,
    ConnectorError,
    Forbidden,
    Malformed,
    NotFound,
    Rejected,
    Throttled,
    TooSlow,
    Unreachable,
)
from connectors.http import FAULTS, Answer, Gate, Http, Patience, WriteByReader, fault_of

QUICK = Patience(whole=0.2, pause=0.01)
SECRET = "planted-secret"
EVERY = [
    cls
    for _, cls in inspect.getmembers(httpx, inspect.isclass)
    if issubclass(cls, Exception) and cls.__module__ == "httpx"
]


class Wire(httpx.AsyncBaseTransport):
    """Answers in turn; the last one stays. Counts what was sent."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self._answers = list(answers)
        self.sent = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.sent += 1
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def client(wire: httpx.AsyncBaseTransport, base: str = "http://x.example.com") -> Http:
    headers = {"Authorization": SECRET}
    return Http("dagster", base, headers=headers, transport=wire, patience=QUICK)


def test_every_exception_of_the_library_has_a_place_of_its_own() -> None:
    assert set(EVERY) == set(FAULTS)


@pytest.mark.parametrize("cls", EVERY, ids=lambda cls: cls.__name__)
def test_no_word_of_the_library_is_repeated(cls: type[Exception]) -> None:
    error = cls.__new__(cls)
    Exception.__init__(error, f"header {SECRET}")
    fault = fault_of(error, "dagster")
    assert isinstance(fault, ConnectorError)
    assert str(fault).startswith("dagster: ")
    assert SECRET not in str(fault)


@pytest.mark.parametrize("cls", [httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout])
def test_only_what_was_surely_not_sent_counts_as_not_sent(cls: type[httpx.TransportError]) -> None:
    assert type(fault_of(cls("x"), "")) is Unreachable


@pytest.mark.parametrize("cls", [httpx.ReadTimeout, httpx.WriteTimeout, httpx.ReadError])
def test_what_may_have_been_sent_has_an_unknown_outcome(cls: type[httpx.TransportError]) -> None:
    assert type(fault_of(cls("x"), "")) in (TooSlow, Broken)


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (301, NotFound),
        (302, Forbidden),
        (304, Malformed),
        (400, Rejected),
        (401, Forbidden),
        (403, Forbidden),
        (404, NotFound),
        (405, NotFound),
        (408, TooSlow),
        (409, Rejected),
        (422, Rejected),
        (429, Throttled),
        (451, Rejected),
        (500, Broken),
        (502, Broken),
        (503, Broken),
        (504, TooSlow),
        (599, Broken),
    ],
)
def test_each_status_has_its_place(status: int, error: type[ConnectorError]) -> None:
    fault = Answer(connection="dagster", response=httpx.Response(status)).fault()
    assert type(fault) is error
    assert str(status) in str(fault)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "17"}, 17),
        ({"retry-after": "0"}, 1),
        ({"retry-after": "999999"}, 900),
        ({"retry-after": "soon"}, 1),
        ({}, 1),
        (
            {
                "retry-after": "Tue, 29 Sep 2026 07:00:30 GMT",
                "date": "Tue, 29 Sep 2026 07:00:00 GMT",
            },
            30,
        ),
    ],
)
def test_how_long_it_asks_to_wait(headers: dict[str, str], seconds: float) -> None:
    fault = Answer(connection="x", response=httpx.Response(429, headers=headers)).fault()
    assert isinstance(fault, Throttled)
    assert fault.retry_after == seconds


@pytest.mark.parametrize("hiccup", [httpx.ConnectError("x"), httpx.ReadError("x")])
async def test_a_read_survives_a_hiccup(hiccup: Exception) -> None:
    wire = Wire(hiccup, httpx.Response(200, json={}))
    assert (await client(wire).get("/")).status == 200
    assert wire.sent == 2


async def test_a_read_gives_up_after_a_few_tries() -> None:
    wire = Wire(httpx.ConnectError("x"))
    with pytest.raises(Unreachable):
        await client(wire).get("/")
    assert wire.sent == QUICK.tries


@pytest.mark.parametrize("error", [httpx.ConnectError("x"), httpx.ReadError("x")])
async def test_a_write_is_sent_once(error: Exception) -> None:
    wire = Wire(error)
    with pytest.raises(ConnectorError):
        await client(wire).post("/", {})
    assert wire.sent == 1


async def test_a_slow_answer_is_not_waited_for_again() -> None:
    wire = Wire(httpx.ReadTimeout("x"))
    with pytest.raises(TooSlow):
        await client(wire).get("/")
    assert wire.sent == 1


async def test_an_answer_that_only_drips_is_given_up_on() -> None:
    class Drip(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            while True:
                yield b"x"
                await asyncio.sleep(0.01)

    with pytest.raises(TooSlow):
        await client(Wire(httpx.Response(200, stream=Drip()))).post("/", {})


@pytest.mark.parametrize("base", ["ftp://x.example.com", "x.example.com", "http://[::"])
async def test_an_address_that_can_not_be_used_names_dw_yml(base: str) -> None:
    with pytest.raises(NotFound, match=r"dw\.yml"):
        await Http(
            "dagster", base, headers={}, transport=httpx.AsyncHTTPTransport(), patience=QUICK
        ).get("/")


async def test_a_token_that_can_not_be_sent_is_not_repeated() -> None:
    with pytest.raises(Forbidden, match="can't be sent") as caught:
        Http("dagster", "http://x", headers={"A": "tökén"}, transport=Wire(), patience=QUICK)
    assert "tök" not in str(caught.value)


async def test_a_page_of_a_login_is_not_taken_for_an_answer() -> None:
    page = httpx.Response(200, html="<html>log in</html>")
    with pytest.raises(Malformed, match="text/html"):
        (await client(Wire(page)).get("/")).json()


async def gated(method: str, path: str, body: object = None) -> int:
    wire = Wire(httpx.Response(200))
    gate = Gate(wire, {"/query": lambda content: json.loads(content) == "read"})
    async with httpx.AsyncClient(transport=gate, base_url="http://x") as bare:
        await bare.request(method, path, json=body)
    return wire.sent


async def test_the_gate_lets_reads_through() -> None:
    assert await gated("GET", "/any") == 1
    assert await gated("POST", "/query", "read") == 1


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/query", "write"),
        ("POST", "/other", "read"),
        ("PUT", "/query", "read"),
        ("PATCH", "/query", "read"),
        ("DELETE", "/query", None),
    ],
)
async def test_the_gate_refuses_all_else(method: str, path: str, body: object) -> None:
    with pytest.raises(WriteByReader):
        await gated(method, path, body)
