"""A proof holds for one body, one secret and, where a time is signed, one time: any bit of difference breaks it."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import from_json

from handlers.webhooks.outcomes import Outcome, Refused
from handlers.webhooks.verify import Claim, verify
from policies.webhooks import Webhook
from tests.clock import NIGHT
from tests.handlers.webhooks.senders import SECRET, VARIANTS, mac, packed, proof
from tests.policies.hooks import deliveries as d

EACH = pytest.mark.parametrize("variant", sorted(VARIANTS))
SIGNED = pytest.mark.parametrize(
    "variant", sorted(name for name, hook in VARIANTS.items() if hook.way == "signed")
)


def claim(hook: Webhook, headers: dict[str, str], body: bytes, secret: str = SECRET) -> Claim:
    return Claim(webhook=hook, secret=secret.encode(), headers=headers, body=body, now=NIGHT)


def holds(hook: Webhook, headers: dict[str, str], body: bytes, secret: str = SECRET) -> bool:
    try:
        verify(claim(hook, headers, body, secret))
    except Refused:
        return False
    return True


def flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def known(variant: str) -> tuple[Webhook, bytes, dict[str, str]]:
    hook = VARIANTS[variant]
    body = packed(d.FAILED[hook.kind])
    return hook, body, proof(hook, body, NIGHT)


@EACH
def test_what_the_sender_sends_holds(variant: str) -> None:
    hook, body, headers = known(variant)
    assert holds(hook, headers, body)


@SIGNED
@given(data=st.data())
def test_any_flipped_bit_of_a_signed_body_is_refused(variant: str, data: st.DataObject) -> None:
    hook, body, headers = known(variant)
    other = flipped(body, data.draw(st.integers(0, len(body) * 8 - 1)))
    assert not holds(hook, headers, other) or same_news(hook, body, other)


def same_news(hook: Webhook, body: bytes, other: bytes) -> bool:
    """Monte Carlo's example signs what the body says and not how it is written."""
    return hook.kind == "monte_carlo" and from_json(body) == from_json(other)


@EACH
@given(data=st.data())
def test_any_flipped_bit_of_a_proof_is_refused(variant: str, data: st.DataObject) -> None:
    hook, body, headers = known(variant)
    name = data.draw(st.sampled_from(sorted(headers)))
    value = headers[name].encode()
    first = (
        value.rindex(b"v1=") * 8 if hook.kind == "pagerduty" else 0
    )  # the other one is of a secret gone by
    bit = data.draw(st.integers(first, len(value) * 8 - 1))
    other = flipped(value, bit).decode("utf-8", "surrogateescape")
    assert not holds(hook, {**headers, name: other}, body)


@EACH
@given(secret=st.text(min_size=1))
def test_no_other_secret_makes_the_proof(variant: str, secret: str) -> None:
    hook, body, headers = known(variant)
    assert secret == SECRET or not holds(
        hook, headers, body, secret.encode("utf-8", "replace").decode()
    )


@EACH
def test_a_header_that_is_missing_or_empty_is_no_proof(variant: str) -> None:
    hook, body, headers = known(variant)
    for name in headers:
        for rest in ({k: v for k, v in headers.items() if k != name}, {**headers, name: ""}):
            with pytest.raises(Refused) as refused:
                verify(claim(hook, rest, body))
            assert refused.value.outcome is Outcome.UNSIGNED


@pytest.mark.parametrize("at", ["", "soon", "1e9", "9" * 30, "-1", "0", "٣"])
def test_a_time_that_is_none_is_refused_even_when_it_is_signed(at: str) -> None:
    hook, body, _ = known("generic")
    signed = proof(hook, body, NIGHT)
    assert not holds(hook, {**signed, "X-DW-Timestamp": at}, body)


def test_a_time_holds_for_five_minutes_both_ways() -> None:
    hook, body, _ = known("airflow")
    for seconds, right in ((-301, False), (-300, True), (300, True), (301, False)):
        headers = proof(hook, body, NIGHT + timedelta(seconds=seconds))
        assert holds(hook, headers, body) is right


def test_of_two_signatures_of_pagerduty_one_must_be_right() -> None:
    hook, body, headers = known("pagerduty")
    signature = headers["X-PagerDuty-Signature"].split(",")[1]
    assert holds(hook, {"X-PagerDuty-Signature": signature}, body)
    assert holds(hook, {"X-PagerDuty-Signature": f"{signature}, v1={'1' * 64}"}, body)
    assert not holds(hook, {"X-PagerDuty-Signature": signature.replace("v1=", "v2=")}, body)
    assert not holds(hook, {"X-PagerDuty-Signature": f"v1={'0' * 64},v1={'1' * 64}"}, body)


def test_monte_carlo_may_sign_the_body_itself() -> None:
    hook, body, _ = known("monte_carlo")
    assert holds(hook, {"x-mcd-signature": mac(SECRET, body, "sha512")}, body)
    assert not holds(hook, {"x-mcd-signature": mac(SECRET, body)}, body)
