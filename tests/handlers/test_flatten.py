"""Messages of every shape become words and links with where they stood."""

from typing import Any

from handlers.payloads.flatten import flatten
from handlers.payloads.models import MessageEvent


def read(**parts: Any) -> tuple[dict[str, str], dict[str, str]]:
    event = MessageEvent.model_validate({"type": "message", "channel": "C1", "ts": "1.1", **parts})
    words, links = flatten(event)
    return {w.where: w.value for w in words}, {link.url: link.label for link in links}


def test_marks_are_taken_apart_and_entities_unescaped() -> None:
    words, links = read(
        text="see <https://x.example/?a=1&amp;b=2|run &lt;7&gt;> by <@U1> in <#C1|ops>"
    )
    assert words == {"text": "see run <7> by @U1 in #ops"}
    assert links == {"https://x.example/?a=1&b=2": "run <7>"}


def test_a_link_cut_in_the_middle_is_only_text() -> None:
    words, links = read(text="Log: <https://x.example/very/lo")
    assert words == {"text": "Log: <https://x.example/very/lo"}
    assert not links


def test_sections_fields_headers_contexts_and_buttons_are_read() -> None:
    words, links = read(
        blocks=[
            {"type": "header", "text": {"type": "plain_text", "text": "Job failed"}},
            {
                "type": "section",
                "text": {"type": "mrkdwn", "text": "*Run*"},
                "fields": [{"type": "mrkdwn", "text": "*Env:* prod"}],
                "accessory": {
                    "type": "button",
                    "text": {"type": "plain_text", "text": "Open"},
                    "url": "https://x.example/1",
                    "value": "opaque",
                },
            },
            {"type": "context", "elements": [{"type": "mrkdwn", "text": "by the daemon"}]},
        ]
    )
    assert words["blocks.0.text"] == "Job failed"
    assert words["blocks.1.fields.0"] == "*Env:* prod"
    assert words["blocks.2.elements.0"] == "by the daemon"
    assert links == {"https://x.example/1": "Open"}
    assert "opaque" not in words.values()


def test_rich_text_is_one_sentence_a_paragraph() -> None:
    pieces = [
        {"type": "text", "text": "hey "},
        {"type": "user", "user_id": "U1"},
        {"type": "text", "text": " see "},
        {"type": "link", "url": "https://x.example/2", "text": "this"},
        {"type": "emoji", "name": "fire"},
    ]
    section = {"type": "rich_text_section", "elements": pieces}
    listed = {"type": "rich_text_list", "elements": [section]}
    words, links = read(blocks=[{"type": "rich_text", "elements": [listed]}])
    assert list(words.values()) == ["hey @U1 see this:fire:"]
    assert links == {"https://x.example/2": "this"}


def test_tables_and_markdown_are_read() -> None:
    cell = {"type": "raw_text", "text": "orders"}
    rich = {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [cell]}]}
    blocks = [
        {"type": "table", "rows": [[cell, rich]]},
        {"type": "markdown", "text": "**dbt** failed"},
    ]
    words, _ = read(blocks=blocks)
    assert list(words.values()) == ["orders", "orders", "**dbt** failed"]


def test_attachments_are_read_with_their_blocks_fields_and_nested_ones() -> None:
    words, links = read(
        attachments=[
            {
                "pretext": "alert",
                "title": "[FIRING:1] lag",
                "title_link": "https://g.example/1",
                "text": "Labels: a &amp; b",
                "fields": [{"title": "Env", "value": "prod"}],
                "blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": "inside"}}],
                "attachments": [{"text": "nested"}],
                "footer": "Grafana",
                "fallback": "never read beside the rest",
            },
            {"fallback": "only this"},
        ]
    )
    assert list(words.values()) == [
        *("alert", "[FIRING:1] lag", "Labels: a & b", "Env", "prod"),
        *("inside", "nested", "Grafana", "only this"),
    ]
    assert links == {"https://g.example/1": "[FIRING:1] lag"}


def test_previews_of_other_messages_and_pages_are_not_read() -> None:
    for mark in ({"is_msg_unfurl": True}, {"is_share": True}, {"from_url": "https://x.example"}):
        assert read(attachments=[{"text": "Job failed", **mark}]) == ({}, {})


def test_depth_and_number_are_bounded_and_odd_shapes_do_no_harm() -> None:
    deep: dict[str, Any] = {"text": "x"}
    for _ in range(60):
        deep = {"text": "x", "attachments": [deep]}
    words, _ = read(attachments=[deep, "odd", None], blocks="odd")
    assert len(words) < 30
    many = [{"type": "section", "text": {"type": "mrkdwn", "text": f"n{i}"}} for i in range(3000)]
    assert len(read(blocks=many)[0]) <= 1000
