"""The automation of the documents on a real Prefect: what it tells opens one incident with the poll of the run."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from aiohttp import web

from bot.web import serving
from handlers.webhooks.verify import Claim, verify
from policies.alert import AlertKind
from policies.correlation import keys
from policies.webhooks import Webhook
from tests.clock import NIGHT
from tests.live.prefect.server import Prefect
from tests.live.prefect.world import World, by_hand
from tests.policies.hooks import deliveries as d

pytestmark = pytest.mark.live
TEMPLATE = Path(__file__).parents[3] / "docs" / "connections" / "prefect_webhook.json.j2"
SECRET = "planted-secret-of-a-hook"


def automation(server: Prefect, url: str) -> None:
    """As a person makes it: a webhook block with a header, and an automation that calls it."""
    kind = server.ask("GET", "/block_types/slug/webhook")["id"]
    schemas = server.ask(
        "POST", "/block_schemas/filter", block_schemas={"block_type_id": {"any_": [kind]}}
    )
    data = {"url": url, "headers": {"Authorization": f"Bearer {SECRET}"}}
    block = server.ask(
        "POST",
        "/block_documents/",
        name="dw",
        data=data,
        block_type_id=kind,
        block_schema_id=schemas[0]["id"],
    )
    trigger = {
        "type": "event",
        "match": {"prefect.resource.id": "prefect.flow-run.*"},
        "expect": [f"prefect.flow-run.{state}" for state in ("Failed", "Crashed", "Completed")],
        "posture": "Reactive",
        "threshold": 1,
        "within": 0,
    }
    payload = TEMPLATE.read_text(encoding="utf-8")
    action = {"type": "call-webhook", "block_document_id": block["id"], "payload": payload}
    server.ask("POST", "/automations/", name="dw", trigger=trigger, actions=[action])


async def test_a_failed_and_a_completed_run_are_told_with_their_deployment(world: World) -> None:
    told: list[tuple[Mapping[str, str], bytes]] = []

    async def hear(request: web.Request) -> web.Response:
        told.append((request.headers.copy(), await request.read()))
        return web.Response()

    app = web.Application()
    app.add_routes([web.post("/hooks/prefect", hear)])
    started: dict[bool, set[str]] = {True: set(), False: set()}
    async with serving(app, "127.0.0.1", 0) as address, asyncio.timeout(90):
        await asyncio.to_thread(automation, world.server, f"{address}/hooks/prefect")
        while len(told) < 2:  # an automation that was just made may not look yet
            for fail, runs in started.items():
                made = by_hand(world.server, "sessions/prod", parameters={"fail": fail})
                runs.add(made["id"])
            await asyncio.sleep(5)
    found = {}
    for headers, body in told:
        hook = Webhook(kind="prefect", connection="prefect")
        verify(Claim(webhook=hook, secret=SECRET.encode(), headers=headers, body=body, now=NIGHT))
        alert = d.alert("prefect", json.loads(body))
        found[alert.kind] = alert
    failed, good = found[AlertKind.RUN_FAILED], found[AlertKind.SUCCESS]
    assert (failed.job, good.job) == ("sessions/prod", "sessions/prod")
    assert failed.run_id in started[True]
    assert good.run_id in started[False]
    assert f"prefect:run:{failed.run_id}" in keys(failed)
    assert failed.url is not None
