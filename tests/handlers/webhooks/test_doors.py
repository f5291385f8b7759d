"""Addresses that are none, bodies that never end, and counts that survive the process."""

import asyncio

import httpx
import pytest

from bot.ports import HookCount, StoreUnavailable
from bot.store.store import SqlStore
from handlers.webhooks import body as bodies
from handlers.webhooks.outcomes import Outcome, Refused
from tests.handlers.webhooks.conftest import Gate
from tests.policies.hooks import deliveries as d

pytestmark = pytest.mark.loopback


async def test_an_address_that_is_no_webhook_is_counted_under_one_name(gate: Gate) -> None:
    for name in ("nobody", "Dbt_cloud", "x" * 500):
        answer = await gate.client.post(f"/hooks/{name}")
        assert (answer.status_code, answer.json()["outcome"]) == (404, "unknown")
    assert gate.counted("unknown", "unknown") == 3


async def test_the_rest_of_the_house_is_not_in_the_way(gate: Gate) -> None:
    assert (await gate.client.get("/healthz")).json() == {"ok": True}
    assert (await gate.client.get("/hooks")).status_code == 404


async def test_a_compressed_body_is_refused(gate: Gate) -> None:
    headers = {"Content-Encoding": "gzip"}
    answer = await gate.client.post("/hooks/prefect", headers=headers, content=b"")
    assert (answer.status_code, answer.json()["outcome"]) == (415, "encoded")


class Trickle:
    """A request whose body never ends."""

    content_length = None

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}
        self.content = self

    async def iter_any(self) -> object:
        while True:
            yield b"x"
            await asyncio.sleep(0.01)


async def test_a_body_that_never_ends_is_given_up() -> None:
    with pytest.raises(Refused) as refused:
        await bodies.read(Trickle(), patience=0.05)  # type: ignore[arg-type]
    assert refused.value.outcome is Outcome.SLOW


async def test_counts_are_kept_for_the_doctor_with_the_last_reason(gate: Gate) -> None:
    tally = gate.doors.tally
    await gate.send("prefect", d.FAILED["prefect"])
    await gate.send("prefect", d.FAILED["prefect"], headers={})
    await tally.keep(gate.store)
    gate.clock.advance(minutes=1)
    await gate.send("prefect", d.FAILED["prefect"], headers={})
    await tally.keep(gate.store)
    await tally.keep(gate.store)
    accepted, unsigned = await gate.store.hook_counts()
    assert (accepted.outcome, accepted.count, accepted.says) == ("accepted", 1, "")
    assert (unsigned.outcome, unsigned.count) == ("unsigned", 2)
    assert unsigned.last_at == gate.clock.now()
    assert "Authorization" in unsigned.says


class Gone:
    async def count_hooks(self, counts: object) -> None:
        raise StoreUnavailable("gone")

    async def hook_counts(self) -> list[HookCount]:
        return []


async def test_counts_that_could_not_be_kept_are_kept_later(gate: Gate) -> None:
    tally = gate.doors.tally
    await gate.client.post("/hooks/nobody")
    with pytest.raises(StoreUnavailable):
        await tally.keep(Gone())
    await gate.client.post("/hooks/nobody")
    await tally.keep(gate.store)
    assert [one.count for one in await gate.store.hook_counts()] == [2]


async def test_what_alerts_say_mentions_nobody_and_opens_under_its_hook(gate: Gate) -> None:
    body = {"kind": "run_failed", "job": "sessions_job", "title": "<!channel> Approve now\n*yes*"}
    assert (await gate.send("generic", body)).is_success
    (key,) = await gate.arrived()
    store: SqlStore = gate.store
    item = await store.received(key)
    assert item is not None
    assert (
        item.command.alert.title == "<!channel> Approve now *yes*"
    )  # shown escaped, like any alert


async def test_a_hook_needs_no_slash_and_takes_no_more_path(gate: Gate) -> None:
    answers = [await gate.client.post(f"/hooks/{path}") for path in ("prefect/", "prefect/x")]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert isinstance(answers[0], httpx.Response)
