"""Each room looks only downwards: the contracts of pyproject.toml hold, and each of them would notice."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.sources import ROOMS, ROOT, python

PLANTED = {
    "The house: each room looks only downwards": ("bot/store/planted.py", "bot.desk"),
    "bot holds these rooms and no others": ("bot/attic.py", None),
    "policies decides: no I/O, no clock, no log": ("policies/planted.py", "structlog"),
    "Only handlers and bot.main know Slack": ("connectors/planted.py", "slack_sdk"),
    "Only handlers.mail knows mail, HTML and OpenID": ("connectors/planted_mail.py", "jinja2"),
    "Only bot.store knows SQLAlchemy": ("handlers/planted.py", "sqlalchemy"),
    "The workspace is a stand-in for Slack: it knows nothing of the bot": (
        "bot/sandbox/workspace/planted.py",
        "bot.settings",
    ),
}


def lint(folder: Path) -> str:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(  # noqa: S603 - our own tool
        command,
        cwd=folder,
        env={"PYTHONPATH": str(folder), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def test_the_contracts_hold() -> None:
    said = lint(ROOT)
    assert f"{len(PLANTED)} kept, 0 broken" in said, said


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What is said of a copy in which every contract is broken once."""
    copy = tmp_path_factory.mktemp("house")
    for file in [*python(*ROOMS), ROOT / "pyproject.toml"]:
        target = copy / file.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
    for file_name, imported in PLANTED.values():
        text = f'"""Planted."""\n{f"import {imported}" if imported else ""}\n'
        (copy / file_name).write_text(text, encoding="utf-8")
    return lint(copy)


@pytest.mark.parametrize("contract", PLANTED)
def test_each_contract_notices_when_it_is_broken(broken: str, contract: str) -> None:
    assert f"{contract} BROKEN" in broken, broken
    details = broken.split(f"\n{contract}\n", maxsplit=1)[1].split("\n---", maxsplit=1)[0]
    file_name, imported = PLANTED[contract]
    module = file_name.removesuffix(".py").replace("/", ".")
    assert (f"{module} -> {imported}" if imported else "attic") in details, details
