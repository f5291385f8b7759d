"""HTTP mode: signed requests to an unmodified Bolt app behind its own web server."""

import hashlib
import hmac
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from slack_bolt.async_app import AsyncApp

from bot.sandbox.workspace import SlackError
from bot.sandbox.workspace.wire.pushes import signed

pytestmark = pytest.mark.loopback


@asynccontextmanager
async def serving(handle):
    app = web.Application()
    app.router.add_post("/slack/events", handle)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events"
    await runner.cleanup()


@asynccontextmanager
async def bolt_over_http(client, secret):
    app = AsyncApp(client=client, signing_secret=secret)
    server = app.server(port=0, path="/slack/events")
    runner = web.AppRunner(server.web_app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield app, f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events"
    await runner.cleanup()


def test_signatures_are_the_documented_hmac():
    body = "token=x&command=%2Fdw"
    wanted = hmac.new(
        b"planted-secret", f"v0:1800000000:{body}".encode(), hashlib.sha256
    ).hexdigest()

    assert signed("planted-secret", body, 1_800_000_000) == {
        "X-Slack-Request-Timestamp": "1800000000",
        "X-Slack-Signature": f"v0={wanted}",
    }


async def test_events_commands_and_clicks_arrive_signed(workspace, client):
    got = []
    async with bolt_over_http(client(workspace), "planted-secret") as (app, url):

        @app.event("message")
        async def on_message(event):
            got.append(event["text"])

        @app.command("/dw")
        async def on_command(ack, body):
            got.append(body["text"])
            await ack("done")

        await workspace.use_http("A0DW", url)
        ana = workspace.people["ana"]
        await ana.post("data-alerts", "over http")
        await workspace.settled()
        await ana.command("data-alerts", "/dw status")
        await ana.wait_for_message("done")

    assert got == ["over http", "status"]


async def test_a_request_url_with_another_secret_is_not_taken(workspace, client):
    async with bolt_over_http(client(workspace), secret="another-secret") as (_, url):
        with pytest.raises(SlackError, match="did not echo the challenge"):
            await workspace.use_http("A0DW", url)


async def test_a_failing_endpoint_is_tried_again_with_number_and_reason(workspace):
    seen = []

    async def handle(request):
        body = await request.json()
        if body["type"] == "url_verification":
            return web.json_response({"challenge": body["challenge"]})
        seen.append(
            (
                body["event_id"],
                request.headers.get("X-Slack-Retry-Num"),
                request.headers.get("X-Slack-Retry-Reason"),
            )
        )
        return web.Response(status=500 if len(seen) < 3 else 200)

    async with serving(handle) as url:
        await workspace.use_http("A0DW", url)
        await workspace.people["ana"].post("data-alerts", "hello")
        await workspace.settled()

    assert len({event_id for event_id, _, _ in seen}) == 1
    assert [rest for _, *rest in seen] == [[None, None], ["1", "http_error"], ["2", "http_error"]]


async def test_no_retry_stops_the_tries(workspace):
    seen = []

    async def handle(request):
        body = await request.json()
        if body["type"] == "url_verification":
            return web.Response(text=body["challenge"])
        seen.append(body)
        return web.Response(status=500, headers={"X-Slack-No-Retry": "1"})

    async with serving(handle) as url:
        await workspace.use_http("A0DW", url)
        await workspace.people["ana"].post("data-alerts", "hello")
        await workspace.settled()

    assert len(seen) == 1


async def test_an_endpoint_that_hangs_or_is_gone_counts_as_unacked(open_workspace):
    async def handle(request):
        body = await request.json()
        return web.json_response({"challenge": body["challenge"]})

    async with open_workspace(ack_deadline=0.1) as workspace:
        async with serving(handle) as url:
            await workspace.use_http("A0DW", url)
        await workspace.people["ana"].post("data-alerts", "hello")
        await workspace.settled()
        delivery = workspace.record.events("message")[0]

    assert delivery.state == "failed"
    assert delivery.attempts[1].reason == "connection_failed"
