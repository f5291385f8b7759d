"""`docs/connections.md` and its pages say of each system what the code does, no less and no more."""

import re
from pathlib import Path

import pytest

from connectors.catalogue import Catalogue, build
from connectors.secrets import Secrets
from policies.kinds import KINDS
from tests.policies import night

PAGES = Path(__file__).parents[2] / "docs" / "connections"
OVERVIEW = (PAGES.parent / "connections.md").read_text()
ROW = re.compile(r"^\| (reads|starts) \| `(\w+)` \|", re.MULTILINE)
ANSWERS = ("**Credential.**", "**What can't be done, and why**", "```yaml")


def page_of(kind: str) -> str:
    """The page that the overview names for this kind."""
    row = next(
        line for line in OVERVIEW.splitlines() if line.startswith("|") and f"`{kind}`" in line
    )
    found = re.search(r"\]\(connections/([\w-]+\.md)\)", row)
    assert found is not None
    return (PAGES / found[1]).read_text()


def built(kind: str) -> Catalogue:
    """All there is for a connection of this kind that may act."""
    needs = KINDS[kind]
    address = (
        needs.example
        if needs.key == "dsn" or not needs.begins
        else "https://x.example.com/accounts/1"
    )
    entry = {"kind": kind, needs.key: address}
    entry |= {"jobs": {"one/job": {}}} if needs.runs else {}
    entry |= {"version": 2, "auth": "token"} if kind == "airflow" else {}
    known = {**night.dw_yml()["connections"], "it": entry}
    secrets = Secrets(token="planted-read", act_token="planted-act")
    return build(night.rules(connections=known), {"it": secrets}, acting=True)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_page_names_every_question_and_every_change_of_its_system_and_no_other(kind: str) -> None:
    catalogue = built(kind)
    actuator = catalogue.actuators.get("it")
    real = {("reads", name) for name in catalogue.readers["it"].probes}
    real |= {("starts", name) for name in (actuator.actions if actuator else ())}
    assert set(ROW.findall(page_of(kind))) == real


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_page_says_with_which_credential_how_to_set_it_up_and_what_can_not_be_done(
    kind: str,
) -> None:
    page = page_of(kind)
    assert [words for words in ANSWERS if words not in page] == []
    assert f"kind: {kind}" in page


def test_every_page_belongs_to_a_kind() -> None:
    linked = set(re.findall(r"\]\(connections/([\w-]+\.md)\)", OVERVIEW))
    assert {page.name for page in PAGES.glob("*.md")} == linked
    assert set(
        re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", OVERVIEW, re.MULTILINE)))
    ) == set(KINDS)
