"""One door to every system that speaks HTTP."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_random

from connectors.errors import (
    Broken,
    ConnectorError,
    Forbidden,
    Malformed,
    TooSlow,
    Unreachable,
)
from connectors.http_faults import FAULTS, NOTHING_DONE, STATUSES, UNKNOWN, fault_of, meaning

__all__ = [
    "FAULTS",
    "NOTHING_DONE",
    "STATUSES",
    "UNKNOWN",
    "Answer",
    "Gate",
    "Http",
    "Patience",
    "Request",
    "WriteByReader",
    "fault_of",
    "taken_in",
]

T = TypeVar("T")
_HALF = b"\\ud"  # how JSON writes half of a pair
_NOT_JSON = (ValueError, RecursionError)  # the latter for what is nested without end
_NOT_ASSUMED = (
    ". Nothing is assumed from it: is the address right, and is there a login page before it?"
)


_TOO_LONG = (
    "its answer is longer than {0:g} MB, and nothing of it was kept. A start is looked up; "
    "of a question ask for less, or check the address in dw.yml"
)
_OF_THE_WAY = ("content-encoding", "content-length", "transfer-encoding")


@dataclass(frozen=True, kw_only=True, slots=True)
class Patience:
    """How long to wait, in seconds, how often a read is tried when it hiccups, how many bytes are taken in."""

    connect: float = 5
    whole: float = 30
    tries: int = 3
    pause: float = 0.3
    most: int = 20_000_000


class WriteByReader(Forbidden):
    """A reader tried to send what only an actuator may. Nothing was sent. This is a defect: report it."""


class Gate(httpx.AsyncBaseTransport):
    """Lets GET through, and POST only to the named paths or whole URLs with a body that `passes`."""

    def __init__(
        self,
        inner: httpx.AsyncBaseTransport,
        posts: Mapping[str, Callable[[bytes], bool]],
    ) -> None:
        self._inner = inner
        self._posts = posts

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Refuse, or hand on."""
        if not await self._harmless(request):
            raise WriteByReader
        return await self._inner.handle_async_request(request)

    async def _harmless(self, request: httpx.Request) -> bool:
        if request.method in ("GET", "HEAD"):
            return True
        passes = self._posts.get(request.url.path) or self._posts.get(str(request.url))
        return request.method == "POST" and passes is not None and passes(await request.aread())

    async def aclose(self) -> None:
        """Close what is behind."""
        await self._inner.aclose()


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """What to send: to a path below the base, or to a whole URL; with one body or none."""

    method: str = "GET"
    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    json: object = None
    form: Mapping[str, str] | None = field(default=None, repr=False)
    content: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What came back, whatever its status."""

    connection: str
    response: httpx.Response

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.response.status_code

    def json(self) -> Any:
        """The body; `Malformed` when it is not JSON."""
        try:
            return self._parsed()
        except _NOT_JSON:
            kind = self.response.headers.get("content-type", "no content type").split(";")[0][:60]
            says = f"its answer is not JSON but {kind} (HTTP {self.status}){_NOT_ASSUMED}"
        raise Malformed(says, connection=self.connection)

    def told(self) -> dict[str, Any]:
        """The object in the body, for the words of a refusal; empty when there is none."""
        try:
            body = self._parsed()
        except _NOT_JSON:
            return {}
        return body if isinstance(body, dict) else {}

    def _parsed(self) -> Any:
        """NaN and infinity are no numbers JSON knows; half a character can't be sent on or stored."""
        found = self.response.json(parse_constant=lambda _: None)
        return whole(found) if _HALF in self.response.content else found

    def fault(self) -> ConnectorError | None:
        """What its status means by the table; None for 2xx."""
        return meaning(self.response, self.connection)


