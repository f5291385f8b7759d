"""What every webhook does alike, whoever sends: taken once when it is proven, else refused in words."""

import asyncio
from datetime import timedelta

import pytest

from handlers.webhooks.body import LONGEST
from tests.handlers.webhooks.conftest import Gate
from tests.handlers.webhooks.senders import SECRET, VARIANTS, mac, packed, proof
from tests.policies.hooks import deliveries as d

pytestmark = pytest.mark.loopback
EACH = pytest.mark.parametrize("variant", sorted(VARIANTS))
SIGNED = sorted(name for name, hook in VARIANTS.items() if hook.way == "signed")
MALFORMED = (b"{}", b"[]", b"", b"no json", b"[" * 9000, b'{"a":NaN}', b'"\xff"')
SIGNED_TIME = ("airflow", "astro", "generic", "grafana with a time")


def failed(variant: str) -> dict[str, object]:
    return d.FAILED[VARIANTS[variant].kind]


@EACH
async def test_a_proven_failure_is_stored_before_the_answer(gate: Gate, variant: str) -> None:
    answer = await gate.send(variant, failed(variant))
    assert (answer.status_code, answer.json()) == (200, {"ok": True, "outcome": "accepted"})
    assert len(await gate.arrived()) == 1
    assert gate.counted(variant, "accepted") == 1


@EACH
async def test_the_same_again_is_taken_and_does_nothing(gate: Gate, variant: str) -> None:
    for _ in range(2):
        answer = await gate.send(variant, failed(variant))
    assert (answer.status_code, answer.json()["outcome"]) == (200, "replayed")
    assert len(await gate.arrived()) == 1
    assert gate.counted(variant, "replayed") == 1


@EACH
async def test_without_a_proof_nothing_is_taken(gate: Gate, variant: str) -> None:
    answer = await gate.send(variant, failed(variant), headers={})
    assert (answer.status_code, answer.json()["outcome"]) == (401, "unsigned")
    assert "secret" in answer.json()["do"]
    assert await gate.arrived() == []
    assert gate.counted(variant, "unsigned") == 1


@EACH
async def test_a_proof_by_another_secret_is_none(gate: Gate, variant: str) -> None:
    answer = await gate.send(variant, failed(variant), secret="another-secret-of-16")
    assert (answer.status_code, answer.json()["outcome"]) == (401, "forged")
    assert await gate.arrived() == []


@pytest.mark.parametrize("variant", SIGNED)
async def test_the_proof_of_another_body_is_none(gate: Gate, variant: str) -> None:
    headers = proof(VARIANTS[variant], packed({"other": 1}), gate.clock.now())
    answer = await gate.send(variant, failed(variant), headers=headers)
    assert answer.json()["outcome"] == "forged"


@EACH
async def test_too_much_is_refused_whether_its_size_is_told_or_not(
    gate: Gate, variant: str
) -> None:
    body = b'{"a":"' + b"x" * LONGEST + b'"}'
    told = await gate.send(variant, body)

    async def pieces() -> object:
        for start in range(0, len(body), 1024):
            yield body[start : start + 1024]

    name = variant.replace(" ", "-")
    untold = await gate.client.post(f"/hooks/{name}", content=pieces())
    for answer in (told, untold):
        assert (answer.status_code, answer.json()["outcome"]) == (413, "oversized")
    assert gate.counted(variant, "oversized") == 2


@EACH
async def test_what_is_malformed_is_refused_with_a_reason(gate: Gate, variant: str) -> None:
    for body in MALFORMED:
        itself = {"x-mcd-signature": mac(SECRET, body, "sha512")}
        other = (
            {"headers": itself} if variant == "monte_carlo" else {}
        )  # what is no object has no form
        answer = await gate.send(variant, body, **other)
        assert (answer.status_code, answer.json()["outcome"]) == (400, "malformed")
        assert answer.json()["says"]


@EACH
async def test_a_number_without_end_is_no_error_of_ours(gate: Gate, variant: str) -> None:
    number = b"1" * 9000
    assert (await gate.send(variant, b'{"a":' + number + b"}", headers={})).status_code == 401
    for key in packed(failed(variant)).split(b'"')[1::2]:
        body = b'{"' + key + b'":' + number + b"}"
        itself = {"x-mcd-signature": mac(SECRET, body, "sha512")}
        other = {"headers": itself} if variant == "monte_carlo" else {}
        assert (await gate.send(variant, body, **other)).status_code in (400, 401)


async def test_a_number_without_end_is_no_id(gate: Gate) -> None:
    answer = await gate.send("generic", b'{"kind":"run_failed","job":' + b"1" * 9000 + b"}")
    assert (answer.status_code, answer.json()["outcome"]) == (400, "malformed")


@EACH
async def test_another_method_is_refused(gate: Gate, variant: str) -> None:
    for method in ("GET", "PUT", "DELETE", "HEAD"):
        answer = await gate.send(variant, failed(variant), method=method)
        assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    assert await gate.arrived() == []


@pytest.mark.parametrize("variant", SIGNED_TIME)
@pytest.mark.parametrize("minutes", [-6, 6])
async def test_a_signed_time_that_is_not_now_is_refused(
    gate: Gate, variant: str, minutes: int
) -> None:
    at = gate.clock.now() + timedelta(minutes=minutes)
    answer = await gate.send(variant, failed(variant), at=at)
    assert (answer.status_code, answer.json()["outcome"]) == (401, "stale")
    soon = gate.clock.now() + timedelta(minutes=minutes) * 0.8
    assert (await gate.send(variant, failed(variant), at=soon)).is_success


@pytest.mark.parametrize("kind", sorted(d.GOOD))
async def test_good_news_are_taken_too(gate: Gate, kind: str) -> None:
    answer = await gate.send(kind, d.GOOD[kind])
    assert answer.json() == {"ok": True, "outcome": "accepted"}


@pytest.mark.parametrize("kind", sorted(d.PASSED_OVER))
async def test_what_is_passed_over_is_counted_and_not_stored(gate: Gate, kind: str) -> None:
    body, reason = d.PASSED_OVER[kind]
    answer = await gate.send(kind, body)
    assert (answer.status_code, answer.json()["outcome"]) == (200, "ignored")
    assert reason in answer.json()["says"]
    assert await gate.arrived() == []


@EACH
async def test_when_nothing_can_be_stored_the_sender_tries_again(gate: Gate, variant: str) -> None:
    gate.desk.gone = True
    answer = await gate.send(variant, failed(variant))
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "30")
    gate.desk.gone = False
    assert (await gate.send(variant, failed(variant))).json()["outcome"] == "accepted"


async def test_many_at_once_of_the_same_are_one(gate: Gate) -> None:
    sent = [gate.send("dbt_cloud", failed("dbt_cloud")) for _ in range(10)]
    outcomes = [answer.json()["outcome"] for answer in await asyncio.gather(*sent)]
    assert sorted(outcomes) == ["accepted", *["replayed"] * 9]
    assert len(await gate.arrived()) == 1


async def test_no_answer_holds_a_secret_or_what_was_sent(gate: Gate) -> None:
    planted = {**failed("generic"), "planted-key": "planted-value"}
    for body in (planted, {**failed("generic"), "kind": "planted-kind"}):
        answer = await gate.send("generic", body)
        assert answer.status_code == 400
        assert "planted-value" not in answer.text
        assert "planted-kind" not in answer.text
        assert SECRET not in answer.text
