"""An unmodified Bolt app over Socket Mode: every kind of envelope arrives, is acked, and is tried again when it is not."""

import asyncio

import pytest
from slack_bolt.adapter.socket_mode.async_handler import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp

from bot.sandbox.workspace import until

pytestmark = pytest.mark.loopback


def _listens(app, got: list):
    @app.event("message")
    async def on_message(event, body):
        got.append(("message", event, body["event_id"]))

    @app.event("app_mention")
    async def on_mention(event, body):
        got.append(("app_mention", event, body["event_id"]))


async def test_a_message_typed_by_a_person_is_answered_in_its_thread(workspace, bolt):
    got = []

    def listen(app):
        @app.event("message")
        async def on_message(event, say):
            if not event.get("bot_id"):
                got.append(event)
                await say("hello <@U0ANA>", thread_ts=event["ts"])

    async with bolt(workspace, listen):
        ana = workspace.people["ana"]
        await ana.post("data-alerts", "is R&D <ok>, @ben?")
        answer = await ana.wait_for_message("hello")

    assert got[0]["text"] == "is R&amp;D &lt;ok&gt;, <@U0BEN>?"
    assert answer.thread_ts == got[0]["ts"]


async def test_a_mention_arrives_twice_with_two_event_ids_and_one_ts(workspace, bolt):
    got = []
    async with bolt(workspace, lambda app: _listens(app, got)):
        await workspace.people["ana"].post("data-alerts", "@dw status")
        await workspace.settled()

    kinds = sorted(kind for kind, _, _ in got)
    assert kinds == ["app_mention", "message"]
    assert len({event["ts"] for _, event, _ in got}) == 1
    assert len({event_id for _, _, event_id in got}) == 2


async def test_a_name_in_plain_text_is_no_mention(workspace, bolt):
    got = []
    async with bolt(workspace, lambda app: _listens(app, got)):
        workspace.alert("A0DAG", "data-alerts", text="@dw look at this")
        await workspace.settled()

    assert [kind for kind, _, _ in got] == ["message"]


async def test_a_direct_message_gives_no_app_mention(workspace, bolt):
    got = []
    async with bolt(workspace, lambda app: _listens(app, got)):
        ana = workspace.people["ana"]
        await ana.post(ana.dm("dw"), "@dw help")
        await workspace.settled()

    assert [(kind, event["channel_type"]) for kind, event, _ in got] == [("message", "im")]


async def test_a_bot_outside_the_channel_hears_nothing(workspace, bolt):
    got = []
    async with bolt(workspace, lambda app: _listens(app, got)):
        await workspace.people["ana"].post("quiet", "@dw psst")
        await workspace.settled()

    assert got == []


async def test_an_event_that_is_not_acked_comes_again_with_the_same_event_id(open_workspace, bolt):
    got = []

    def listen(app):
        @app.event("message")
        async def on_message(event, body, request):
            got.append((body["event_id"], request.headers.get("x-slack-retry-num")))
            if len(got) < 3:
                raise RuntimeError("crashed before the commit")

    async with open_workspace(ack_deadline=0.2) as workspace, bolt(workspace, listen):
        await workspace.people["ana"].post("data-alerts", "hello")
        await workspace.settled()
        delivery = workspace.record.events("message")[0]

    assert {event_id for event_id, _ in got} == {delivery.payload["event_id"]}
    assert [number for _, number in got] == [["0"], ["1"], ["2"]]
    assert delivery.state == "acked"


async def test_an_event_nobody_acks_is_given_up_after_three_more_tries(open_workspace):
    async with open_workspace() as workspace:
        await workspace.people["ana"].post("data-alerts", "anybody?")
        await workspace.settled()
        delivery = workspace.record.events("message")[0]

    assert delivery.state == "failed"
    assert [a.number for a in delivery.attempts] == [0, 1, 2, 3]
    assert [a.reason for a in delivery.attempts] == ["", "timeout", "timeout", "timeout"]


async def test_envelopes_are_spread_over_all_connections(workspace, bolt):
    got = []
    async with bolt(workspace, lambda app: _listens(app, got), sockets=2):
        for number in range(6):
            await workspace.people["ana"].post("data-alerts", f"line {number}")
        await workspace.settled()
        used = {via for d in workspace.record.deliveries for a in d.attempts for via in a.via}

    assert len(used) == 2


async def test_the_app_comes_back_after_a_refresh(workspace, bolt):
    got = []
    async with bolt(workspace, lambda app: _listens(app, got)):
        await workspace.disconnect("refresh_requested")
        await until(lambda: workspace.connections("A0DW"), 5, "A new socket")
        await workspace.people["ana"].post("data-alerts", "still there?")
        await workspace.settled()

    assert len(got) == 1
    assert len(workspace.record.called("apps.connections.open")) == 2


async def test_a_ticket_opens_one_socket_only(workspace, client, http):
    opened = await client(workspace).apps_connections_open(app_token="xapp-dw")
    async with http.ws_connect(opened["url"]) as first:
        assert (await first.receive_json())["type"] == "hello"
        async with http.get(opened["url"].replace("ws:", "http:")) as again:
            assert again.status == 403


async def test_the_eleventh_connection_is_sent_away(open_workspace, client, http):
    async with open_workspace(max_connections=1) as workspace:
        slack = client(workspace)
        first = await http.ws_connect(
            (await slack.apps_connections_open(app_token="xapp-dw"))["url"]
        )
        await first.receive_json()
        second = await http.ws_connect(
            (await slack.apps_connections_open(app_token="xapp-dw"))["url"]
        )
        said = await second.receive_json()
        await second.close()
        await first.close()

    assert said["reason"] == "too_many_websockets"


async def test_an_ack_on_another_socket_does_not_count(open_workspace, client, http):
    async with open_workspace(ack_deadline=0.2, redeliver_after=()) as workspace:
        slack = client(workspace)
        sockets = [
            await http.ws_connect((await slack.apps_connections_open(app_token="xapp-dw"))["url"])
            for _ in range(2)
        ]
        for socket in sockets:
            await socket.receive_json()
        await workspace.people["ana"].post("data-alerts", "hello")
        receiving = {asyncio.ensure_future(s.receive_json()): s for s in sockets}
        done, waiting = await asyncio.wait(receiving, return_when=asyncio.FIRST_COMPLETED)
        other = next(s for t, s in receiving.items() if t not in done)
        await other.send_json({"envelope_id": done.pop().result()["envelope_id"]})
        await workspace.settled()
        for task in waiting:
            task.cancel()
        for socket in sockets:
            await socket.close()

    assert workspace.record.events("message")[0].state == "failed"
    assert len(workspace.record.strays) == 1


async def test_the_sdk_stays_deaf_after_a_dead_handshake_until_it_asks_for_a_new_url(
    workspace, client
):
    handler = AsyncSocketModeHandler(
        AsyncApp(client=client(workspace)), "xapp-dw", ping_interval=0.1
    )
    await handler.connect_async()
    workspace.faults.add("dead_handshake")
    await workspace.disconnect()
    await asyncio.sleep(0.6)
    deaf, asked = (
        workspace.connections("A0DW"),
        len(workspace.record.called("apps.connections.open")),
    )
    handler.client.wss_uri = None
    await until(lambda: workspace.connections("A0DW"), 5, "A new socket")
    await handler.close_async()

    assert (deaf, asked) == (0, 2)
