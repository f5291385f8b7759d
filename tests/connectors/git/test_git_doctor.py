"""What the doctor and the check of dw.yml say of repositories."""

from pathlib import Path

import pytest

from bot.cli.config import who_could
from bot.cli.doctor.systems import _asked
from connectors.catalogue import Catalogue, build
from policies.rules import Rules
from tests.building import NOW
from tests.connectors.git.repositories import Repository
from tests.policies import blamed, night


def built(url: str, data: Path, **entry: str) -> tuple[Rules, Catalogue]:
    rules = blamed.rules({"url": url, **entry})
    only = rules.model_copy(update={"connections": {"pipelines": rules.connections["pipelines"]}})
    return rules, build(only, {}, acting=True, data=data)


async def test_the_doctor_says_where_the_branch_is_and_that_nothing_is_changed_there(
    repository: Repository, tmp_path: Path
) -> None:
    head = repository.commit("one")
    rules, systems = built(repository.url, tmp_path / "data")
    found = await _asked("pipelines", rules.connections["pipelines"], systems)
    assert found.ok
    assert found.name == "git pipelines"
    version, *rest = found.says.split("; ")
    assert version.startswith("git 2.")
    assert rest == [
        f"the default branch is at {head[:7]}",
        "only its history is copied",
        "changes nothing: nothing runs there: only its history is read",
    ]
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({"branch": "nope"}, "pipelines: it has no branch nope"),
        ({"url": "file:///nowhere/x.git"}, "pipelines: there is no such repository"),
    ],
)
async def test_the_doctor_says_what_is_wrong(
    repository: Repository, tmp_path: Path, entry: dict[str, str], says: str
) -> None:
    repository.commit("one")
    rules, systems = built(**{"url": repository.url, "data": tmp_path, **entry})  # type: ignore[arg-type]
    found = await _asked("pipelines", rules.connections["pipelines"], systems)
    assert not found.ok
    assert found.says.startswith(says)


def test_the_check_of_dw_yml_says_where_the_ban_of_authors_can_meet_nobody() -> None:
    blank = "Nobody can tell who changed the code of dagster, so nobody is kept out for that"
    assert blank in "\n".join(who_could(night.rules(), NOW))
    lifted = night.rules_for(bans={"author": False})
    for rules in (blamed.rules(), lifted):
        assert "who changed the code" not in "\n".join(who_could(rules, NOW))
