"""What a person does in their own tool: seen whole before the yes, the way there on top after it."""

from dataclasses import replace

from bot.ports import Showing
from handlers import ids, views
from handlers.blocks import Block
from handlers.mail.telling import told
from tests.handlers import story

PAGE = "https://airflow.example.com/dags/usage_billing_daily/trigger"
PRESS = "The form opens filled in: compare it, then press Trigger."


def by_hand(showing: Showing) -> Showing:
    """The same, where what people do has a page that a form is filled in on."""
    plan = showing.incident.plan
    assert plan is not None
    steps = tuple(
        replace(step, link=f"{PAGE}?conf=%7B%7D", press=PRESS) if step.doer == "person" else step
        for step in plan.steps
    )
    return replace(showing, incident=replace(showing.incident, plan=replace(plan, steps=steps)))


def shown(showing: Showing) -> list[Block]:
    (state, *_) = showing.incident.requests.values()
    return list(views.request(showing, state, for_dm=True).blocks)


def rows(blocks: list[Block]) -> list[list[str]]:
    """The buttons, row by row, by what they do."""
    return [
        [e["action_id"] for e in block["elements"]]
        for block in blocks
        if block["type"] == "actions"
    ]


def test_before_the_yes_it_says_where_it_is_done_and_what_is_pressed_there() -> None:
    blocks = shown(by_hand(story.asked_stage()))
    said = str(blocks[: next(i for i, b in enumerate(blocks) if b["type"] == "actions")])
    assert f"*Opens* `{PAGE}`" in said
    assert PRESS in said
    assert "%7B" not in said, "what fills the form in stands among the parameters"
    assert not any(ids.LINK in row for row in rows(blocks)), "nothing leads there before the yes"


def test_after_the_yes_the_way_there_is_the_first_thing_to_tap() -> None:
    waiting = [
        blocks
        for stage in story.stages()
        if ids.DONE in str(blocks := shown(by_hand(stage)) if stage.incident.requests else [])
    ]
    assert waiting
    for blocks in waiting:
        first, *others = rows(blocks)
        assert first == [ids.LINK]
        assert [ids.DONE] in others
        assert PRESS in str(blocks)


def test_a_letter_says_the_same() -> None:
    incident = by_hand(story.asked_stage()).incident
    (state,) = incident.requests.values()
    steps = told(incident, replace(state, shown=()), None).steps
    facts = [dict(step.facts) for step in steps]
    assert (PAGE, PRESS) in [(one.get("opens"), one.get("then")) for one in facts]
