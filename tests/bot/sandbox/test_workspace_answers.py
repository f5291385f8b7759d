"""What apps answer to what people do: stacks of modals, replies in every form, and answers Slack does not accept."""

import pytest

from bot.sandbox.workspace import SlackError

pytestmark = pytest.mark.loopback


def _text(words):
    return {"type": "plain_text", "text": words}


GO = {"type": "button", "action_id": "go", "text": _text("Go")}
ROW = {"type": "actions", "block_id": "row", "elements": [GO]}
PICK = {
    "type": "static_select",
    "action_id": "pick",
    "placeholder": _text("Pick"),
    "options": [{"text": _text("One"), "value": "1"}, {"text": _text("Two"), "value": "2"}],
}


def _modal(title, *blocks):
    submit = {"type": "section", "text": _text(title)}
    return {
        "type": "modal",
        "callback_id": "m",
        "title": _text(title),
        "submit": _text("Send"),
        "blocks": [submit, *blocks],
    }


def _opens(app, first, **answer):
    @app.action("go")
    async def on_go(ack, body, client):
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=first)

    @app.view("m")
    async def on_submit(ack):
        await ack(**answer)


@pytest.mark.parametrize(
    ("answer", "result", "titles"),
    [
        ({"response_action": "update", "view": _modal("Second")}, "updated", ["Second"]),
        ({"response_action": "push", "view": _modal("Second")}, "pushed", ["First", "Second"]),
        ({"response_action": "clear"}, "cleared", []),
        ({}, "closed", []),
    ],
)
async def test_a_submission_is_answered_with_what_comes_next(
    workspace, bolt, answer, result, titles
):
    workspace.alert("A0DW", "data-alerts", text="x", blocks=[ROW])
    ana = workspace.people["ana"]
    async with bolt(workspace, lambda app: _opens(app, _modal("First"), **answer)):
        await ana.click("Go")
        await ana.wait_for_modal("First")
        assert (await ana.submit())["result"] == result

    assert [v.body["title"]["text"] for v in workspace.core.state.stack("U0ANA")] == titles


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"response_action": "errors", "errors": {"nowhere": "wrong"}}, "invalid_response"),
        (
            {"response_action": "update", "view": {"type": "modal", "blocks": []}},
            "invalid_arguments",
        ),
    ],
)
async def test_an_answer_slack_does_not_accept_is_an_error_on_screen(workspace, bolt, answer, code):
    workspace.alert("A0DW", "data-alerts", text="x", blocks=[ROW])
    ana, screen = workspace.people["ana"], workspace.core.streams.open("U0ANA")
    async with bolt(workspace, lambda app: _opens(app, _modal("First"), **answer)):
        await ana.click("Go")
        await ana.wait_for_modal("First")
        with pytest.raises(SlackError) as refusal:
            await ana.submit()

    told = [screen.get_nowait() for _ in range(screen.qsize())]
    assert refusal.value.code == code
    assert code in [data["code"] for name, data in told if name == "toast"]
    assert ana.modal().body["title"]["text"] == "First"


async def test_a_click_in_a_modal_carries_the_form_as_it_stands(workspace, bolt):
    got = []
    why = {"type": "plain_text_input", "action_id": "why"}
    form = _modal(
        "First",
        {
            "type": "input",
            "block_id": "why",
            "label": _text("Why"),
            "element": why,
            "optional": True,
        },
        {"type": "section", "block_id": "s", "text": _text("Which"), "accessory": PICK},
    )

    def listen(app):
        _opens(app, form)

        @app.action("pick")
        async def on_pick(ack, body):
            got.append(body)
            await ack()

    workspace.alert("A0DW", "data-alerts", text="x", blocks=[ROW])
    ana = workspace.people["ana"]
    async with bolt(workspace, listen):
        await ana.click("Go")
        await ana.wait_for_modal()
        await ana.click("Pick", value="2", state={"why": {"why": "half a"}})

    assert got[0]["container"] == {"type": "view", "view_id": ana.modal().id}
    assert got[0]["actions"][0]["selected_option"]["value"] == "2"
    values = got[0]["view"]["state"]["values"]
    assert values["why"]["why"]["value"] == "half a"
    assert values["s"]["pick"]["selected_option"]["value"] == "2"


