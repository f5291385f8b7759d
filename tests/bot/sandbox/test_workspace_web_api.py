"""The Web API as the unmodified SDK and plain HTTP see it: how it is called, who may call, and what Slack refuses."""

import json

import pytest
from slack_sdk.errors import SlackApiError

from bot.sandbox.workspace.ids import Mint

pytestmark = pytest.mark.loopback


async def _refusal(call):
    with pytest.raises(SlackApiError) as refusal:
        await call
    return refusal.value.response


async def _error(call):
    return (await _refusal(call))["error"]


SECTION = {"type": "section", "text": {"type": "mrkdwn", "text": "hello"}}


async def test_form_json_and_query_are_all_understood(workspace, http):
    url, who = f"{workspace.api_url}chat.postMessage", {"Authorization": "Bearer xoxb-dw"}
    said = {"channel": "C0ALERTS", "text": "hi", "blocks": json.dumps([SECTION])}
    answers = []
    for call in (
        http.post(url, data=said, headers=who),
        http.post(url, json=said, headers=who),
        http.post(url, json=said | {"blocks": [SECTION]}, headers=who),
        http.get(url, params=said | {"token": "xoxb-dw"}),
    ):
        async with call as response:
            answers.append(
                (response.status, (await response.json())["message"]["blocks"][0]["text"]["text"])
            )

    assert answers == [(200, "hello")] * 4


async def test_strangers_and_wrong_tokens_are_refused_in_slack_words(workspace, client, http):
    assert await _error(client(workspace, token="").auth_test()) == "not_authed"
    assert await _error(client(workspace, token="xoxb-no").auth_test()) == "invalid_auth"
    assert (
        await _error(client(workspace).apps_connections_open(app_token="xoxb-dw"))
        == "not_allowed_token_type"
    )
    assert await _error(client(workspace).api_call("chat.fly")) == "unknown_method"
    url = f"{workspace.api_url}apps.connections.open"
    async with http.post(url, data={"token": "xapp-dw"}) as response:
        assert (await response.json())["error"] == "not_authed"


async def test_a_missing_scope_is_named(workspace, client):
    workspace.regrant("A0DW", frozenset({"chat:write"}))
    answer = await _refusal(client(workspace).users_info(user="U0ANA"))

    assert (answer["error"], answer["needed"], answer["provided"]) == (
        "missing_scope",
        "users:read",
        "chat:write",
    )
    assert answer.headers["x-oauth-scopes"] == "chat:write"


async def test_auth_test_knows_each_app(workspace, client):
    ours, theirs = (
        await client(workspace).auth_test(),
        await client(workspace, token="xoxb-dagster").auth_test(),
    )

    assert (ours["user_id"], ours["bot_id"]) == ("U0DW", "B0DW")
    assert (theirs["user_id"], theirs["bot_id"]) == ("U0DAG", "B0DAG")


async def test_posting_needs_a_channel_membership_and_words(workspace, client):
    post = client(workspace).chat_postMessage
    assert await _error(post(channel="C0NOWHERE", text="x")) == "channel_not_found"
    assert await _error(post(channel="G0SECRET", text="x")) == "channel_not_found"
    assert await _error(post(channel="quiet", text="x")) == "not_in_channel"
    blank = client(workspace).api_call(
        "chat.postMessage", json={"channel": "C0ALERTS", "text": " "}
    )
    assert await _error(blank) == "no_text"
    assert (
        await _error(post(channel="C0ALERTS", text="x", thread_ts="1.000001")) == "thread_not_found"
    )
    workspace.archive("data-alerts", by="ana")
    assert await _error(post(channel="C0ALERTS", text="x")) == "is_archived"


async def test_text_is_stored_as_sent_and_cut_at_40000(workspace, client):
    slack = client(workspace)
    kept = await slack.chat_postMessage(channel="C0ALERTS", text="&amp; <@U0ANA> & raw")
    cut = await slack.chat_postMessage(channel="C0ALERTS", text="x" * 40_001)

    assert kept["message"]["text"] == "&amp; <@U0ANA> & raw"
    assert (len(cut["message"]["text"]), cut["warning"]) == (40_000, "message_truncated")


