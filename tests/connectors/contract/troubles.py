"""What can go wrong between a reader and its server: each with the error it must become, and the words of it."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass

import httpx

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

Answer = Callable[[httpx.Request], httpx.Response]
LOGIN_PAGE = "<!doctype html><html><form action='/login'>Sign in</form></html>"
ELSEWHERE = "https://login.example.net/?next=x"
HOSTILE = "<!channel> \x1b[31m\x00\u202eapprove\u202c *now* <https://evil.example.net|dw> " * 500


@dataclass(frozen=True, kw_only=True)
class Trouble:
    """`answer` is given to every request, or raised. It becomes one of `errors`, whose text has `words`."""

    answer: Answer | Exception
    errors: tuple[type[ConnectorError], ...]
    words: str

    def given(self, request: httpx.Request) -> httpx.Response:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer(request)


def status(code: int, words: str, *errors: type[ConnectorError], **headers: str) -> Trouble:
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    return Trouble(
        answer=lambda _: httpx.Response(code, headers=told, text="<html>no</html>"),
        errors=errors,
        words=words,
    )


def body(content: bytes | str, words: str = "", kind: str = "application/json") -> Trouble:
    """200 with something that is no answer. Of an Airflow it is said that there is none at this address."""
    headers = {"content-type": kind}
    return Trouble(
        answer=lambda _: httpx.Response(200, content=content, headers=headers),
        errors=(Malformed, NotFound),
        words=words or "Nothing is assumed|no Airflow",
    )


def raised(error: Exception, kind: type[ConnectorError], words: str) -> Trouble:
    return Trouble(answer=error, errors=(kind,), words=words)


class Endless(httpx.AsyncByteStream):
    """Counts what it gave; stops by itself long after anybody should have hung up."""

    given = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for _ in range(10_000):
            self.given += 10_000
            yield b" " * 10_000


def _endless(_: httpx.Request) -> httpx.Response:
    return httpx.Response(
        200, stream=Endless(), headers={"content-type": "application/json; charset=utf-8"}
    )


def _packed_badly(_: httpx.Request) -> httpx.Response:
    return httpx.Response(
        200, headers={"content-encoding": "gzip"}, stream=httpx.ByteStream(b"no gzip at all")
    )


_REFUSED = "refused (the (token|login|credential)|user ana)"
TROUBLES: Mapping[str, Trouble] = {
    "unauthorised": status(401, _REFUSED, Forbidden),
    "forbidden": status(403, "may not do this", Forbidden),
    "not found": status(404, "nothing at this address|no such|no Airflow", NotFound),
    "gone": status(410, "gone", NotFound),
    "not a method of this address": status(405, "no such request|no Airflow", NotFound),
    "a bad request": status(400, "refused", Rejected),
    "rate limited": status(429, "asks to wait", Throttled, retry_after="17"),
    "a fault of its own": status(500, "fault of its own", Broken),
    "a gateway without an answer": status(502, "gateway", Broken),
    "under maintenance": status(503, "fault of its own", Broken),
    "a gateway that gave up": status(504, "gave up waiting", TooSlow),
    "moved": status(308, "moved|no Airflow", NotFound, location=ELSEWHERE),
    "sent to another host": status(302, "sends us elsewhere", Forbidden, location=ELSEWHERE),
    "a time-out": raised(httpx.ReadTimeout("x"), TooSlow, "did not answer in time"),
    "no connection in time": raised(httpx.ConnectTimeout("x"), Unreachable, "nothing was sent"),
    "nobody there": raised(httpx.ConnectError("x"), Unreachable, "nothing was sent"),
    "broken off": raised(httpx.RemoteProtocolError("x"), Broken, "broke off"),
    "a login page": body(LOGIN_PAGE, "text/html|no Airflow", "text/html"),
    "cut off": body('{"data": {"version": "1.1'),
    "nothing at all": body(b""),
    "no text": body(b"\xff\xfe\x00\xd8"),
    "null": body("null"),
    "a list": body("[7]"),
    "a word": body('"ok"'),
    "a number": body("7"),
    "an empty object": body("{}"),
    "data that are null": body('{"data": null}'),
    "data that are a number": body('{"data": 7}'),
    "nested without end": body("[" * 100_000),
    "a list of words": body(json.dumps(["x"] * 300)),
    "unpacked badly": Trouble(answer=_packed_badly, errors=(Malformed,), words="unpacked"),
    "endless": Trouble(answer=_endless, errors=(TooSlow,), words="longer than 0.3 MB"),
}
