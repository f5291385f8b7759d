"""One table from what goes wrong over HTTP to the error tree.

Texts of libraries never reach an error message: they may quote a header, and so a token.
"""

from collections.abc import Mapping
from email.utils import parsedate_to_datetime

import httpx

from connectors.connecting import why_not
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

_ADDRESS = (
    "its address in dw.yml can't be used; nothing was sent. Write it as https://host[:port][/path]"
)
_OURS = "its answer was handled wrongly by dw, and nothing is assumed from it. This is a defect: report it"
_UP = "Check the address in dw.yml, and whether it is up"
#: what is not known, and what comes next, when a request may have arrived
UNKNOWN = "Its outcome is unknown: a start is looked up, a question asked again"
#: said of every refusal; an actuator says instead that nothing was started
NOTHING_DONE = "nothing was done"
Fault = tuple[type[ConnectorError], str]

# The nearest class wins, so a new subclass of httpx falls under what it derives from.
FAULTS: Mapping[type[Exception], Fault] = {
    httpx.ConnectError: (Unreachable, f"no connection could be made; nothing was sent. {_UP}"),
    httpx.ConnectTimeout: (
        Unreachable,
        f"no connection within the time limit; nothing was sent. {_UP}",
    ),
    httpx.PoolTimeout: (
        Unreachable,
        "no free connection within the time limit; nothing was sent. It will be tried again",
    ),
    httpx.ProxyError: (
        Unreachable,
        "the proxy on the way refused; nothing was sent. Check its settings on this machine",
    ),
    httpx.ReadTimeout: (TooSlow, ""),
    httpx.WriteTimeout: (TooSlow, ""),
    httpx.TimeoutException: (TooSlow, ""),
    httpx.ReadError: (
        Broken,
        f"the connection broke before the answer was complete. {UNKNOWN}",
    ),
    httpx.WriteError: (Broken, f"the connection broke while the request was sent. {UNKNOWN}"),
    httpx.CloseError: (Broken, f"the connection broke while it was closed. {UNKNOWN}"),
    httpx.NetworkError: (Broken, f"the connection broke. {UNKNOWN}"),
    httpx.RemoteProtocolError: (
        Broken,
        f"it broke off, or does not speak HTTP at this address. {UNKNOWN}",
    ),
    httpx.LocalProtocolError: (
        Rejected,
        "the request can't be sent, and was not; look for stray characters in its token and address",
    ),
    httpx.ProtocolError: (Broken, f"it does not speak HTTP at this address. {UNKNOWN}"),
    httpx.UnsupportedProtocol: (NotFound, _ADDRESS),
    httpx.InvalidURL: (NotFound, _ADDRESS),
    httpx.TooManyRedirects: (
        Malformed,
        "it sends us round in circles, and nothing was read; check its address in dw.yml",
    ),
    httpx.DecodingError: (
        Malformed,
        f"its answer can't be unpacked. Nothing is assumed from it. {_UP}",
    ),
    httpx.TransportError: (Broken, f"the connection failed. {UNKNOWN}"),
    httpx.RequestError: (Broken, f"the request failed. {UNKNOWN}"),
    httpx.HTTPStatusError: (Broken, f"it answered with an error. {UNKNOWN}"),
    httpx.HTTPError: (Broken, f"the request failed. {UNKNOWN}"),
    httpx.CookieConflict: (
        Malformed,
        f"it sets the same cookie twice. Nothing is assumed from it. {_UP}",
    ),
    httpx.StreamConsumed: (Malformed, _OURS),
    httpx.StreamClosed: (Malformed, _OURS),
    httpx.ResponseNotRead: (Malformed, _OURS),
    httpx.RequestNotRead: (Malformed, _OURS),
    httpx.StreamError: (Malformed, _OURS),
}
_LOGIN = (
    f"it sends us elsewhere (HTTP {{0}}), as a login page does; {NOTHING_DONE}, and the token went nowhere "
    "else. Check the token and the address"
)
_MOVED = f"it has moved (HTTP {{0}}); {NOTHING_DONE}. Write its new address in dw.yml"
_ODD: Fault = (
    Malformed,
    "it answered with HTTP {0}, which means nothing here. Nothing is assumed from it; check its address",
)
STATUSES: Mapping[int, Fault] = {
    300: (NotFound, _MOVED),
    301: (NotFound, _MOVED),
    302: (Forbidden, _LOGIN),
    303: (Forbidden, _LOGIN),
    307: (Forbidden, _LOGIN),
    308: (NotFound, _MOVED),
    401: (
        Forbidden,
        f"it refused the token (HTTP {{0}}): missing, wrong or expired; {NOTHING_DONE}. Check the token",
    ),
    403: (
        Forbidden,
        f"the token may not do this (HTTP {{0}}); {NOTHING_DONE}. Check what it may do there",
    ),
    404: (
        NotFound,
        f"there is nothing at this address (HTTP {{0}}); {NOTHING_DONE}. Check it in dw.yml",
    ),
    405: (
        NotFound,
        f"this address takes no such request (HTTP {{0}}); {NOTHING_DONE}. Check it in dw.yml",
    ),
    407: (
        Forbidden,
        f"the proxy on the way wants a login (HTTP {{0}}); {NOTHING_DONE}. Check its settings here",
    ),
    408: (TooSlow, f"it gave up waiting for the request (HTTP {{0}}). {UNKNOWN}"),
    410: (
        NotFound,
        f"what was here is gone (HTTP {{0}}); {NOTHING_DONE}. Check the address in dw.yml",
    ),
    425: (Throttled, f"it asks to wait (HTTP {{0}}); {NOTHING_DONE}. It will be tried again"),
    429: (Throttled, f"it asks to wait (HTTP {{0}}); {NOTHING_DONE}. It will be tried again"),
    502: (Broken, f"the gateway before it had no proper answer from it (HTTP {{0}}). {UNKNOWN}"),
    504: (TooSlow, f"the gateway before it gave up waiting (HTTP {{0}}). {UNKNOWN}"),
}
FAMILIES: Mapping[int, Fault] = {
    3: _ODD,
    4: (
        Rejected,
        f"it refused the request (HTTP {{0}}); {NOTHING_DONE}. Check its address and version",
    ),
    5: (Broken, f"it answered with a fault of its own (HTTP {{0}}). {UNKNOWN}"),
}
_LONGEST_WAIT = 900.0


def fault_of(error: Exception, connection: str) -> ConnectorError:
    """What an exception of httpx means, by the table. Its own text is left out on purpose."""
    kind, text = next(FAULTS[cls] for cls in type(error).__mro__ if cls in FAULTS)
    told = why_not(error) if kind is Unreachable else None
    return kind(told or text, connection=connection)


def meaning(response: httpx.Response, connection: str) -> ConnectorError | None:
    """What a status means, by the table; None for 2xx."""
    if response.is_success:
        return None
    status = response.status_code
    kind, text = STATUSES.get(status) or FAMILIES.get(status // 100, _ODD)
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
