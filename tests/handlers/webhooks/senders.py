"""Every kind of sender as it proves itself, written apart from the code that checks it."""

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import datetime
from urllib.parse import urlencode

from policies.webhooks import Webhook
from tests.policies.hooks import deliveries as d

SECRET = "planted-secret-of-a-hook"
TIME_HEADER = "X-Grafana-Time"
OURS = ("airflow", "astro", "generic")


def webhook(kind: str, **changes: str) -> Webhook:
    return Webhook.model_validate(
        {"kind": kind, "connection": d.ABOUT.get(kind, "airflow"), **changes}
    )


def packed(body: object) -> bytes:
    return json.dumps(body, separators=(",", ":")).encode()


def mac(secret: str, signed: bytes, algorithm: str = "sha256") -> str:
    return hmac.new(secret.encode(), signed, getattr(hashlib, algorithm)).hexdigest()


def proof(hook: Webhook, body: bytes, at: datetime, secret: str = SECRET) -> dict[str, str]:
    """The headers that go with a body."""
    if hook.way == "bearer":
        return {"Authorization": f"Bearer {secret}"}
    if hook.way == "basic":
        return {"Authorization": "Basic " + base64.b64encode(f"dw:{secret}".encode()).decode()}
    return _signed(hook, body, str(int(at.timestamp())), secret)


def _signed(hook: Webhook, body: bytes, at: str, secret: str) -> dict[str, str]:
    if hook.kind in OURS:
        signature = mac(secret, f"{at}.".encode() + body)
        return {"X-DW-Timestamp": at, "X-DW-Signature": f"v1={signature}"}
    if hook.kind == "grafana" and hook.timestamp_header:
        signature = mac(secret, f"{at}:".encode() + body)
        return {hook.timestamp_header: at, "X-Grafana-Alerting-Signature": signature}
    return {
        "dbt_cloud": lambda: {"Authorization": mac(secret, body)},
        "grafana": lambda: {"X-Grafana-Alerting-Signature": mac(secret, body)},
        "monte_carlo": lambda: {"x-mcd-signature": mac(secret, _form(body), "sha512")},
        "pagerduty": lambda: {
            "X-PagerDuty-Signature": f"v1={'0' * 64},v1={mac(secret, body)}",
        },
    }[hook.kind]()


def _form(body: bytes) -> bytes:
    """What Monte Carlo's own example signs."""
    try:
        return urlencode(json.loads(body)).encode()
    except (ValueError, TypeError, RecursionError):
        return body


VARIANTS: Mapping[str, Webhook] = {
    **{kind: webhook(kind) for kind in d.FAILED},
    "grafana with a time": webhook("grafana", timestamp_header=TIME_HEADER),
    "grafana by bearer": webhook("grafana", auth="bearer"),
    "alertmanager by basic": webhook("alertmanager", auth="basic"),
    "generic by bearer": webhook("generic", auth="bearer"),
}
"""Each way of each kind, by the name of a test."""
