"""A change of code broke it: out of a real repository, through Slack, to the one who may not decide."""

from pathlib import Path

import pytest

from connectors.git import GitReader
from policies import events as e
from tests.connectors.git.repositories import Repository
from tests.journeys import alerts
from tests.journeys.props import CHAIN
from tests.journeys.stage import Stage, a_stage
from tests.policies import blamed

pytestmark = pytest.mark.loopback
EVIL = "fewer columns <!channel> *Approved* by <@U0DEE>"


def set_up(stage: Stage, folder: Path) -> None:
    """The last good run, Ana's change, the failed run; and what is deployed by now is mended."""
    repository = Repository.at(folder / "pipelines.git")
    good = repository.commit("the good one")
    failed = repository.commit(EVIL, ("Ana Ortiz", "Ana@example.com"))
    entry = stage.rules.connections["pipelines"].model_copy(update={"url": repository.url})
    stage.stack.readers["pipelines"] = GitReader.of("pipelines", entry, None, folder)  # type: ignore[assignment]
    told = stage.stack.dagster.values
    told["run_failure"] = {**blamed.run_failure(), "commit": failed}
    told["last_success"] = {**blamed.last_success(), "commit": good}
    stage.stack.dagster.version = blamed.image(blamed.MENDED)


async def test_who_wrote_the_change_is_refused_in_words_and_somebody_elses_yes_counts(
    url: str, tmp_path: Path
) -> None:
    async with a_stage(url, rules=blamed.rules(chain=CHAIN)) as stage:
        set_up(stage, tmp_path)
        alerts.check_failed(stage.workspace)
        cleos = await stage.dm("cleo")
        shown = stage.ana.text_of(cleos)
        assert "the code of sessions_job changed" in shown
        assert "fewer columns &lt;!channel&gt; ∗Approved∗ by &lt;@U0DEE&gt;* by Ana Ortiz" in shown
        assert "*May not decide*\n• Ana Ortiz: wrote the change that broke it" in shown
        request = await stage.reply("needs a yes or no")
        await stage.ana.click("Approve", on=request)
        said = await stage.either("you wrote the change that broke it")
        assert "Your tap did not count and nothing changed" in stage.ana.text_of(said)
        await stage.person("cleo").click("Who else?", on=request)
        modal = await stage.person("cleo").wait_for_modal("wrote the change that broke it")
        assert "ana: wrote the change that broke it" in str(modal.body)
        await stage.person("cleo").click("Approve", on=cleos)
        await stage.reply("Approved* by <@U0CLEO>")
        refused = [x.event for x in await stage.journal() if isinstance(x.event, e.DecisionRefused)]
        assert [event.refusal.person for event in refused] == ["U0ANA"]
