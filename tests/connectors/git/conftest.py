"""A repository, and readers of it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from connectors.git import Bounds, GitReader
from policies.systems import Connection
from tests.connectors.git.repositories import Repository

Reading = Callable[..., GitReader]


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository.at(tmp_path / "pipelines.git")


@pytest.fixture
def reading(tmp_path: Path, repository: Repository) -> Reading:
    """A reader of the repository, or of another `url`, with its copy in a folder of the test."""

    def made(*, token: str | None = None, bounds: Bounds | None = None, **entry: Any) -> GitReader:
        known = {"kind": "git", "url": repository.url, **entry}
        connection = Connection.model_validate(known)
        return GitReader.of("pipelines", connection, token, tmp_path / "data", bounds)

    return made