class Http:
    """A client for one connection. Reads are tried again after a hiccup, writes never."""

    def __init__(
        self,
        connection: str,
        base: str,
        *,
        headers: Mapping[str, str],
        transport: httpx.AsyncBaseTransport,
        patience: Patience | None = None,
    ) -> None:
        self.connection = connection
        self._patience = patience or Patience()
        whole = self._patience.whole
        try:
            self._client = httpx.AsyncClient(
                base_url=base,
                headers=dict(headers),
                transport=transport,
                timeout=httpx.Timeout(whole, connect=min(self._patience.connect, whole)),
                follow_redirects=False,
            )
        except UnicodeEncodeError:
            says = "the token holds characters that can't be sent; nothing was sent"
            problem: ConnectorError = Forbidden(says, connection=connection)
        except httpx.InvalidURL as error:
            problem = fault_of(error, connection)
        else:
            return
        raise problem from None

    async def get(self, path: str) -> Answer:
        """One GET; tried again after a hiccup."""
        return await self.again(lambda: self.once(Request(url=path)))

    async def once(self, request: Request, *, most: int | None = None) -> Answer:
        """Any request, sent once, for callers that try again themselves.

        At most `most` bytes are taken in, where it is not the usual; `TooSlow` when there are more.
        """
        limit = most or self._patience.most
        return await self._heard(self._taken(request, limit, keep=limit))

    async def ending(
        self, path: str, headers: Mapping[str, str], *, keep: int, most: int
    ) -> Answer:
        """One GET of which only the last `keep` bytes are kept; at most `most` bytes are taken in.

        The answer's `response` holds that ending. `TooSlow` when it is longer than `most`.
        """
        request = Request(url=path, headers=headers)
        return await self._heard(self._taken(request, most, keep=keep))

    async def post(self, path: str, body: object) -> Answer:
        """One POST, sent once."""
        return await self.once(Request(method="POST", url=path, json=body))

    async def again(self, read: Callable[[], Awaitable[T]]) -> T:
        """Run a read, and run it again when there was no connection or the other side stumbled.

        For reads only. Waits well under a second in all: longer troubles belong to the caller.
        """

        async def once() -> T:
            return await read()

        attempts = AsyncRetrying(
            stop=stop_after_attempt(self._patience.tries),
            wait=wait_random(self._patience.pause / 2, self._patience.pause),
            retry=retry_if_exception_type((Unreachable, Broken)),
            reraise=True,
        )
        return await attempts(once)

    async def close(self) -> None:
        """Let go of the connections."""
        await self._client.aclose()

    async def _heard(self, asked: Awaitable[httpx.Response]) -> Answer:
        try:
            async with asyncio.timeout(self._patience.whole):
                response = await asked
            return Answer(connection=self.connection, response=response)
        except TimeoutError:
            problem: ConnectorError = TooSlow(connection=self.connection)
        except tuple(FAULTS) as error:
            problem = fault_of(error, self.connection)
        raise problem from None

    async def _taken(self, request: Request, most: int, *, keep: int) -> httpx.Response:
        """The answer, of whose unpacked body the last `keep` bytes are held; no more than `most` come in."""
        async with self._client.stream(**_sent(request)) as response:
            content = await taken_in(response, self.connection, most, keep=keep)
        headers = [pair for pair in response.headers.multi_items() if pair[0] not in _OF_THE_WAY]
        return httpx.Response(
            response.status_code, headers=headers, content=content, request=response.request
        )


async def taken_in(
    response: httpx.Response, connection: str, most: int, *, keep: int | None = None
) -> bytes:
    """The unpacked body, or its last `keep` bytes; `TooSlow` when it is longer than `most` bytes."""
    taken, end = 0, bytearray()
    async for piece in response.aiter_bytes():
        taken += len(piece)
        end += piece
        del end[: -(keep or most)]
        if taken > most:
            raise TooSlow(_TOO_LONG.format(most / 1e6), connection=connection)
    return bytes(end)


def whole(value: Any) -> Any:
    """JSON may hold half of a surrogate pair, which nothing takes: it becomes `?`."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [whole(item) for item in value]
    if isinstance(value, dict):
        return {whole(key): whole(item) for key, item in value.items()}
    return value


def _sent(request: Request) -> dict[str, Any]:
    return {
        "method": request.method,
        "url": request.url,
        "headers": dict(request.headers),
        "json": request.json,
        "data": dict(request.form) if request.form else None,
        "content": request.content,
    }
