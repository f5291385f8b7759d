"""Clicks, commands, modals, home tabs and response_urls between a person and an unmodified Bolt app."""

import asyncio

import pytest

from bot.sandbox.workspace import SlackError

pytestmark = pytest.mark.loopback

APPROVE = {
    "type": "button",
    "action_id": "approve",
    "text": {"type": "plain_text", "text": "Approve"},
    "value": "v1",
}
ASK = {"type": "actions", "block_id": "ask", "elements": [APPROVE]}
MODAL = {
    "type": "modal",
    "callback_id": "why",
    "notify_on_close": True,
    "title": {"type": "plain_text", "text": "Why not?"},
    "submit": {"type": "plain_text", "text": "Send"},
    "blocks": [
        {
            "type": "input",
            "block_id": "reason",
            "label": {"type": "plain_text", "text": "Reason"},
            "element": {"type": "plain_text_input", "action_id": "text", "min_length": 3},
        }
    ],
}


def _acks(app, got, **answer):
    @app.action("approve")
    async def on_click(ack, body):
        got.append(body)
        await ack()

    @app.command("/dw")
    async def on_command(ack, body):
        got.append(body)
        await ack(**answer)


async def test_a_click_carries_who_where_and_what_was_shown(workspace, bolt):
    got = []
    message = workspace.alert("A0DW", "data-alerts", text="ask", blocks=[ASK])
    async with bolt(workspace, lambda app: _acks(app, got)):
        await workspace.people["ana"].click("Approve")

    body = got[0]
    assert body["user"]["id"] == "U0ANA"
    assert body["container"]["message_ts"] == body["message"]["ts"] == message.ts
    assert body["actions"][0] | {"action_ts": ""} == {
        "action_id": "approve",
        "block_id": "ask",
        "type": "button",
        "text": {"type": "plain_text", "text": "Approve", "emoji": True},
        "value": "v1",
        "action_ts": "",
    }


async def test_a_click_on_a_stale_screen_carries_the_old_value(workspace, bolt):
    got = []
    workspace.alert("A0DW", "data-alerts", text="ask", blocks=[ASK])
    async with bolt(workspace, lambda app: _acks(app, got)):
        await workspace.people["ana"].click("Approve", value="v0")

    assert got[0]["actions"][0]["value"] == "v0"


async def test_a_button_that_was_taken_away_can_not_be_clicked(workspace, client):
    slack = client(workspace)
    posted = await slack.chat_postMessage(channel="C0ALERTS", text="ask", blocks=[ASK])
    shown = workspace.message("C0ALERTS", posted["ts"])
    await slack.chat_update(channel="C0ALERTS", ts=posted["ts"], text="decided")

    assert "blocks" not in shown.body
    with pytest.raises(AssertionError, match="sees no 'Approve'"):
        await workspace.people["ana"].click("Approve", on=shown)


async def test_a_button_for_others_is_neither_seen_nor_clickable(workspace, http):
    secret = {**ASK, "elements": [APPROVE | {"visible_to_user_ids": ["U0BEN"]}]}
    message = workspace.alert("A0DW", "data-alerts", text="ask", blocks=[secret])

    assert workspace.people["ben"].sees_button("Approve")
    assert not workspace.people["ana"].sees_button("Approve")
    assert message.body["blocks"][0]["elements"][0]["visible_to_user_ids"] == ["U0BEN"]
    click = {"as": "ana", "channel": "C0ALERTS", "message_ts": message.ts, "action_id": "approve"}
    async with http.post(f"{workspace.base_url}/sandbox/click", json=click) as response:
        assert (await response.json())["error"] == "not_visible"


async def test_a_click_that_is_not_acked_is_an_error_on_screen_and_never_sent_again(
    open_workspace, bolt
):
    def listen(app):
        @app.action("approve")
        async def on_click(ack):
            await asyncio.sleep(0.3)

    async with open_workspace(ack_deadline=0.1) as workspace, bolt(workspace, listen):
        workspace.alert("A0DW", "data-alerts", text="ask", blocks=[ASK])
        screen = workspace.core.streams.open("U0ANA")
        with pytest.raises(SlackError, match="did not answer in time"):
            await workspace.people["ana"].click("Approve")
        await asyncio.sleep(0.3)
        clicks = [d for d in workspace.record.deliveries if d.kind == "interactive"]

    assert len(clicks) == 1
    assert len(clicks[0].attempts) == 1
    assert screen.get_nowait() == (
        "toast",
        {
            "level": "error",
            "code": "operation_timeout",
            "text": "dw did not answer in time.",
            "channel": "C0ALERTS",
            "message_ts": clicks[0].payload["container"]["message_ts"],
            "action_id": "approve",
        },
    )


async def test_a_person_who_left_can_not_click(workspace):
    workspace.alert("A0DW", "data-alerts", text="ask", blocks=[ASK])
    workspace.deactivate("ana")

    with pytest.raises(SlackError, match="has left"):
        await workspace.people["ana"].click("Approve")


