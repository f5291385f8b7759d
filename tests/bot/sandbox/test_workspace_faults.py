"""Each fault does what it says, seen from the unmodified SDK."""

import time

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError

from bot.sandbox.workspace import until

pytestmark = pytest.mark.loopback


async def _refused(call):
    with pytest.raises(SlackApiError) as refusal:
        await call
    return refusal.value.response


async def test_a_429_says_when_to_come_back_and_passes(workspace, client):
    workspace.faults.add(
        "answer", 1, method="chat.postMessage", answer={"error": "ratelimited", "retry_after": 7}
    )
    slack = client(workspace)
    answer = await _refused(slack.chat_postMessage(channel="C0ALERTS", text="hi"))

    assert (answer.status_code, answer["error"], answer.headers["Retry-After"]) == (
        429,
        "ratelimited",
        "7",
    )
    assert (await slack.chat_postMessage(channel="C0ALERTS", text="hi"))["ok"]


@pytest.mark.parametrize("error", ["message_limit_exceeded", "invalid_blocks", "fatal_error"])
async def test_any_refusal_can_be_had_for_so_many_calls(workspace, client, error):
    workspace.faults.add("answer", 2, method="chat.postMessage", answer={"error": error})
    slack = client(workspace)
    for _ in range(2):
        assert (await _refused(slack.chat_postMessage(channel="C0ALERTS", text="hi")))[
            "error"
        ] == error
    assert (await slack.chat_postMessage(channel="C0ALERTS", text="hi"))["ok"]


async def test_a_server_error_is_a_500(workspace, client):
    workspace.faults.add("answer", method="chat.update", answer={"status": 500})
    answer = await _refused(client(workspace).chat_update(channel="C0ALERTS", ts="1.1", text="x"))

    assert answer.status_code == 500


async def test_a_lost_answer_did_the_work(workspace, client):
    workspace.faults.add("lost", method="chat.postMessage")
    with pytest.raises(aiohttp.ClientError):
        await client(workspace, retry_handlers=[]).chat_postMessage(
            channel="C0ALERTS", text="said anyway"
        )

    assert await workspace.people["ana"].wait_for_message("said anyway")
    assert workspace.record.called("chat.postMessage")[0].lost


async def test_a_slow_answer_takes_its_time(workspace, client):
    workspace.faults.add("slow", answer={"ms": 120})
    before = time.monotonic()
    await client(workspace).auth_test()

    assert time.monotonic() - before >= 0.12


async def test_after_dead_handshakes_only_a_new_url_helps(workspace, client, http):
    workspace.faults.add("dead_handshake", 1)
    slack = client(workspace)
    url = (await slack.apps_connections_open(app_token="xapp-dw"))["url"]
    with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
        await http.ws_connect(url)
    assert refusal.value.status == 503

    async with http.ws_connect(
        (await slack.apps_connections_open(app_token="xapp-dw"))["url"]
    ) as socket:
        assert (await socket.receive_json())["type"] == "hello"


def _listens(got):
    def listen(app):
        @app.event("message")
        async def on_message(event, body, request):
            got.append((event["text"], body["event_id"], request.headers["x-slack-retry-num"]))

    return listen


@pytest.mark.parametrize("same_envelope", [True, False])
async def test_a_duplicate_is_the_same_event_without_a_retry_number(workspace, bolt, same_envelope):
    got = []
    async with bolt(workspace, _listens(got)):
        workspace.faults.add("duplicate", same_envelope=same_envelope)
        await workspace.people["ana"].post("data-alerts", "twice")
        await workspace.settled()
        await until(lambda: len(got) == 2, 2, "The duplicate")
        envelopes = workspace.record.events("message")[0].attempts[0].envelope_ids

    assert got[0] == got[1]
    assert got[0][2] == ["0"]
    assert len(set(envelopes)) == (1 if same_envelope else 2)


async def test_events_can_overtake_each_other(workspace, bolt):
    got = []
    async with bolt(workspace, _listens(got)):
        workspace.faults.add("reorder", 3)
        for text in "abc":
            await workspace.people["ana"].post("data-alerts", text)
        await workspace.settled()

    assert [text for text, _, _ in got] == ["c", "b", "a"]


async def test_an_event_can_be_late(workspace, bolt):
    got = []
    async with bolt(workspace, _listens(got)):
        workspace.faults.add("delay", answer={"ms": 80})
        await workspace.people["ana"].post("data-alerts", "late")
        await workspace.people["ana"].post("data-alerts", "early")
        await workspace.settled()

    assert [text for text, _, _ in got] == ["early", "late"]


async def test_a_forgotten_ack_brings_the_event_again(open_workspace, bolt):
    got = []
    async with open_workspace(ack_deadline=0.15) as workspace, bolt(workspace, _listens(got)):
        workspace.faults.add("drop_ack")
        await workspace.people["ana"].post("data-alerts", "once more")
        await workspace.settled()

    assert [number for _, _, number in got] == [["0"], ["1"]]
    assert len({event_id for _, event_id, _ in got}) == 1


async def test_a_cut_line_is_found_and_opened_again(workspace, bolt):
    got = []
    async with bolt(workspace, _listens(got)):
        workspace.abort()
        await until(lambda: workspace.connections("A0DW"), 5, "A new socket")
        await workspace.people["ana"].post("data-alerts", "back")
        await workspace.settled()

    assert [text for text, _, _ in got] == ["back"]


async def test_faults_are_switched_over_http_too(workspace, http, client):
    url = f"{workspace.base_url}/sandbox/faults"
    async with http.post(
        url, json={"kind": "answer", "method": "auth.test", "error": "token_revoked"}
    ) as response:
        assert (await response.json())["ok"]
    async with http.get(url) as response:
        assert [f["kind"] for f in (await response.json())["faults"]] == ["answer"]
    assert (await _refused(client(workspace).auth_test()))["error"] == "token_revoked"
    async with http.post(url, json={"kind": "earthquake"}) as response:
        assert (await response.json())["error"] == "unknown_fault"
    async with http.delete(url) as response:
        assert (await response.json())["ok"]
