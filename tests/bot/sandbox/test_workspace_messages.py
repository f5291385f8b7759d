"""The shapes message events come in, one test each."""

from dataclasses import replace

import pytest

from bot.sandbox.workspace import SlackError

pytestmark = pytest.mark.loopback


@pytest.fixture
def heard(workspace):
    """The inner message events the bot was sent so far."""

    def events(subtype=None):
        return [
            d.event
            for d in workspace.record.events("message", "A0DW")
            if d.event.get("subtype") == subtype
        ]

    return events


async def test_a_person_has_a_user_and_a_rich_text_block(workspace, heard):
    await workspace.people["ana"].post("data-alerts", "look at <this>, @ben")
    event = heard()[0]

    assert (event["user"], event["channel_type"], event["event_ts"]) == (
        "U0ANA",
        "channel",
        event["ts"],
    )
    assert event["blocks"][0]["elements"][0]["elements"] == [
        {"type": "text", "text": "look at <this>, "},
        {"type": "user", "user_id": "U0BEN"},
    ]


async def test_a_bot_has_a_user_a_bot_id_and_a_profile_and_hears_itself(workspace, client, heard):
    await client(workspace).chat_postMessage(channel="C0ALERTS", text="mine")
    event = heard()[0]

    assert (event["user"], event["bot_id"], event["app_id"]) == ("U0DW", "B0DW", "A0DW")
    assert event["bot_profile"]["name"] == "dw"


async def test_a_name_of_its_own_makes_a_bot_message_without_a_user(workspace, client, heard):
    await client(workspace).chat_postMessage(
        channel="C0ALERTS", text="x", username="Airflow", icon_emoji=":pin:"
    )
    event = heard("bot_message")[0]

    assert (event["username"], event["icons"]) == ("Airflow", {"emoji": ":pin:"})
    assert "user" not in event


async def test_an_incoming_webhook_has_a_bot_of_its_own(workspace, http, heard):
    said = {"attachments": [{"title": "[FIRING:1] late", "color": "d63232"}]}
    async with http.post(f"{workspace.base_url}/services/T0/B0/hook", json=said) as response:
        assert (response.status, await response.text()) == (200, "ok")
    event = heard("bot_message")[0]

    assert (event["bot_id"], event["text"]) == ("B0DAGHOOK", "")
    assert event["attachments"][0]["fallback"] == "[FIRING:1] late"


async def test_a_webhook_says_what_is_wrong_with_a_bad_request(workspace, http):
    url = f"{workspace.base_url}/services/T0/B0"
    for address, said, status, words in (
        (f"{url}/nope", b"{}", 404, "no_service"),
        (f"{url}/hook", b"{", 400, "invalid_payload"),
        (f"{url}/hook", b"{}", 400, "no_text"),
    ):
        async with http.post(
            address, data=said, headers={"Content-Type": "application/json"}
        ) as response:
            assert (response.status, await response.text()) == (status, words)


async def test_an_update_is_heard_as_message_changed(workspace, client, heard):
    slack = client(workspace)
    said = await slack.chat_postMessage(channel="C0ALERTS", text="before")
    await slack.chat_update(channel="C0ALERTS", ts=said["ts"], text="after")
    event = heard("message_changed")[0]

    assert event["hidden"] is True
    assert (event["previous_message"]["text"], event["message"]["text"]) == ("before", "after")
    assert event["message"]["ts"] == said["ts"] != event["ts"]


async def test_a_preview_is_a_change_nobody_made(workspace, heard):
    said = await workspace.people["ana"].post("data-alerts", "see https://example.com")
    workspace.unfurl(said, {"from_url": "https://example.com", "title": "Example"})
    event = heard("message_changed")[0]

    assert "edited" not in event["message"]
    assert event["message"]["attachments"][0]["from_url"] == "https://example.com"


@pytest.mark.parametrize(
    ("flags", "echoes"), [({}, 1), ({"unfurl_links": False, "unfurl_media": False}, 0)]
)
async def test_a_link_echoes_unless_unfurling_is_off(workspace, client, heard, flags, echoes):
    await client(workspace).chat_postMessage(
        channel="C0ALERTS", text="https://example.com", **flags
    )

    assert len(heard("message_changed")) == echoes


