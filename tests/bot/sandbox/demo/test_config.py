"""The demo's dw.yml is one that the bot takes, and the change it drafts fits the code it is for."""

import shutil
import subprocess
from pathlib import Path

import bot.sandbox.demo
from bot.sandbox.demo import config, seed
from bot.settings import load_rules

DEMO = Path(bot.sandbox.demo.__file__).parent
PLACES = config.Places(
    dagster="http://127.0.0.1:3000",
    primary="postgresql://reader@127.0.0.1:5432/shop",
    replica="postgresql://reader@127.0.0.1:5433/shop",
    warehouse=Path("/tmp/warehouse.duckdb"),  # noqa: S108 - only a name here
)


def test_the_bot_takes_the_rules(tmp_path: Path) -> None:
    path = tmp_path / "dw.yml"
    config.write_rules(path, PLACES)
    rules = load_rules(path)
    assert rules.domain_of("raw_sessions") == "growth"
    assert rules.domains["growth"].owner_of("raw_sessions") == "ana@example.com"
    assert rules.connections["app_primary"].read_only


def test_every_person_the_rules_name_is_in_the_workspace() -> None:
    text = str(config.rules(PLACES))
    emails = {person.email for person in seed.workspace_seed().people}
    assert {word for word in text.split("'") if "@example.com" in word} <= emails


def test_the_drafted_change_applies_to_the_code_it_names(tmp_path: Path) -> None:
    shutil.copytree(DEMO / "dagster_project" / "pipelines", tmp_path / "pipelines")
    code = config.rules(PLACES)["assets"]["raw_sessions"]["code"]
    before = (tmp_path / code).read_text()
    git = ["git", "apply", str(DEMO / "guard.diff")]
    subprocess.run(git, cwd=tmp_path, check=True)  # noqa: S603 - our own file
    assert "_wait_for_the_whole_day" not in before
    assert "_wait_for_the_whole_day(day, replayed_to)" in (tmp_path / code).read_text()