async def test_an_update_without_blocks_takes_them_away_and_keeps_metadata(workspace, client):
    slack = client(workspace)
    mark = {"event_type": "ask", "event_payload": {"id": "1"}}
    posted = await slack.chat_postMessage(
        channel="C0ALERTS", text="a", blocks=[SECTION], metadata=mark
    )
    await slack.chat_update(channel="C0ALERTS", ts=posted["ts"], text="b")
    with_marks = await slack.conversations_history(channel="C0ALERTS", include_all_metadata=True)
    without = await slack.conversations_history(channel="C0ALERTS")

    assert "blocks" not in with_marks["messages"][0]
    assert with_marks["messages"][0]["metadata"] == mark
    assert "metadata" not in without["messages"][0]
    assert without["messages"][0]["edited"]["user"] == "U0DW"


async def test_only_own_messages_can_be_changed(workspace, client):
    slack = client(workspace)
    theirs = workspace.alert("A0DAG", "data-alerts", text="Job failed")

    assert (
        await _error(slack.chat_update(channel="C0ALERTS", ts=theirs.ts, text="x"))
        == "cant_update_message"
    )
    assert (
        await _error(slack.chat_delete(channel="C0ALERTS", ts=theirs.ts)) == "cant_delete_message"
    )
    assert (
        await _error(slack.chat_update(channel="C0ALERTS", ts="1.1", text="x"))
        == "message_not_found"
    )


async def test_one_message_a_second_into_a_channel_after_a_short_burst(open_workspace, client):
    now = [1_800_000_000.0]
    async with open_workspace(clock=lambda: now[0], channel_burst=2) as workspace:
        slack = client(workspace)
        for _ in range(2):
            await slack.chat_postMessage(channel="C0ALERTS", text="x")
        answer = await _refusal(slack.chat_postMessage(channel="C0ALERTS", text="x"))
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "1")
        now[0] += 1
        assert (await slack.chat_postMessage(channel="C0ALERTS", text="x"))["ok"]


async def test_each_method_has_its_tier(open_workspace, client):
    now = [1_800_000_000.0]
    async with open_workspace(clock=lambda: now[0], tiers={"users.list": 2}) as workspace:
        slack = client(workspace)
        for _ in range(2):
            await slack.users_list()
        assert (await _refusal(slack.users_list())).headers["Retry-After"] == "30"


async def test_people_are_found_by_id_and_by_email(workspace, client):
    slack = client(workspace)
    ana = await slack.users_lookupByEmail(email="ANA@example.com")
    gone = await slack.users_info(user="U0GONE")

    assert (ana["user"]["id"], ana["user"]["profile"]["email"]) == ("U0ANA", "ana@example.com")
    assert gone["user"]["deleted"]
    assert await _error(slack.users_lookupByEmail(email="gone@example.com")) == "users_not_found"
    assert await _error(slack.users_info(user="U0NOBODY")) == "user_not_found"


async def test_a_group_lists_its_people_until_it_is_disabled(workspace, client):
    slack = client(workspace)
    workspace.regroup("S0DATA", "ben")

    assert (await slack.usergroups_users_list(usergroup="S0DATA"))["users"] == ["U0BEN"]
    assert (await slack.usergroups_list(include_users=True))["usergroups"][0]["users"] == ["U0BEN"]
    assert await _error(slack.usergroups_users_list(usergroup="S0NONE")) == "no_such_subteam"


async def test_lists_are_paged_by_cursor(workspace, client):
    slack = client(workspace)
    first = await slack.users_list(limit=3)
    second = await slack.users_list(limit=3, cursor=first["response_metadata"]["next_cursor"])

    assert len(first["members"]) == 3
    assert second["response_metadata"]["next_cursor"] == ""
    assert await _error(slack.users_list(cursor="nonsense")) == "invalid_cursor"


