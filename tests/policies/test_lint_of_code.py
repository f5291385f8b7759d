"""Mistakes in where dw.yml says that the code is, each with what to write instead."""

from typing import Any

import pytest

from policies.lint import lint
from tests.policies import night

GIT = {"kind": "git", "url": "https://git.example.com/data/pipelines.git", "code_of": ["dagster"]}


def mistakes(**entry: Any) -> list[str]:
    known = night.dw_yml(admins=["dee@example.com"])
    connections = {**known["connections"], "pipelines": {**GIT, **entry}}
    return [str(mistake) for mistake in lint({**known, "connections": connections})]


def test_a_repository_that_is_whole_is_no_mistake() -> None:
    assert (
        mistakes(
            branch="main",
            paths={"token_usage": ["dags/usage"], "raw_*": ["models/raw.py"]},
            authors={"ana@laptop.example.com": "ana@example.com", "secret-bot@example.com": "U0BO"},
        )
        == []
    )


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({"code_of": []}, "connections.pipelines: nobody runs the code in it"),
        ({"code_of": ["dagstr"]}, "code_of[0]: there is no connection 'dagstr' → did you mean dagster"),
        ({"code_of": ["warehouse"]}, "code_of[0]: nothing runs on warehouse"),
        ({"paths": {"x": ["/etc"]}}, "paths.x[0]: '/etc' is no path inside of the repository"),
        ({"paths": {"x": ["a/../../b"]}}, "paths.x[0]: 'a/../../b' is no path inside"),
        ({"paths": {"x": [":(top)x"]}}, "is no path inside"),
        ({"authors": {"x@example.com": "@group"}}, "'@group' names nobody"),
        ({"url": "git@git.example.com:data/x.git"}, "this is no address of a git"),
        ({"url": "https://ana:planted@git.example.com/x.git"}, "a secret may not stand in this file"),
        ({"jobs": {"x": {}}}, "a git runs no jobs"),
    ],
)  # fmt: skip
def test_each_mistake_is_named(entry: dict[str, Any], says: str) -> None:
    assert says in "\n".join(mistakes(**entry))


def test_words_that_only_a_repository_knows_are_refused_elsewhere() -> None:
    known = night.dw_yml()["connections"]
    wrong = {**known, "warehouse": {**known["warehouse"], "code_of": ["dagster"], "branch": "x"}}
    found = "\n".join(str(one) for one in lint(night.dw_yml(connections=wrong)))
    assert "connections.warehouse.code_of: a duckdb is no repository → leave it out" in found
    assert "connections.warehouse.branch: a duckdb is no repository" in found
