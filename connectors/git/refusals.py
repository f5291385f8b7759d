"""What git prints when it fails, in the house's errors: what happened, and what a person can do."""

from connectors.errors import (
    Broken,
    ConnectorError,
    Forbidden,
    Malformed,
    NotFound,
    Rejected,
    Throttled,
    Unreachable,
)

_LONGEST = 200
Row = tuple[tuple[str, ...], type[ConnectorError], str]
_TOKEN = "check its token: the one in DW_<NAME>_TOKEN must be allowed to read this repository"  # noqa: S105 - words about one
#: in this order: a later row is the vaguer one
_ROWS: tuple[Row, ...] = (
    (("returned error: 401", "returned error: 403"), Forbidden, f"it refused us; {_TOKEN}"),
    (("authentication failed", "could not read username"), Forbidden, f"it refused us; {_TOKEN}"),
    (("invalid credentials", "access denied"), Forbidden, f"it refused us; {_TOKEN}"),
    (
        ("permission denied (publickey", "host key verification failed"),
        Forbidden,
        (
            "it refused our key, or its own is not known here; give the account that runs dw a key that"
            " may read, and the host's key in its known_hosts"
        ),
    ),
    (("dubious ownership",), Forbidden, "it belongs to another account on this machine"),
    (("returned error: 429",), Throttled, "it asks to wait"),
    (("returned error: 5",), Broken, "it answered with a fault of its own"),
    (
        ("unable to update url base from redirection", "returned error: 3"),
        Rejected,
        "it has moved, and nobody is followed to another address with a token; write the new url in dw.yml",
    ),
    (
        ("returned error: 404", "not found", "does not appear to be a git repository"),
        NotFound,
        "there is no such repository, or the token may not see it; check url in dw.yml",
    ),
    (("couldn't find remote ref",), NotFound, "it has no such branch; check branch in dw.yml"),
    (("not our ref", "unadvertised object"), NotFound, "it does not have this commit"),
    (
        ("certificate", "ssl"),
        Unreachable,
        "its certificate is not trusted here, so nothing was read",
    ),
    (
        ("could not resolve", "failed to connect", "connection refused", "connection timed out"),
        Unreachable,
        "no connection could be made",
    ),
    (("could not connect", "connection reset", "could not read from remote"), Unreachable, ""),
    (("transport", "protocol"), Rejected, "this way of reaching it is not allowed"),
    (("no space left",), Rejected, "the disk that holds DW_DATA is full"),
    (("permission denied", "read-only file system"), Rejected, "DW_DATA can't be written"),
    (
        ("bad object", "corrupt", "loose object", "unable to read tree"),
        Malformed,
        "the copy under DW_DATA is damaged; remove its folder, it is made again",
    ),
)


def meaning(said: str, connection: str, url: str) -> ConnectorError:
    """The error that fits what git printed; its own first telling line is quoted."""
    own = _quoted(said, url)
    lower = said.lower()
    for words, kind, says in _ROWS:
        if any(word in lower for word in words):
            return kind(f"{says} ({own})" if says else own, connection=connection)
    return Broken(f"git failed: {own}", connection=connection)


def _quoted(said: str, url: str) -> str:
    lines = [line.strip() for line in said.replace(url, "…").splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal:", "error:", "remote:"))]
    return (*telling, *lines[-1:], "it said nothing")[0][:_LONGEST]
