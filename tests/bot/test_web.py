"""Health and figures over HTTP."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import httpx
import pytest
from aiohttp import web

from bot.health import Finding
from bot.metrics import Metrics
from bot.ports import DueStats, Lane
from bot.web import build_web, serving
from policies.incident import Phase

pytestmark = pytest.mark.loopback
WELL = Finding(name="database", ok=True, says="answers")


class FakeHealth:
    def __init__(self, *findings: Finding, seconds: float = 0) -> None:
        self.findings, self.seconds = findings, seconds

    async def ready(self) -> Sequence[Finding]:
        await asyncio.sleep(self.seconds)
        return self.findings


@asynccontextmanager
async def served(*findings: Finding, seconds: float = 0) -> AsyncIterator[httpx.AsyncClient]:
    async def events(request: web.Request) -> web.Response:
        return web.Response(text=f"got {await request.text()}")

    app = build_web(
        FakeHealth(*findings, seconds=seconds),
        figures(),
        [web.post("/slack/events", events)],
        redact=lambda text: text.replace("hunter2", "[secret]"),
        patience=0.2,
    )
    async with (
        serving(app, "127.0.0.1", 0) as address,
        httpx.AsyncClient(base_url=address) as client,
    ):
        yield client


def figures() -> Metrics:
    metrics = Metrics()
    metrics.alerts.labels(system="dagsterplus").inc()
    metrics.called_slack(Lane.APPROVALS, "ok")
    metrics.stands(
        DueStats(waiting=2, oldest_seconds=4.5, poisoned=("show:DW-1:card",)),
        {Phase.OPEN: 3},
        stopped=True,
    )
    return metrics


async def test_it_is_alive_while_it_lives() -> None:
    async with served(Finding(name="slack", ok=False, says="gone")) as client:
        answer = await client.get("/healthz")
        assert (answer.status_code, answer.json()) == (200, {"ok": True})


async def test_it_is_ready_when_every_part_is_well() -> None:
    amber = Finding(name="slack", ok=None, says="one of two sockets")
    async with served(WELL, amber) as client:
        answer = await client.get("/readyz")
        assert answer.status_code == 200
        assert answer.json()["parts"]["slack"] == {"ok": None, "says": "one of two sockets"}


async def test_it_is_not_ready_when_a_part_is_not_and_says_why_without_secrets() -> None:
    async with served(WELL, Finding(name="slack", ok=False, says="refused hunter2")) as client:
        answer = await client.get("/readyz")
        assert answer.status_code == 503
        assert answer.json() == {
            "ready": False,
            "parts": {
                "database": {"ok": True, "says": "answers"},
                "slack": {"ok": False, "says": "refused [secret]"},
            },
        }


async def test_a_part_that_hangs_is_not_ready() -> None:
    async with served(WELL, seconds=60) as client:
        answer = await client.get("/readyz")
        assert answer.status_code == 503
        assert "within 0.2 s" in answer.json()["parts"]["health"]["says"]


async def test_figures_are_for_prometheus() -> None:
    async with served() as client:
        answer = await client.get("/metrics")
    assert answer.headers["Content-Type"].startswith("text/plain")
    for line in (
        'dw_alerts_total{system="dagsterplus"} 1.0',
        'dw_slack_calls_total{lane="approvals",result="ok"} 1.0',
        'dw_incidents{phase="open"} 3.0',
        'dw_incidents{phase="resolved"} 0.0',
        "dw_due_lag_seconds 4.5",
        "dw_due_poisoned 1.0",
        "dw_stopped 1.0",
    ):
        assert line in answer.text


def test_two_processes_in_one_do_not_share_figures() -> None:
    assert 'system="dagsterplus"' in figures().render().decode()
    assert 'system="dagsterplus"' not in Metrics().render().decode()


async def test_slack_http_mode_has_its_place() -> None:
    async with served() as client:
        answer = await client.post("/slack/events", content="payload")
        assert answer.text == "got payload"


async def test_a_port_that_is_taken_is_an_error_and_not_a_hang() -> None:
    async with served() as client:
        port = client.base_url.port
        assert port
        with pytest.raises(OSError, match="address already in use"):
            async with serving(build_web(FakeHealth(), Metrics()), "127.0.0.1", port):
                pass