async def test_a_deleted_message_is_heard_and_a_root_leaves_a_tombstone(workspace, heard):
    ana = workspace.people["ana"]
    alone, root = await ana.post("data-alerts", "alone"), await ana.post("data-alerts", "root")
    await ana.post("data-alerts", "reply", thread_ts=root.ts)
    await ana.delete(alone)
    await ana.delete(root)

    assert [e["deleted_ts"] for e in heard("message_deleted")] == [alone.ts]
    assert heard("message_changed")[0]["message"]["subtype"] == "tombstone"


async def test_a_broadcast_reply_carries_the_whole_root(workspace, heard):
    ana = workspace.people["ana"]
    root = await ana.post("data-alerts", "root")
    await ana.post("data-alerts", "listen", thread_ts=root.ts, broadcast=True)

    assert heard("thread_broadcast")[0]["root"]["text"] == "root"


async def test_files_and_me_messages_have_their_subtypes(workspace, heard):
    ana = workspace.people["ana"]
    await ana.post("data-alerts", "log", files=({"id": "F1", "name": "log.txt"},))
    await ana.post("data-alerts", "/me waves")

    assert heard("file_share")[0]["files"][0]["name"] == "log.txt"
    assert heard("me_message")[0]["text"] == "waves"


async def test_comings_and_goings_are_messages_too(workspace, http, heard):
    for deed in ("leave", "join"):
        said = {"as": "ben", "channel": "C0ALERTS"}
        async with http.post(f"{workspace.base_url}/sandbox/{deed}", json=said) as response:
            assert (await response.json())["ok"]
    workspace.rename("data-alerts", by="ana", name="alerts")
    workspace.archive("alerts", by="ana")

    for subtype in ("channel_leave", "channel_join", "channel_name", "channel_archive"):
        assert len(heard(subtype)) == 1
    assert len(workspace.record.events("member_joined_channel")) == 1
    assert len(workspace.record.events("channel_archive")) == 1


async def test_any_other_shape_can_be_injected(workspace, heard):
    workspace.inject(
        "data-alerts", {"subtype": "channel_convert_to_private", "user": "U0ANA", "text": ""}
    )

    assert heard("channel_convert_to_private")[0]["channel"] == "C0ALERTS"


async def test_changes_of_people_and_groups_are_told(workspace):
    workspace.deactivate("ben")
    workspace.regroup("S0DATA", "ben")

    assert workspace.record.events("user_change")[0].event["user"]["deleted"] is True
    assert workspace.record.events("subteam_members_changed")[0].event["added_users"] == ["U0BEN"]


async def test_people_keep_to_their_own_channels_and_messages(workspace):
    ana = workspace.people["ana"]
    alert = workspace.alert("A0DAG", "data-alerts", text="Job failed")
    with pytest.raises(SlackError, match="channel_not_found"):
        ana.reads("secret")
    with pytest.raises(SlackError, match="somebody else's"):
        await ana.edit(alert, "all good")
    with pytest.raises(SlackError, match="not in that channel"):
        await workspace.people["ben"].post("quiet", "hello?")


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("a < b & c > d", "a &lt; b &amp; c &gt; d"),
        ("<!channel> wake up", "&lt;!channel&gt; wake up"),
        ("@here @data-oncall #quiet", "<!here> <!subteam^S0DATA> <#C0QUIET|quiet>"),
        ("@nobody #nowhere ana@ben", "@nobody #nowhere ana@ben"),
        ("see https://example.com/r?a=1&b=2#top.", "see <https://example.com/r?a=1&amp;b=2#top>."),
    ],
)
async def test_typed_text_is_kept_the_way_slack_keeps_it(workspace, typed, stored):
    said = await workspace.people["ana"].post("data-alerts", typed)

    assert said.body["text"] == stored


async def test_people_of_another_company_carry_their_team(open_workspace):
    async with open_workspace() as workspace:
        ana = workspace.core.state.people["U0ANA"]
        workspace.core.state.people["U0ANA"] = replace(ana, team_id="T0OTHER", is_stranger=True)
        said = await workspace.people["ana"].post("data-alerts", "hello")

    assert (said.body["user_team"], said.body["team"]) == ("T0OTHER", "T0OTHER")