async def test_a_command_is_answered_for_the_person_alone(workspace, bolt):
    got = []
    async with bolt(workspace, lambda app: _acks(app, got, text="all quiet")):
        await workspace.people["ana"].command("quiet", "/dw status now")
        answer = await workspace.people["ana"].wait_for_message("all quiet")

    assert (got[0]["command"], got[0]["text"]) == ("/dw", "status now")
    assert got[0]["is_enterprise_install"] == "false"
    assert "thread_ts" not in got[0]
    assert answer.reader == "U0ANA"


async def test_a_command_without_an_app_behind_it_fails_on_screen(open_workspace):
    async with open_workspace(ack_deadline=0.1) as workspace:
        with pytest.raises(SlackError, match="operation_timeout"):
            await workspace.people["ana"].command("quiet", "/dw status")
        with pytest.raises(SlackError, match="not a valid command"):
            await workspace.people["ana"].command("quiet", "/nope")


def _asks_why(app, got):
    @app.action("approve")
    async def on_click(ack, body, client):
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=MODAL)

    @app.view("why")
    async def on_submit(ack, view):
        typed = view["state"]["values"]["reason"]["text"]["value"]
        got.append(typed)
        if typed == "because":
            await ack(response_action="errors", errors={"reason": "Say more."})
        else:
            await ack()

    @app.view_closed("why")
    async def on_close(ack, body):
        got.append(("closed", body["is_cleared"]))
        await ack()


async def test_a_modal_opens_refuses_and_closes(workspace, bolt):
    got = []
    workspace.alert("A0DW", "data-alerts", text="ask", blocks=[ASK])
    ana = workspace.people["ana"]
    async with bolt(workspace, lambda app: _asks_why(app, got)):
        await ana.click("Approve")
        await ana.wait_for_modal("Why not?")
        for empty_or_refused in ({}, {"reason": "no"}, {"reason": "because"}):
            with pytest.raises(SlackError) as refusal:
                await ana.submit(empty_or_refused)
            assert list(refusal.value.details["errors"]) == ["reason"]
        outcome = await ana.submit({"reason": "the replica was behind"})

    assert outcome == {"result": "closed"}
    assert got == ["because", "the replica was behind"]


async def test_closing_a_modal_tells_the_app_that_asked_to_know(workspace, bolt):
    got = []
    workspace.alert("A0DW", "data-alerts", text="ask", blocks=[ASK])
    ana = workspace.people["ana"]
    async with bolt(workspace, lambda app: _asks_why(app, got)):
        await ana.click("Approve")
        await ana.wait_for_modal()
        await ana.close()
        await workspace.settled()

    assert got == [("closed", False)]


async def test_a_message_shortcut_and_a_home_tab_reach_the_app(workspace, bolt):
    got = []

    def listen(app):
        @app.shortcut("explain")
        async def on_shortcut(ack, body):
            got.append(body["message"]["text"])
            await ack()

        @app.event("app_home_opened")
        async def on_home(event, client):
            header = {"type": "header", "text": {"type": "plain_text", "text": "Open incidents"}}
            await client.views_publish(
                user_id=event["user"], view={"type": "home", "blocks": [header]}
            )

    message = workspace.alert("A0DAG", "data-alerts", text="Job failed")
    ana = workspace.people["ana"]
    async with bolt(workspace, listen):
        await ana.shortcut("explain", message)
        await ana.open_home()
        await ana.wait_for_home("Open incidents")

    assert got == ["Job failed"]


async def test_a_response_url_is_good_for_five_uses(workspace, bolt, http):
    got = []
    message = workspace.alert("A0DW", "data-alerts", text="ask", blocks=[ASK])
    async with bolt(workspace, lambda app: _acks(app, got)):
        await workspace.people["ana"].click("Approve")
    url = got[0]["response_url"]
    statuses = []
    for number in range(6):
        async with http.post(
            url, json={"replace_original": True, "text": f"take {number}"}
        ) as response:
            statuses.append((response.status, (await response.json()).get("error")))

    assert statuses == [(200, None)] * 5 + [(404, "used_url")]
    assert workspace.message("C0ALERTS", message.ts).body["text"] == "take 4"


async def test_a_response_url_dies_after_half_an_hour(open_workspace, bolt, http):
    now, got = [1_800_000_000.0], []
    async with open_workspace(clock=lambda: now[0]) as workspace:
        workspace.alert("A0DW", "data-alerts", text="ask", blocks=[ASK])
        async with bolt(workspace, lambda app: _acks(app, got)):
            await workspace.people["ana"].click("Approve")
        now[0] += 1801
        async with http.post(got[0]["response_url"], json={"text": "too late"}) as response:
            assert (await response.json())["error"] == "expired_url"
