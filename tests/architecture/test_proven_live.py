"""docs/proven-live.md says what `make live` proves: no test that is not there, on no system that it does not run on."""

import ast
import re
from pathlib import Path

import pytest

from tests.live.houses.conftest import KEEPERS, OWNED, SYSTEMS
from tests.live.proven import PAGE, PROOFS, ROOT, Proof, page

LIVE = ROOT / "tests" / "live"
#: what a test takes → the systems it runs on
RUNS_ON = {"system": {*SYSTEMS}, "keeper": {*KEEPERS}, "watched": {*SYSTEMS, *OWNED}}


def named_in(path: Path) -> dict[str, list[str]]:
    """The tests in a file, each with what it takes."""
    tree = ast.parse(path.read_text())
    found = [n for n in tree.body if isinstance(n, ast.AsyncFunctionDef | ast.FunctionDef)]
    return {n.name: [a.arg for a in n.args.args] for n in found if n.name.startswith("test_")}


def test_the_page_is_written_from_the_list() -> None:
    assert PAGE.read_text() == page()


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: proof.test)
def test_every_proof_is_a_test_that_runs_on_the_systems_it_names(proof: Proof) -> None:
    takes = named_in(LIVE / proof.file)[proof.test]
    on = next((RUNS_ON[one] for one in takes if one in RUNS_ON), None)
    assert on in (None, {*proof.on})
    assert on or proof.on in (("airflow2",), ("airflow3",))


def test_every_promise_of_the_houses_is_on_the_page() -> None:
    proven = {(proof.file, proof.test) for proof in PROOFS}
    houses = sorted((LIVE / "houses").glob("test_*.py"))
    there = {(f"houses/{path.name}", name) for path in houses for name in named_in(path)}
    assert there
    assert there <= proven


def test_the_versions_on_the_page_are_the_ones_that_are_installed() -> None:
    locks = {
        "airflow2": ("airflow/airflow2.lock", "apache-airflow"),
        "airflow3": ("airflow/airflow3.lock", "apache-airflow"),
        "dagster": ("../../bot/sandbox/demo/dagster.lock", "dagster"),
        "prefect": ("prefect/requirements.lock", "prefect"),
    }
    told = page()
    for file, package in locks.values():
        pinned = re.search(rf"^{package}==(\S+)", (LIVE / file).read_text(), re.MULTILINE)
        assert pinned is not None
        assert f" {pinned[1]} |" in told
