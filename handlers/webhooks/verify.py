"""Whether a delivery is the sender's: each kind proves it in its own way, and each is compared in constant time.

A proof is compared whole and as it stands: what differs in one bit, even in the case of a letter, is none.
"""

import base64
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from pydantic_core import from_json

from handlers.webhooks.outcomes import Outcome, Refused
from policies.webhooks import Webhook

DRIFT = timedelta(minutes=5)
"""How far a signed time may be from ours, both ways."""
USER = "dw"
"""Who a sender is for basic authentication."""
TIMESTAMP, SIGNATURE = "X-DW-Timestamp", "X-DW-Signature"


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """A delivery that says it is somebody's. `headers` are found in any case of letters."""

    webhook: Webhook
    secret: bytes
    headers: Mapping[str, str]
    body: bytes
    now: datetime

    def header(self, name: str) -> str:
        """Raises `Refused` when it is not there."""
        found = self.headers.get(name)
        if not found:
            raise Refused(Outcome.UNSIGNED, f"it has no header {name}")
        return found

    def hex(self, signed: bytes, algorithm: str = "sha256") -> str:
        """What the secret makes of this."""
        return hmac.new(self.secret, signed, algorithm).hexdigest()


Check = Callable[[Claim], None]
"""Raises `Refused` unless the claim holds."""


def verify(claim: Claim) -> None:
    """Raises `Refused` unless the sender that dw.yml names has sent this."""
    way = claim.webhook.way
    (_SIGNED[claim.webhook.kind] if way == "signed" else _CARRIED[way])(claim)


def _bearer(claim: Claim) -> None:
    _same(claim.header("Authorization"), b"Bearer " + claim.secret)


def _basic(claim: Claim) -> None:
    pair = base64.b64encode(USER.encode() + b":" + claim.secret)
    _same(claim.header("Authorization"), b"Basic " + pair)


def _dbt_cloud(claim: Claim) -> None:
    _same(claim.header("Authorization"), claim.hex(claim.body))


def _ours(claim: Claim) -> None:
    """`v1=` and the signature of `<time>.<body>`: what the snippets in the documents send."""
    at, given = claim.header(TIMESTAMP), claim.header(SIGNATURE)
    _same(given, "v1=" + claim.hex(_bytes(at) + b"." + claim.body))
    _fresh(at, claim.now)


def _grafana(claim: Claim) -> None:
    """The body alone, or with the time before it where a header for that was named."""
    given, header = claim.header("X-Grafana-Alerting-Signature"), claim.webhook.timestamp_header
    if header is None:
        return _same(given, claim.hex(claim.body))
    at = claim.header(header)
    _same(given, claim.hex(_bytes(at) + b":" + claim.body))
    return _fresh(at, claim.now)


def _pagerduty(claim: Claim) -> None:
    """While its secret is changed it sends a signature of each: one must be right."""
    expected = ("v1=" + claim.hex(claim.body)).encode()
    given = [_bytes(one.strip()) for one in claim.header("X-PagerDuty-Signature").split(",")]
    if not any(hmac.compare_digest(one, expected) for one in given):
        raise _forged()


def _monte_carlo(claim: Claim) -> None:
    """Its published example signs what it sends as a form; the body itself counts as well."""
    given = _bytes(claim.header("x-mcd-signature"))
    signed = (claim.body, *_as_form(claim.body))
    right = [hmac.compare_digest(given, claim.hex(one, "sha512").encode()) for one in signed]
    if not any(right):
        raise _forged()


_CARRIED: Mapping[str, Check] = {"bearer": _bearer, "basic": _basic}
_SIGNED: Mapping[str, Check] = {
    "airflow": _ours,
    "astro": _ours,
    "dbt_cloud": _dbt_cloud,
    "generic": _ours,
    "grafana": _grafana,
    "monte_carlo": _monte_carlo,
    "pagerduty": _pagerduty,
}


def _same(given: str, expected: str | bytes) -> None:
    wanted = expected.encode() if isinstance(expected, str) else expected
    if not hmac.compare_digest(_bytes(given), wanted):
        raise _forged()


def _fresh(at: str, now: datetime) -> None:
    """The time is signed, so it is the sender's; a delivery that somebody kept to send it later is old."""
    try:
        sent = datetime.fromtimestamp(int(at), UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise Refused(Outcome.STALE, "its time is not in seconds since 1970") from error
    if abs(now - sent) > DRIFT:
        raise Refused(Outcome.STALE, "its time is more than five minutes from ours")


def _forged() -> Refused:
    return Refused(Outcome.FORGED, "its proof is not made with the secret of this webhook")


def _bytes(header: str) -> bytes:
    """As it came: bytes that are no UTF-8 are kept by their place holders."""
    return header.encode("utf-8", "surrogateescape")


def _as_form(body: bytes) -> tuple[bytes, ...]:
    """Nothing for what is no object, and for numbers that are too long to be written down."""
    try:
        read = from_json(body, allow_inf_nan=False)
        return (urlencode(read).encode(),) if isinstance(read, dict) else ()
    except ValueError:
        return ()
