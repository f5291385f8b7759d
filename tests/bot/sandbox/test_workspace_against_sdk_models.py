"""A second opinion: what the SDK's own block models let through, the workspace takes too."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from slack_sdk.models import blocks as sdk
from slack_sdk.models.views import View

from bot.sandbox.workspace.blocks.surface import block_problems, view_problems

WORDS = st.text(
    alphabet=st.characters(min_codepoint=32, max_codepoint=0x2FFF), min_size=1, max_size=70
)
IDS = st.uuids().map(str)


@st.composite
def buttons(draw):
    style = draw(st.sampled_from([None, "primary", "danger"]))
    confirm = sdk.ConfirmObject(title=draw(WORDS), text=draw(WORDS), confirm="Yes", deny="No")
    return sdk.ButtonElement(
        text=draw(WORDS),
        action_id=draw(IDS),
        value=draw(WORDS),
        style=style,
        confirm=draw(st.sampled_from([None, confirm])),
    )


@st.composite
def selects(draw):
    options = [
        sdk.Option(text=text, value=text)
        for text in draw(st.lists(WORDS, min_size=1, max_size=5, unique=True))
    ]
    kind = draw(st.sampled_from([sdk.StaticSelectElement, sdk.RadioButtonsElement]))
    return kind(
        action_id=draw(IDS),
        options=options,
        initial_option=draw(st.sampled_from([None, options[0]])),
    )


BLOCKS = st.one_of(
    WORDS.map(lambda text: sdk.HeaderBlock(text=text)),
    WORDS.map(lambda text: sdk.SectionBlock(text=text)),
    st.lists(WORDS, min_size=1, max_size=10).map(lambda texts: sdk.SectionBlock(fields=texts)),
    st.tuples(WORDS, buttons()).map(lambda both: sdk.SectionBlock(text=both[0], accessory=both[1])),
    st.lists(st.one_of(buttons(), selects()), min_size=1, max_size=5).map(
        lambda all_: sdk.ActionsBlock(elements=all_)
    ),
    st.lists(WORDS, min_size=1, max_size=10).map(
        lambda texts: sdk.ContextBlock(elements=[sdk.MarkdownTextObject(text=t) for t in texts])
    ),
    st.just(sdk.DividerBlock()),
)


@settings(deadline=None, max_examples=40)
@given(st.lists(BLOCKS, min_size=1, max_size=8))
def test_blocks_made_by_the_sdk_are_taken(blocks):
    assert block_problems([block.to_dict() for block in blocks], "message") == []


@settings(deadline=None, max_examples=40)
@given(st.lists(BLOCKS, min_size=1, max_size=5), st.text(alphabet="abc ", min_size=1, max_size=24))
def test_modals_made_by_the_sdk_are_taken(blocks, title):
    view = View(type="modal", title=title, blocks=blocks, callback_id="c", private_metadata="{}")

    assert view_problems(view.to_dict()) == []


NAMES = st.sampled_from(
    [
        "type",
        "text",
        "block_id",
        "action_id",
        "elements",
        "accessory",
        "element",
        "fields",
        "rows",
        "options",
        "child_blocks",
    ]
)
KINDS = st.sampled_from(
    [
        "section",
        "actions",
        "plain_text",
        "mrkdwn",
        "button",
        "table",
        "data_table",
        "container",
        "card",
    ]
)
JUNK = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False),
        KINDS,
        st.text(max_size=3),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=4)),
    max_leaves=12,
)


THINGS = st.dictionaries(NAMES, JUNK, max_size=4)
TYPED = st.builds(lambda kind, rest: {**rest, "type": kind}, st.one_of(KINDS, JUNK), THINGS)


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(JUNK, st.lists(TYPED, max_size=4)), st.sampled_from(["message", "modal", "home"]))
def test_whatever_is_sent_as_blocks_gets_an_answer(junk, surface):
    for at, complaint in block_problems(junk, surface):
        assert at.startswith("/blocks")
        assert complaint
