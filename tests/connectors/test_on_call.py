"""Who is on call, as PagerDuty and Opsgenie tell it; only looked at, and nobody when it can't be known."""

from datetime import UTC, datetime

import httpx
import pytest
import respx

from connectors.errors import Forbidden, Malformed, NotFound, Throttled
from connectors.http import Patience
from connectors.on_call import OnCall
from connectors.opsgenie import OpsgenieReader
from connectors.pagerduty import PagerDutyReader
from policies.evidence import Probe

NOW = datetime(2026, 9, 29, 1, tzinfo=UTC)
QUICK = Patience(whole=0.5, pause=0.01)
PD_PATH = "https://api.pagerduty.com/schedules/PSCHED1/users"
OG_PATH = "https://api.opsgenie.com/v2/schedules/Data%20nights/on-calls"
PD_SAYS = {
    "users": [
        {
            "id": "PXPGF42",
            "type": "user",
            "summary": "Cleo Marsh",
            "name": "Cleo Marsh",
            "email": "cleo@example.com",
            "time_zone": "Europe/Berlin",
            "role": "user",
            "contact_methods": [{"id": "PTDVERC", "type": "email_contact_method_reference"}],
        }
    ]
}
OG_SAYS = {
    "data": {
        "_parent": {"id": "d875", "name": "Data nights", "enabled": True},
        "onCallRecipients": ["cleo@example.com"],
    },
    "took": 0.101,
    "requestId": "7e4b",
}
BOTH = [
    (PagerDutyReader, "PSCHED1", PD_PATH, PD_SAYS),
    (OpsgenieReader, "Data nights", OG_PATH, OG_SAYS),
]
both = pytest.mark.parametrize(("kind", "schedule", "path", "says"), BOTH)


def reader(kind: type[OnCall]) -> OnCall:
    return kind("on_call", None, "planted-token", patience=QUICK)  # type: ignore[call-arg,arg-type]


@both
@respx.mock
async def test_whoever_is_on_call_is_told_by_email(
    kind: type[OnCall], schedule: str, path: str, says: object
) -> None:
    asked = respx.get(path).respond(json=says)
    assert await reader(kind).on_call(schedule, NOW) == ("cleo@example.com",)
    sent = asked.calls.last.request
    assert "planted-token" in sent.headers["authorization"]
    assert "2026-09-29T01:00:00" in sent.url.params.get("since", sent.url.params.get("date", ""))


@both
@respx.mock
async def test_it_is_evidence_too(
    kind: type[OnCall], schedule: str, path: str, says: object
) -> None:
    respx.get(path).respond(json=says)
    probe = Probe(connection="on_call", name="on_call", params={"schedule": schedule})
    found = await reader(kind).read(probe, evidence_id="E1", now=NOW)
    assert found.value == {"people": ["cleo@example.com"]}
    assert (found.query or "").startswith("GET /")
    assert "planted-token" not in str(found)


@both
@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (httpx.Response(401), Forbidden),
        (httpx.Response(404), NotFound),
        (httpx.Response(429), Throttled),
        (httpx.Response(200, json={"users": [{"name": "x"}], "data": {}}), Malformed),
        (httpx.Response(200, text="<html>"), Malformed),
    ],
)
@respx.mock
async def test_no_answer_is_never_a_person(
    kind: type[OnCall],
    schedule: str,
    path: str,
    says: object,
    answer: httpx.Response,
    problem: type[Exception],
) -> None:
    respx.get(path).mock(return_value=answer)
    with pytest.raises(problem, match=r"^on_call: "):
        await reader(kind).on_call(schedule, NOW)


@both
@respx.mock
async def test_nobody_on_call_is_nobody(
    kind: type[OnCall], schedule: str, path: str, says: object
) -> None:
    respx.get(path).respond(json={"users": [], "data": {"onCallRecipients": []}})
    assert await reader(kind).on_call(schedule, NOW) == ()


@respx.mock
async def test_a_schedule_that_is_switched_off_has_nobody_on_call() -> None:
    off = {"data": {"_parent": {"enabled": False}, "onCallRecipients": ["cleo@example.com"]}}
    respx.get(OG_PATH).respond(json=off)
    assert await reader(OpsgenieReader).on_call("Data nights", NOW) == ()


@respx.mock
async def test_a_name_stays_one_part_of_the_path() -> None:
    asked = respx.get(url__startswith="https://api.pagerduty.com/").respond(json={"users": []})
    await reader(PagerDutyReader).on_call("../users?x=", NOW)
    assert asked.calls.last.request.url.raw_path.startswith(b"/schedules/..%2Fusers%3Fx%3D/users?")


@pytest.mark.parametrize("kind", [PagerDutyReader, OpsgenieReader])
@respx.mock
async def test_ping_only_looks(kind: type[OnCall]) -> None:
    asked = respx.get(path__regex="/schedules$").respond(json={"schedules": [], "data": []})
    assert (await reader(kind).ping()).version
    assert asked.called
