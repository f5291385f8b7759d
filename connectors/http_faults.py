"""One table from what goes wrong over HTTP to the error tree.

Texts of libraries never reach an error message: they may quote a header, and so a token.
"""

from collections.abc import Mapping
from email.utils import parsedate_to_datetime

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


def fault_of(error: Exception, connection: str) -> ConnectorError:
    """What an exception of httpx means, by the table. Its own text is left out on purpose."""
    kind, text = next(FAULTS[cls] for cls in type(error).__mro__ if cls in FAULTS)
    return kind(text, connection=connection)


def meaning(response: httpx.Response, connection: str) -> ConnectorError | None:
    """What a status means, by the table; None for 2xx."""
    if response.is_success:
        return None
    status = response.status_code
    kind, text = STATUSES.get(status) or _FAMILIES.get(status // 100, _ODD)
    message = text.format(status)
    if kind is Throttled:
        wait = retry_after(response.headers)
        return Throttled(message, connection=connection, retry_after=wait)
    return kind(message, connection=connection)


def retry_after(headers: httpx.Headers) -> float:
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
