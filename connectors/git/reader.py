"""Reads the history of one repository. There is no other half: nothing here can change anything."""

import re
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel

from connectors.base import Health, Reader
from connectors.errors import NotFound
from connectors.git.binary import USER, Bounds, Remote
from connectors.git.copy import Copy
from connectors.git.history import changes
from connectors.git.params import Changes
from policies.evidence import Evidence, Probe
from policies.systems import Connection

#: the first that takes its configuration from the environment
_OLDEST = (2, 31)


class GitReader(Reader):
    """Who changed the code between two commits."""

    probes = {"changes": Changes}  # noqa: RUF012 - declared as a ClassVar where it is inherited from

    def __init__(self, connection: str, copy: Copy) -> None:
        super().__init__(connection)
        self._copy = copy

    @classmethod
    def of(
        cls,
        name: str,
        connection: Connection,
        token: str | None,
        data: Path,
        bounds: Bounds | None = None,
    ) -> "GitReader":
        """As dw.yml describes it, with its copy under `data`."""
        remote = Remote(
            connection=name, url=connection.url or "", user=connection.user or USER, token=token
        )
        copy = Copy(
            remote=remote,
            data=data,
            branch=connection.branch,
            trees=bool(connection.paths),
            bounds=bounds or Bounds(),
        )
        return cls(name, copy)

    async def ping(self) -> Health:
        """Where the branch stands, which also shows that the token may read."""
        git, branch = self._copy.git, self._copy.branch
        version = _version((await git.ask("version")).decode("utf-8", "replace"))
        if version < _OLDEST:
            says = (
                f"git {_dotted(version)} is too old here; install {_dotted(_OLDEST)} or a newer one"
            )
            raise NotFound(says, connection=self.connection)
        ref = f"refs/heads/{branch}" if branch else "HEAD"
        said = await git.ask("ls-remote", "--end-of-options", "origin", ref)
        at = said.decode("utf-8", "replace")[:7]
        if not at:
            what = f"has no branch {branch}" if branch else "told no branch"
            says = f"it {what}: it is empty, or a login page answers; check url and token"
            raise NotFound(says, connection=self.connection)
        says = f"{branch or 'the default branch'} is at {at}; only its history is copied"
        return Health(version=f"git {_dotted(version)}", says=says)

    async def _read(
        self, probe: Probe, params: BaseModel, *, evidence_id: str, now: datetime
    ) -> Evidence:
        wanted = Changes.model_validate(params)
        paths = " ".join(["", "--", *wanted.paths]) if wanted.paths else ""
        return Evidence(
            id=evidence_id,
            probe=probe,
            at=now,
            value=await changes(self._copy, wanted),
            query=f"git log --no-merges {wanted.good}..{wanted.failed}{paths}",
        )


def _version(said: str) -> tuple[int, ...]:
    """`git version 2.39.5 (Apple Git-154)` → (2, 39, 5)."""
    found = re.search(r"\d+(?:\.\d+)+", said)
    return tuple(int(part) for part in found[0].split(".")) if found else ()


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version)) or "of an unknown version"