async def test_a_thread_is_read_root_first_and_history_newest_first(workspace, client):
    slack = client(workspace)
    root = await slack.chat_postMessage(channel="C0ALERTS", text="root")
    await slack.chat_postMessage(channel="C0ALERTS", text="reply", thread_ts=root["ts"])
    await slack.chat_postMessage(
        channel="C0ALERTS", text="loud", thread_ts=root["ts"], reply_broadcast=True
    )
    thread = await slack.conversations_replies(channel="C0ALERTS", ts=root["ts"])
    history = await slack.conversations_history(channel="C0ALERTS")
    later = await slack.conversations_history(channel="C0ALERTS", oldest=root["ts"])

    assert [m["text"] for m in thread["messages"]] == ["root", "reply", "loud"]
    assert [m["text"] for m in history["messages"]] == ["loud", "root"]
    assert [m["text"] for m in later["messages"]] == ["loud"]
    assert history["messages"][1]["reply_count"] == 2


async def test_a_direct_message_is_opened_once(workspace, client):
    slack = client(workspace)
    first, again = (
        await slack.conversations_open(users="U0ANA"),
        await slack.conversations_open(users=["U0ANA"]),
    )
    by_user = await slack.chat_postMessage(channel="U0ANA", text="for you")

    assert first["channel"]["id"] == again["channel"]["id"] == by_user["channel"]
    assert await _error(slack.conversations_open(users="U0GONE")) == "user_disabled"


async def test_an_ephemeral_message_is_one_persons_and_in_no_history(workspace, client):
    slack = client(workspace)
    said = await slack.chat_postEphemeral(channel="C0ALERTS", user="U0ANA", text="psst")

    assert await workspace.people["ana"].wait_for_message("psst")
    assert all(m.ts != said["message_ts"] for m in workspace.people["ben"].reads("data-alerts"))
    assert (await slack.conversations_history(channel="C0ALERTS"))["messages"] == []
    assert (
        await _error(slack.chat_update(channel="C0ALERTS", ts=said["message_ts"], text="x"))
        == "message_not_found"
    )
    assert (
        await _error(slack.chat_postEphemeral(channel="C0ALERTS", user="U0GONE", text="x"))
        == "user_not_in_channel"
    )


async def test_blocks_validate_needs_no_token_and_points_at_the_fault(workspace, http):
    header = {"type": "header", "text": {"type": "plain_text", "text": ""}}
    url = f"{workspace.api_url}blocks.validate"
    async with http.post(url, json={"blocks": [SECTION, header]}) as response:
        answer = await response.json()

    assert answer["errors"] == [
        {"pointer": "/blocks/1/text/text", "message": "must be more than 0 characters"}
    ]


async def test_odds_and_ends(workspace, client):
    slack = client(workspace)
    said = await slack.chat_postMessage(channel="C0ALERTS", text="x")
    await slack.reactions_add(channel="C0ALERTS", timestamp=said["ts"], name="eyes")
    link = await slack.chat_getPermalink(channel="C0ALERTS", message_ts=said["ts"])

    assert (
        await _error(slack.reactions_add(channel="C0ALERTS", timestamp=said["ts"], name="eyes"))
        == "already_reacted"
    )
    assert link["permalink"].endswith(f"/archives/C0ALERTS/p{said['ts'].replace('.', '')}")
    assert (await slack.bots_info(bot="B0DAG"))["bot"]["name"] == "Dagster+"
    assert (await slack.team_info())["team"]["id"] == "T0LOCAL"
    assert (await slack.users_getPresence(user="U0ANA"))["presence"] == "active"
    assert (await slack.dnd_info(user="U0ANA"))["dnd_enabled"] is False
    assert [c["id"] for c in (await slack.users_conversations())["channels"]] == ["C0ALERTS"]
    assert (await slack.conversations_join(channel="C0QUIET"))["channel"]["is_member"]
    assert (await slack.conversations_members(channel="C0QUIET"))["members"] == ["U0ANA", "U0DW"]
    assert (await slack.conversations_info(channel="C0QUIET", include_num_members=True))["channel"][
        "num_members"
    ] == 2
    assert len((await slack.conversations_list())["channels"]) == 2


def test_timestamps_grow_while_the_clock_stands_still():
    mint = Mint(lambda: 1_800_000_000.0)

    assert [mint.ts(), mint.ts()] == ["1800000000.000000", "1800000000.000001"]
