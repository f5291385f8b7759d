"""One door to every system that speaks HTTP, and one table from what goes wrong to the error tree.

Texts of libraries never reach an error message: they may quote a header, and so a token.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import httpx
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_random

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

T = TypeVar("T")
_ADDRESS = "its address in dw.yml can't be used; write it as https://host[:port][/path]"
_OURS = "its answer was handled wrongly by dw; this is a defect: report it"
Fault = tuple[type[ConnectorError], str]

# The nearest class wins, so a new subclass of httpx falls under what it derives from.
FAULTS: Mapping[type[Exception], Fault] = {
    httpx.ConnectError: (Unreachable, "no connection could be made; nothing was sent"),
    httpx.ConnectTimeout: (Unreachable, "no connection within the time limit; nothing was sent"),
    httpx.PoolTimeout: (Unreachable, "no free connection within the time limit; nothing was sent"),
    httpx.ProxyError: (Unreachable, "the proxy on the way refused; nothing was sent"),
    httpx.ReadTimeout: (TooSlow, ""),
    httpx.WriteTimeout: (TooSlow, ""),
    httpx.TimeoutException: (TooSlow, ""),
    httpx.ReadError: (Broken, "the connection broke before the answer was complete"),
    httpx.WriteError: (Broken, "the connection broke while the request was sent"),
    httpx.CloseError: (Broken, "the connection broke while it was closed"),
    httpx.NetworkError: (Broken, "the connection broke"),
    httpx.RemoteProtocolError: (Broken, "it broke off, or does not speak HTTP at this address"),
    httpx.LocalProtocolError: (Rejected, "the request can't be sent; look for stray characters"),
    httpx.ProtocolError: (Broken, "it does not speak HTTP at this address"),
    httpx.UnsupportedProtocol: (NotFound, _ADDRESS),
    httpx.InvalidURL: (NotFound, _ADDRESS),
    httpx.TooManyRedirects: (Malformed, "it sends us round in circles; check its address"),
    httpx.DecodingError: (Malformed, "its answer can't be unpacked"),
    httpx.TransportError: (Broken, "the connection failed"),
    httpx.RequestError: (Broken, "the request failed"),
    httpx.HTTPStatusError: (Broken, "it answered with an error"),
    httpx.HTTPError: (Broken, "the request failed"),
    httpx.CookieConflict: (Malformed, "it sets the same cookie twice"),
    httpx.StreamConsumed: (Malformed, _OURS),
    httpx.StreamClosed: (Malformed, _OURS),
    httpx.ResponseNotRead: (Malformed, _OURS),
    httpx.RequestNotRead: (Malformed, _OURS),
    httpx.StreamError: (Malformed, _OURS),
}
_LOGIN = "it sends us elsewhere (HTTP {0}), as a login page does; check the token and the address"
_MOVED = "it has moved (HTTP {0}); write its new address in dw.yml"
_REFUSED = "it refused the request (HTTP {0}); nothing was done"
_FAULT = "it answered with a fault of its own (HTTP {0})"
STATUSES: Mapping[int, Fault] = {
    300: (NotFound, _MOVED),
    301: (NotFound, _MOVED),
    302: (Forbidden, _LOGIN),
    303: (Forbidden, _LOGIN),
    307: (Forbidden, _LOGIN),
    308: (NotFound, _MOVED),
    401: (
        Forbidden,
        "it refused the token (HTTP {0}): missing, wrong or expired; nothing was done",
    ),
    403: (Forbidden, "the token may not do this (HTTP {0}); nothing was done"),
    404: (NotFound, "there is nothing at this address (HTTP {0}); check it in dw.yml"),
    405: (NotFound, "this address takes no such request (HTTP {0}); check it in dw.yml"),
    407: (Forbidden, "the proxy on the way wants a login (HTTP {0}); nothing was done"),
    408: (TooSlow, "it gave up waiting for the request (HTTP {0})"),
    410: (NotFound, "what was here is gone (HTTP {0}); check the address in dw.yml"),
    425: (Throttled, "it asks to wait (HTTP {0}); nothing was done"),
    429: (Throttled, "it asks to wait (HTTP {0}); nothing was done"),
    502: (Broken, "the gateway before it had no proper answer from it (HTTP {0})"),
    504: (TooSlow, "the gateway before it gave up waiting (HTTP {0})"),
}
_FAMILIES: Mapping[int, Fault] = {
    3: (Malformed, "it answered with HTTP {0}, which means nothing here"),
    4: (Rejected, _REFUSED),
    5: (Broken, _FAULT),
}
_ODD: Fault = (Malformed, "it answered with HTTP {0}, which means nothing here")
_LONGEST_WAIT = 900.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Patience:
    """How long to wait, in seconds, and how often a read is tried when it hiccups."""

    connect: float = 5
    whole: float = 30
    tries: int = 3
    pause: float = 0.3


class WriteByReader(Forbidden):
    """A reader tried to send what only an actuator may. Nothing was sent. This is a defect: report it."""


class Gate(httpx.AsyncBaseTransport):
    """Lets GET through and POST only to the named paths with a body that `passes`; all else is refused."""

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
        passes = self._posts.get(request.url.path)
        return request.method == "POST" and passes is not None and passes(await request.aread())

    async def aclose(self) -> None:
        """Close what is behind."""
        await self._inner.aclose()


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
            return self.response.json()
        except ValueError:
            kind = self.response.headers.get("content-type", "no content type").split(";")[0]
            says = f"its answer is not JSON but {kind} (HTTP {self.status}); is the address right?"
        raise Malformed(says, connection=self.connection)

    def fault(self) -> ConnectorError | None:
        """What its status means by the table; None for 2xx."""
        if self.response.is_success:
            return None
        kind, text = STATUSES.get(self.status) or _FAMILIES.get(self.status // 100, _ODD)
        message = text.format(self.status)
        if kind is Throttled:
            wait = _retry_after(self.response.headers)
            return Throttled(message, connection=self.connection, retry_after=wait)
        return kind(message, connection=self.connection)


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
        return await self.again(lambda: self._send("GET", path, None))

    async def post(self, path: str, body: object) -> Answer:
        """One POST, sent once."""
        return await self._send("POST", path, body)

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

    async def _send(self, method: str, path: str, body: object) -> Answer:
        try:
            async with asyncio.timeout(self._patience.whole):
                response = await self._client.request(method, path, json=body)
            return Answer(connection=self.connection, response=response)
        except TimeoutError:
            problem: ConnectorError = TooSlow(connection=self.connection)
        except tuple(FAULTS) as error:
            problem = fault_of(error, self.connection)
        raise problem from None


def fault_of(error: Exception, connection: str) -> ConnectorError:
    """What an exception of httpx means, by the table. Its own text is left out on purpose."""
    kind, text = next(FAULTS[cls] for cls in type(error).__mro__ if cls in FAULTS)
    return kind(text, connection=connection)


def _retry_after(headers: httpx.Headers) -> float:
    """Seconds to wait. A date is read against the answer's own date, so no clock is needed."""
    given = headers.get("retry-after", "")
    try:
        seconds = float(given) if given.replace(".", "", 1).isdigit() else _until(given, headers)
    except (TypeError, ValueError):
        seconds = 1.0
    return min(max(seconds, 1.0), _LONGEST_WAIT)


def _until(given: str, headers: httpx.Headers) -> float:
    then, now = parsedate_to_datetime(given), parsedate_to_datetime(headers.get("date", ""))
    return (then - now).total_seconds()
