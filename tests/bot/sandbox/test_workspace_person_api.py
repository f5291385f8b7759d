"""/sandbox/*: what the page is given and may do."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

pytestmark = pytest.mark.loopback

BUTTON = {
    "type": "button",
    "action_id": "go",
    "text": {"type": "plain_text", "text": "Go"},
    "value": "1",
}


@pytest.fixture
def ask(workspace, http):
    """Call the person API as somebody: POST with a body, GET with none."""

    async def call(name, who="ana", body=None, **query):
        url = f"{workspace.base_url}/sandbox/{name}"
        sent = (
            http.get(url, params={"as": who, **query})
            if body is None
            else http.post(url, json={"as": who, **body})
        )
        async with sent as response:
            assert response.status == 200
            return await response.json()

    return call


async def test_the_state_holds_all_a_page_needs_to_start(ask):
    state = await ask("state", "U0BEN")

    assert state["ok"]
    assert state["me"]["name"] == "ben"
    assert [c["name"] for c in state["channels"]] == ["data-alerts", "quiet", "secret"]
    assert [c["is_member"] for c in state["channels"]] == [True, False, True]
    assert state["commands"][0]["completions"] == [{"text": "status", "description": ""}]
    assert state["apps"][0]["shortcuts"][0] == {
        "type": "message_action",
        "callback_id": "explain",
        "name": "Explain",
    }
    assert state["usergroups"][0]["users"] == ["U0ANA"]


async def test_private_channels_are_not_shown_to_others(ask):
    assert [c["name"] for c in (await ask("state"))["channels"]] == ["data-alerts", "quiet"]
    assert (await ask("messages", channel="G0SECRET"))["error"] == "channel_not_found"


async def test_unread_messages_are_counted_until_they_are_read(workspace, ask):
    workspace.alert("A0DAG", "data-alerts", text="one")
    workspace.alert("A0DAG", "data-alerts", text="two")
    before = (await ask("state"))["channels"][0]
    after = (await ask("read", body={"channel": "C0ALERTS"}))["channel"]

    assert (before["unread"], after["unread"]) == (2, 0)


async def test_messages_show_sender_thread_and_reactions(workspace, ask):
    root = workspace.alert("A0DAG", "data-alerts", text="Job failed")
    reply = await ask(
        "post", "ben", {"channel": "C0ALERTS", "text": "looking", "thread_ts": root.ts}
    )
    await ask("react", "ben", {"channel": "C0ALERTS", "ts": root.ts, "name": "eyes"})
    channel = (await ask("messages", channel="C0ALERTS"))["messages"]
    thread = (await ask("messages", channel="C0ALERTS", thread_ts=root.ts))["messages"]

    assert reply["ok"]
    assert [m["text"] for m in channel] == ["Job failed"]
    assert channel[0]["reply_count"] == 1
    assert channel[0]["reactions"] == [{"name": "eyes", "users": ["U0BEN"], "count": 1}]
    assert channel[0]["sender"] == {"kind": "app", "id": "A0DAG", "name": "Dagster+", "icon": ""}
    assert [m["sender"]["name"] for m in thread] == ["Dagster+", "Ben Okafor"]


async def test_an_own_message_can_be_edited_and_deleted(ask):
    said = await ask("post", body={"channel": "data-alerts", "text": "tpyo"})
    where = {"channel": "data-alerts", "ts": said["ts"]}
    edited = await ask("edit", body={**where, "text": "typo"})
    others = await ask("delete", "ben", body=where)
    own = await ask("delete", body=where)

    assert (edited["message"]["text"], edited["message"]["version"]) == ("typo", 2)
    assert (others["error"], own["ok"]) == ("cant_update_message", True)


@pytest.mark.parametrize(
    ("name", "body", "error"),
    [
        ("post", {"channel": "data-alerts", "text": "/dw status"}, "use_command"),
        ("post", {"channel": "data-alerts"}, "invalid_arguments"),
        ("post", {"channel": "nowhere", "text": "x"}, "channel_not_found"),
        ("command", {"channel": "data-alerts", "text": "/nope"}, "no_such_command"),
        (
            "click",
            {"channel": "data-alerts", "message_ts": "1.1", "action_id": "go"},
            "message_not_found",
        ),
        ("click", {"view_id": "V1", "action_id": "go"}, "no_such_view"),
        ("submit", {"view_id": "V1", "values": {}}, "no_such_view"),
        ("shortcut", {"callback_id": "nope"}, "no_such_shortcut"),
        ("join", {"channel": "secret"}, "channel_not_found"),
        ("leave", {"channel": "secret"}, "not_in_channel"),
    ],
)
async def test_what_can_not_be_done_is_said_in_a_sentence(ask, name, body, error):
    answer = await ask(name, body=body)

    assert (answer["ok"], answer["error"]) == (False, error)
    assert len(answer["message"]) > 5


async def test_somebody_unknown_or_gone_can_do_nothing(ask):
    assert (await ask("post", "nobody", {"channel": "data-alerts", "text": "x"}))[
        "error"
    ] == "user_not_found"
    assert (await ask("post", "gone", {"channel": "data-alerts", "text": "x"}))[
        "error"
    ] == "account_inactive"


async def test_a_link_button_of_an_app_that_takes_no_clicks_is_just_a_link(workspace, ask):
    link = BUTTON | {"action_id": "open", "url": "https://example.com/runs/1"}
    message = workspace.alert(
        "A0DAG", "data-alerts", text="x", blocks=[{"type": "actions", "elements": [link, BUTTON]}]
    )
    where = {"channel": "data-alerts", "message_ts": message.ts}

    assert (await ask("click", body={**where, "action_id": "open"}))["ok"]
    assert (await ask("click", body={**where, "action_id": "go"}))["error"] == "not_interactive"


async def test_a_dm_is_opened_and_presence_changed(ask):
    opened = await ask("open_dm", body={"user": "dw"})
    changed = await ask("presence", body={"presence": "away", "dnd_until": 9_999_999_999})

    assert (opened["channel"]["is_im"], opened["channel"]["with"]) == (True, "U0DW")
    assert changed["person"]["presence"] == "away"
    assert changed["person"]["dnd"]["enabled"]


async def test_an_external_select_asks_the_app(workspace, bolt, ask):
    def listen(app):
        @app.options("pick")
        async def on_options(ack, body):
            await ack(
                options=[{"text": {"type": "plain_text", "text": body["value"]}, "value": "1"}]
            )

    pick = {"type": "external_select", "action_id": "pick"}
    message = workspace.alert(
        "A0DW", "data-alerts", text="x", blocks=[{"type": "actions", "elements": [pick]}]
    )
    async with bolt(workspace, listen):
        said = {
            "channel": "data-alerts",
            "message_ts": message.ts,
            "action_id": "pick",
            "value": "ord",
        }
        answer = await ask("suggest", body=said)

    assert answer["options"][0]["text"]["text"] == "ord"


@asynccontextmanager
async def _listening(workspace, http, who):
    """Everything the stream tells somebody, as (name, data) in a queue."""
    heard: asyncio.Queue = asyncio.Queue()
    async with http.get(f"{workspace.base_url}/sandbox/stream", params={"as": who}) as response:

        async def read():
            name = ""
            async for line in response.content:
                text = line.decode().rstrip()
                if text.startswith("event: "):
                    name = text.removeprefix("event: ")
                elif text.startswith("data: "):
                    heard.put_nowait((name, json.loads(text.removeprefix("data: "))))

        async with asyncio.TaskGroup() as group:
            reading = group.create_task(read())
            assert (await heard.get())[0] == "ready"
            yield heard
            reading.cancel()


async def test_the_stream_tells_each_in_their_own_words(workspace, http):
    shown_to_ben = {"type": "actions", "elements": [BUTTON | {"visible_to_user_ids": ["U0BEN"]}]}
    async with _listening(workspace, http, "ana") as ana, _listening(workspace, http, "ben") as ben:
        workspace.alert("A0DW", "data-alerts", text="ask", blocks=[shown_to_ben])
        workspace.alert("A0DW", "secret", text="for ben")
        seen = [await ana.get(), await ana.get()]
        theirs = [(await ben.get())[1] for _ in range(3)]

    assert [name for name, _ in seen] == ["message", "channel"]
    assert seen[0][1]["message"]["blocks"] == []
    assert len(theirs[0]["message"]["blocks"]) == 1
    assert theirs[2]["message"]["text"] == "for ben"
    assert ana.empty()


async def test_the_stream_ends_when_the_workspace_shuts(open_workspace, http):
    async with open_workspace() as workspace:
        response = await http.get(f"{workspace.base_url}/sandbox/stream", params={"as": "ana"})
    assert b"ready" in await response.read()


async def test_the_log_shows_calls_and_deliveries_without_tokens(workspace, client, http):
    await client(workspace).chat_postMessage(channel="C0ALERTS", text="x")
    async with http.get(f"{workspace.base_url}/sandbox/log") as response:
        log = await response.json()

    assert log["calls"][0]["method"] == "chat.postMessage"
    assert log["deliveries"][0]["kind"] == "events_api"
    assert "xoxb" not in json.dumps(log)


async def test_the_page_and_extra_routes_are_served_beside_the_api(open_workspace, tmp_path, http):
    (tmp_path / "index.html").write_text("<h1>page</h1>")
    (tmp_path / "app.js").write_text("let x")

    async def extra(_request):
        return web.json_response({"demo": True})

    async with open_workspace(page=tmp_path, routes=[web.get("/demo", extra)]) as workspace:
        for path, words in (
            ("/", "page"),
            ("/archives/C1/p1", "page"),
            ("/app.js", "let x"),
            ("/demo", "demo"),
        ):
            async with http.get(workspace.base_url + path) as response:
                assert words in await response.text()
