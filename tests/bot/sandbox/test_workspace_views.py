"""views.* under the SDK: triggers, hashes, stacks, and what an update keeps."""

import pytest
from slack_sdk.errors import SlackApiError

pytestmark = pytest.mark.loopback

SECTION = {"type": "section", "text": {"type": "mrkdwn", "text": "hello"}}


async def _error(call):
    with pytest.raises(SlackApiError) as refusal:
        await call
    return refusal.value.response["error"]


async def test_a_trigger_is_spent_once_and_dies_in_three_seconds(open_workspace, client):
    now = [1_800_000_000.0]
    view = {"type": "modal", "title": {"type": "plain_text", "text": "Hi"}, "blocks": [SECTION]}
    async with open_workspace(clock=lambda: now[0]) as workspace:
        slack, dw = client(workspace), workspace.core.state.apps["A0DW"]
        good, old = workspace.core.trigger(dw, "U0ANA"), workspace.core.trigger(dw, "U0ANA")
        opened = await slack.views_open(trigger_id=good, view=view)
        assert await _error(slack.views_open(trigger_id=good, view=view)) == "exchanged_trigger_id"
        now[0] += 3.1
        assert await _error(slack.views_open(trigger_id=old, view=view)) == "expired_trigger_id"
        assert await _error(slack.views_open(trigger_id="1.2", view=view)) == "invalid_trigger_id"
        stale = opened["view"]["hash"]
        await slack.views_update(view_id=opened["view"]["id"], hash=stale, view=view)
        assert (
            await _error(slack.views_update(view_id=opened["view"]["id"], hash=stale, view=view))
            == "hash_conflict"
        )
        assert await _error(slack.views_update(view_id="V0NONE", view=view)) == "not_found"


async def test_views_stack_three_high(open_workspace, client):
    view = {"type": "modal", "title": {"type": "plain_text", "text": "Hi"}, "blocks": [SECTION]}
    async with open_workspace() as workspace:
        slack, core = client(workspace), workspace.core
        dw, top = core.state.apps["A0DW"], ""
        for open_it in (slack.views_open, slack.views_push, slack.views_push):
            top = (await open_it(trigger_id=core.trigger(dw, "U0ANA", top), view=view))["view"][
                "id"
            ]
        fourth = slack.views_push(trigger_id=core.trigger(dw, "U0ANA", top), view=view)
        assert await _error(fourth) == "push_limit_reached"


def _form(*inputs, **more):
    title, submit = ({"type": "plain_text", "text": text} for text in ("Form", "Send"))
    return {"type": "modal", "title": title, "submit": submit, "blocks": list(inputs), **more}


def _field(block_id, element):
    label = {"type": "plain_text", "text": block_id}
    return {
        "type": "input",
        "block_id": block_id,
        "label": label,
        "element": {"action_id": "it", **element},
    }


def _option(value):
    return {"text": {"type": "plain_text", "text": value.title()}, "value": value}


async def _shown(workspace, client, view):
    trigger = workspace.core.trigger(workspace.core.state.apps["A0DW"], "U0ANA")
    return (await client(workspace).views_open(trigger_id=trigger, view=view))["view"]


async def test_a_form_opens_with_its_initial_values_and_made_up_ids(workspace, client):
    pick = {
        "type": "static_select",
        "options": [_option("a"), _option("b")],
        "initial_option": _option("b"),
    }
    many = {"type": "multi_users_select", "initial_users": ["U0BEN"]}
    view = await _shown(
        workspace, client, _form(_field("pick", pick), _field("who", many), SECTION)
    )
    values = view["state"]["values"]

    assert values["pick"]["it"]["selected_option"]["value"] == "b"
    assert values["who"]["it"]["selected_users"] == ["U0BEN"]
    assert view["blocks"][2]["block_id"]


async def test_an_update_keeps_what_was_typed(workspace, client):
    text = _field("why", {"type": "plain_text_input"})
    view = await _shown(workspace, client, _form(text))
    workspace.core.state.views[view["id"]].values["why"]["it"]["value"] = "half a sentence"
    updated = await client(workspace).views_update(view_id=view["id"], view=_form(text, SECTION))

    assert updated["view"]["state"]["values"]["why"]["it"]["value"] == "half a sentence"


@pytest.mark.parametrize(
    ("element", "typed", "complaint"),
    [
        ({"type": "plain_text_input"}, "", "required"),
        ({"type": "plain_text_input", "max_length": 3}, "long", "between"),
        ({"type": "number_input", "is_decimal_allowed": False}, "1.5", "whole"),
        ({"type": "number_input", "is_decimal_allowed": True, "max_value": "2"}, "2.5", "between"),
        ({"type": "number_input", "is_decimal_allowed": True}, "two", "number"),
        ({"type": "checkboxes", "options": [_option("a")]}, [], "required"),
    ],
)
async def test_fields_are_checked_before_the_app_is_asked(
    workspace, client, http, element, typed, complaint
):
    view = await _shown(workspace, client, _form(_field("it", element)))
    said = {"as": "ana", "view_id": view["id"], "values": {"it": {"it": typed}}}
    async with http.post(f"{workspace.base_url}/sandbox/submit", json=said) as response:
        answer = await response.json()

    assert answer["error"] == "errors"
    assert complaint in answer["errors"]["it"]
    assert [d for d in workspace.record.deliveries if d.kind == "interactive"] == []


async def test_an_option_that_is_not_offered_can_not_be_chosen(workspace, client, http):
    view = await _shown(
        workspace, client, _form(_field("it", {"type": "static_select", "options": [_option("a")]}))
    )
    said = {"as": "ana", "view_id": view["id"], "values": {"it": {"it": "z"}}}
    async with http.post(f"{workspace.base_url}/sandbox/submit", json=said) as response:
        assert (await response.json())["error"] == "no_such_option"


async def test_a_form_with_fields_needs_a_submit_button(workspace, client):
    view = _form(_field("it", {"type": "plain_text_input"}))
    del view["submit"]
    assert await _error(_shown(workspace, client, view)) == "invalid_arguments"


async def test_two_forms_can_not_share_an_external_id(workspace, client):
    await _shown(workspace, client, _form(SECTION, external_id="one"))
    home = {"type": "home", "blocks": [SECTION], "external_id": "one"}
    assert (
        await _error(client(workspace).views_publish(user_id="U0BEN", view=home))
        == "duplicate_external_id"
    )


async def test_a_home_tab_is_published_for_people_who_are_here(workspace, client):
    home = {"type": "home", "blocks": [SECTION]}
    publish = client(workspace).views_publish
    first = await publish(user_id="U0ANA", view=home)
    again = await publish(user_id="U0ANA", view=home, hash=first["view"]["hash"])

    assert first["view"]["id"] == again["view"]["id"]
    assert (
        await _error(publish(user_id="U0ANA", view=home, hash=first["view"]["hash"]))
        == "hash_conflict"
    )
    assert await _error(publish(user_id="U0GONE", view=home)) == "user_not_found"
