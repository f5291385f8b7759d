"""Slack's limits, one row each: the most it takes is taken, one more is refused. No sockets: the rules are pure."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.sandbox.workspace import SlackError
from bot.sandbox.workspace.blocks.surface import (
    attachment_problems,
    block_problems,
    check_message,
    check_view,
    view_problems,
)

Block = dict[str, Any]


def plain(size: int) -> Block:
    return {"type": "plain_text", "text": "x" * size}


def mrkdwn(size: int) -> Block:
    return {"type": "mrkdwn", "text": "x" * size}


def section(**more: Any) -> Block:
    return {"type": "section", "text": mrkdwn(1), **more}


def button(**more: Any) -> Block:
    return {"type": "button", "text": plain(1), **more}


def actions(*elements: Block) -> Block:
    return {"type": "actions", "elements": list(elements)}


def option(text: int = 1, value: int = 1, **more: Any) -> Block:
    return {"text": plain(text), "value": "x" * value, **more}


def select(**more: Any) -> Block:
    return {"type": "static_select", "options": [option()], **more}


def confirm(**more: Any) -> Block:
    return button(
        confirm={"title": plain(1), "text": plain(1), "confirm": plain(1), "deny": plain(1), **more}
    )


def asks(label: int = 1, **more: Any) -> Block:
    return {"type": "input", "label": plain(label), "element": {"type": "plain_text_input"}, **more}


def image(**more: Any) -> Block:
    return {"type": "image", "image_url": "https://example.com/", "alt_text": "x", **more}


def table(rows: int, columns: int) -> Block:
    return {"type": "table", "rows": [[{"type": "raw_text", "text": "x"}] * columns] * rows}


def data_table(rows: int, columns: int = 1, size: int = 1, last: int = 1, **more: Any) -> Block:
    cell, end = ({"type": "raw_text", "text": "x" * n} for n in (size, last))
    body = [[cell] * columns] * (rows - 1) + [[*[cell] * (columns - 1), end]]
    return {"type": "data_table", "caption": "c", "rows": body, **more}


def chart(title: int = 1, slices: int = 1, label: int = 1) -> Block:
    pie = {"type": "pie", "segments": [{"label": "x" * label, "value": 1}] * slices}
    return {"type": "data_visualization", "title": "x" * title, "chart": pie}


def card(**more: Any) -> Block:
    return {"type": "card", "title": plain(1), **more}


def task(**more: Any) -> Block:
    return {"type": "task_card", "task_id": "1", "title": "t", "status": "complete", **more}


def container(**more: Any) -> Block:
    return {"type": "container", "title": plain(1), "child_blocks": [{"type": "divider"}], **more}


URL = "https://example.com/"
Row = tuple[str, int, Callable[[int], Block]]
ROWS: list[Row] = [
    ("section text", 3000, lambda n: section(text=mrkdwn(n))),
    ("section fields", 10, lambda n: section(fields=[plain(1)] * n)),
    ("field text", 2000, lambda n: section(fields=[plain(n)])),
    ("block_id", 255, lambda n: section(block_id="x" * n)),
    ("header", 150, lambda n: {"type": "header", "text": plain(n)}),
    ("context elements", 10, lambda n: {"type": "context", "elements": [plain(1)] * n}),
    ("actions elements", 25, lambda n: actions(*[button()] * n)),
    (
        "context_actions",
        5,
        lambda n: {
            "type": "context_actions",
            "elements": [button(type="icon_button", icon="trash")] * n,
        },
    ),
    ("button text", 75, lambda n: actions(button(text=plain(n)))),
    ("button value", 2000, lambda n: actions(button(value="x" * n))),
    ("button url", 3000, lambda n: actions(button(url=URL + "x" * (n - len(URL))))),
    ("button label", 75, lambda n: actions(button(accessibility_label="x" * n))),
    ("agent_prompt", 4000, lambda n: actions(button(agent_prompt="x" * n))),
    ("action_id", 255, lambda n: actions(button(action_id="x" * n))),
    ("confirm title", 100, lambda n: actions(confirm(title=plain(n)))),
    ("confirm text", 300, lambda n: actions(confirm(text=plain(n)))),
    ("confirm confirm", 30, lambda n: actions(confirm(confirm=plain(n)))),
    ("confirm deny", 30, lambda n: actions(confirm(deny=plain(n)))),
    ("option text", 75, lambda n: actions(select(options=[option(text=n)]))),
    ("option value", 150, lambda n: actions(select(options=[option(value=n)]))),
    ("option description", 75, lambda n: actions(select(options=[option(description=plain(n))]))),
    ("select options", 100, lambda n: actions(select(options=[option()] * n))),
    ("placeholder", 150, lambda n: actions(select(placeholder=plain(n)))),
    ("overflow options", 5, lambda n: actions({"type": "overflow", "options": [option()] * n})),
    ("radio buttons", 10, lambda n: actions({"type": "radio_buttons", "options": [option()] * n})),
    ("checkboxes", 10, lambda n: actions({"type": "checkboxes", "options": [option()] * n})),
    ("input label", 2000, asks),
    ("input hint", 2000, lambda n: asks(hint=plain(n))),
    ("input length", 3000, lambda n: asks(element={"type": "plain_text_input", "max_length": n})),
    ("image_url", 3000, lambda n: image(image_url=URL + "x" * (n - len(URL)))),
    ("alt_text", 2000, lambda n: image(alt_text="x" * n)),
    ("image title", 2000, lambda n: image(title=plain(n))),
    ("markdown", 12_000, lambda n: {"type": "markdown", "text": "x" * n}),
    ("table rows", 100, lambda n: table(n, 1)),
    ("table columns", 20, lambda n: table(1, n)),
    ("data_table rows", 201, data_table),
    ("data_table columns", 20, lambda n: data_table(2, n)),
    ("data_table characters", 20_000, lambda n: data_table(2, size=n // 2, last=n - n // 2)),
    ("page_size", 100, lambda n: data_table(2, page_size=n)),
    ("chart title", 50, lambda n: chart(title=n)),
    ("chart segments", 12, lambda n: chart(slices=n)),
    ("chart labels", 20, lambda n: chart(label=n)),
    ("card title", 150, lambda n: card(title=plain(n))),
    ("card subtitle", 150, lambda n: card(subtitle=plain(n))),
    ("card body", 200, lambda n: card(body=plain(n))),
    ("card actions", 3, lambda n: card(actions=[button()] * n)),
    ("carousel", 10, lambda n: {"type": "carousel", "elements": [card()] * n}),
    ("container title", 150, lambda n: container(title=plain(n))),
    ("container blocks", 10, lambda n: container(child_blocks=[{"type": "divider"}] * n)),
    ("plan tasks", 50, lambda n: {"type": "plan", "title": "p", "tasks": [task()] * n}),
]


@pytest.mark.parametrize(("most", "made"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_the_most_is_taken_and_one_more_is_refused(most: int, made: Callable[[int], Block]):
    assert block_problems([made(most)], "message") == []
    assert block_problems([made(most + 1)], "message") != []


@pytest.mark.parametrize(("surface", "most"), [("message", 50), ("modal", 100), ("home", 100)])
def test_each_surface_takes_so_many_blocks(surface: str, most: int):
    assert block_problems([{"type": "divider"}] * most, surface) == []
    assert block_problems([{"type": "divider"}] * (most + 1), surface) == [
        ("/blocks", f"no more than {most} items allowed")
    ]


WRONG: dict[str, list[Block]] = {
    "two blocks of one id": [section(block_id="a"), section(block_id="a")],
    "two elements of one id in a block": [actions(button(action_id="a"), button(action_id="a"))],
    "two tables": [table(1, 1), table(1, 1)],
    "three charts": [chart()] * 3,
    "markdown too long together": [{"type": "markdown", "text": "x" * 6001}] * 2,
    "an empty text": [section(text=mrkdwn(0))],
    "an alert in a message": [{"type": "alert", "text": plain(1)}],
    "a pending task alone": [task(status="pending")],
    "an unknown property": [section(colour="red")],
    "an option with a type": [actions(select(options=[option(type="option")]))],
    "an initial option not offered": [actions(select(initial_option=option(value=2)))],
    "neither options nor groups": [actions({"type": "static_select"})],
    "a text input in actions": [actions({"type": "plain_text_input"})],
    "a header in mrkdwn": [{"type": "header", "text": mrkdwn(1)}],
    "a strange style": [actions(button(style="loud"))],
    "a link that is none": [actions(button(url="example"))],
    "a section of nothing": [{"type": "section"}],
    "an unknown block": [{"type": "poem"}],
    "no type": [{"text": plain(1)}],
    "rich text in a header row": [
        data_table(2) | {"rows": [[{"type": "rich_text", "elements": []}]] * 2}
    ],
    "rows of unequal width": [
        data_table(2) | {"rows": [[{"type": "raw_text", "text": "x"}] * n for n in (1, 2)]}
    ],
    "collapsed but not collapsible": [container(default_collapsed=True)],
    "an emoji past the limit": [
        {"type": "header", "text": {"type": "plain_text", "text": "🔥" * 76}}
    ],
}


@pytest.mark.parametrize("blocks", WRONG.values(), ids=WRONG.keys())
def test_what_slack_refuses_is_refused(blocks: list[Block]):
    with pytest.raises(SlackError) as refusal:
        check_message(blocks, None)

    assert refusal.value.code == "invalid_blocks"
    assert "[json-pointer:/blocks" in refusal.value.details["response_metadata"]["messages"][0]


def test_the_pointer_leads_to_the_fault():
    with pytest.raises(SlackError) as refusal:
        check_message([section(), actions(button(), button(text=plain(76)))], None)

    assert refusal.value.details["response_metadata"]["messages"] == [
        "[ERROR] must be less than 76 characters [json-pointer:/blocks/1/elements/1/text/text]"
    ]


def test_blocks_that_are_no_list_have_their_own_code():
    with pytest.raises(SlackError, match="invalid_blocks_format"):
        check_message("[oops", None)


def test_much_text_over_many_blocks_is_too_long():
    check_message([section(text=mrkdwn(3000))] * 4, None)
    check_message([data_table(2, size=10_000, last=10_000)], None)
    with pytest.raises(SlackError, match="msg_blocks_too_long"):
        check_message([section(text=mrkdwn(3000))] * 5, None)


def test_a_hundred_attachments_are_taken_and_their_blocks_checked():
    check_message(None, [{"text": "x"}] * 100)
    with pytest.raises(SlackError, match="too_many_attachments"):
        check_message(None, [{"text": "x"}] * 101)
    assert (
        attachment_problems([{"blocks": [section(text=mrkdwn(0))]}])[0][0]
        == "/attachments/0/blocks/0/text/text"
    )


def modal(**more: Any) -> Block:
    return {"type": "modal", "title": plain(1), "blocks": [section()], **more}


VIEWS: list[Row] = [
    ("title", 24, lambda n: modal(title=plain(n))),
    ("submit", 24, lambda n: modal(submit=plain(n))),
    ("close", 24, lambda n: modal(close=plain(n))),
    ("private_metadata", 3000, lambda n: modal(private_metadata="x" * n)),
    ("callback_id", 255, lambda n: modal(callback_id="x" * n)),
    ("external_id", 255, lambda n: modal(external_id="x" * n)),
    ("alert text", 200, lambda n: modal(blocks=[{"type": "alert", "text": plain(n)}])),
]


@pytest.mark.parametrize(
    ("most", "made"), [row[1:] for row in VIEWS], ids=[row[0] for row in VIEWS]
)
def test_views_have_limits_too(most: int, made: Callable[[int], Block]):
    assert view_problems(made(most)) == []
    assert view_problems(made(most + 1)) != []


def test_a_view_must_be_of_the_kind_asked_for_and_not_too_large():
    with pytest.raises(SlackError, match="must be home"):
        check_view(modal(), "home")
    with pytest.raises(SlackError, match="view_too_large"):
        check_view(modal(blocks=[section(text=mrkdwn(3000))] * 90), "modal")
