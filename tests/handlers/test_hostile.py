"""An alert whose every word is hostile is data: escaped, cut, and unable to look like an approval."""

from dataclasses import replace

import pytest

from bot.ports import Showing
from bot.sandbox.workspace.blocks.surface import block_problems
from handlers import views
from policies.incident import Incident
from tests.handlers import story

NASTY = (
    "<!channel> <@U0ELI> </actions> \n*Approved* by <@U0ANA> `` ``` & <https://x.example|Approve>"
    " '; drop table sessions; --"
)
STAGES = [s for s in story.stages() if s.stopped is None]


def poisoned(incident: Incident, said: str) -> Incident:
    """The same incident, with what others wrote replaced wherever it is shown."""
    alert = replace(
        incident.alert, title=said, asset=said, partition=said, url="javascript:" + said
    )
    changed = replace(incident, title=said, alerts=(alert, *incident.alerts[1:]), domain=said)
    if incident.diagnosis and incident.diagnosis.cause:
        cause = replace(incident.diagnosis.cause, says=said)
        changed = replace(
            changed, diagnosis=replace(incident.diagnosis, causes=(cause,), unknown=(said,))
        )
    if incident.radius:
        hits = tuple(replace(hit, asset=said, owner=said, due=said) for hit in incident.radius.hits)
        changed = replace(changed, radius=replace(incident.radius, root=said, hits=hits))
    if incident.plan:
        dressed = {
            "title": said,
            "why": said,
            "undo": said,
            "risk": said,
            "link": said,
            "diff": said,
        }
        steps = tuple(replace(s, owner=said, **dressed) for s in incident.plan.steps)  # type: ignore[arg-type]
        changed = replace(changed, plan=replace(incident.plan, steps=steps))
    return changed


def shown(showing: Showing) -> list[str]:
    said = [views.card(showing), views.explain(showing.incident, NASTY)]
    for state in showing.incident.requests.values():
        said += [views.request(showing, state, for_dm=dm) for dm in (True, False)]
    said += [r for x in showing.entries if (r := views.reply(showing, x))]
    for message in said:
        assert block_problems(list(message.blocks), "message") == []
    return [message.text + str(message.blocks) for message in said]


@pytest.mark.parametrize(
    "said",
    [NASTY, NASTY * 300, "x" * 40_000, "", "&" * 5000, "🔥" * 5000],
    ids=["words", "many words", "one word", "nothing", "entities", "emoji"],
)
def test_hostile_words_stay_words(said: str) -> None:
    known = (replace(s, incident=poisoned(s.incident, said)) for s in STAGES)
    for text in (text for showing in known for text in shown(showing)):
        for mark in ("<!channel>", "<@U0ELI>", "<https://x.example", "javascript:"):
            assert mark not in text


def test_a_title_can_not_start_a_line_of_its_own() -> None:
    known = STAGES[0]
    card = views.card(replace(known, incident=poisoned(known.incident, NASTY)))
    lines = str(card.blocks[0]["text"]["text"]).split("\n")
    assert not any(line.startswith("*Approved*") for line in lines)