async def test_closing_the_stack_closes_every_modal(workspace, bolt):
    workspace.alert("A0DW", "data-alerts", text="x", blocks=[ROW])
    ana = workspace.people["ana"]
    answer = {"response_action": "push", "view": _modal("Second")}
    async with bolt(workspace, lambda app: _opens(app, _modal("First"), **answer)):
        await ana.click("Go")
        await ana.wait_for_modal("First")
        await ana.submit()
        await ana.close(everything=True)

    assert workspace.core.state.stack("U0ANA") == []


def _says(app, said):
    @app.command("/dw")
    async def on_command(ack):
        await ack(said)

    @app.shortcut("ask")
    async def on_shortcut(ack):
        await ack()


@pytest.mark.parametrize(
    ("said", "readers"),
    [
        ("for you", ["ana"]),
        ({"text": "for you", "response_type": "in_channel"}, ["ana", "ben"]),
    ],
)
async def test_a_command_is_answered_in_private_or_aloud(workspace, bolt, said, readers):
    async with bolt(workspace, lambda app: _says(app, said)):
        await workspace.people["ana"].command("data-alerts", "/dw")

    lines = {name: workspace.people[name].reads("data-alerts") for name in ("ana", "ben")}
    assert [
        name for name, seen in lines.items() if any(m.body["text"] == "for you" for m in seen)
    ] == readers


async def test_a_command_answered_with_broken_blocks_is_an_error(workspace, bolt):
    async with bolt(workspace, lambda app: _says(app, {"blocks": [{"type": "poem"}]})):
        with pytest.raises(SlackError) as refusal:
            await workspace.people["ana"].command("data-alerts", "/dw")

    assert refusal.value.code == "invalid_blocks"


async def test_a_global_shortcut_opens_nothing_but_is_acked(workspace, bolt):
    async with bolt(workspace, lambda app: _says(app, "")):
        delivery = await workspace.people["ana"].shortcut("ask")

    assert (delivery.state, delivery.payload["type"]) == ("acked", "shortcut")


async def test_an_ephemeral_message_is_replaced_and_deleted_by_its_response_url(
    workspace, bolt, client, http
):
    got = []

    def listen(app):
        @app.action("go")
        async def on_go(ack, body):
            got.append(body)
            await ack()

    await client(workspace).chat_postEphemeral(
        channel="C0ALERTS", user="U0ANA", text="sure?", blocks=[ROW]
    )
    ana = workspace.people["ana"]
    async with bolt(workspace, listen):
        await ana.click("Go")
    assert got[0]["container"]["is_ephemeral"] is True
    assert "message" not in got[0]

    async with http.post(
        got[0]["response_url"], json={"replace_original": True, "text": "done"}
    ) as response:
        assert response.status == 200
    assert [m.body["text"] for m in ana.reads("data-alerts")] == ["done"]
    async with http.post(got[0]["response_url"], json={"delete_original": True}) as response:
        assert response.status == 200
    assert ana.reads("data-alerts") == []


async def test_a_response_url_speaks_in_a_thread_or_the_channel_and_refuses_nonsense(
    workspace, http
):
    root = workspace.alert("A0DAG", "data-alerts", text="Job failed")
    dw = workspace.core.state.apps["A0DW"]
    url = workspace.core.response_url(dw, "U0ANA", "C0ALERTS", root.ts)
    aloud = {"text": "looking", "response_type": "in_channel", "thread_ts": root.ts}
    for said, status in ((aloud, 200), ({"text": ""}, 400), ({"delete_original": True}, 404)):
        async with http.post(url, json=said) as response:
            assert response.status == status
    async with http.post(url, data="{") as response:
        assert (await response.json())["error"] == "invalid_payload"

    assert [m.body["text"] for m in workspace.people["ben"].reads("data-alerts", root.ts)] == [
        "Job failed",
        "looking",
    ]
