"""The copy of a repository's history: a bare folder that can be made again at any time, filled on need.

One fetch at a time, between processes too. Commits only, where the server can leave out the rest: the trees
come along where dw.yml tells paths, and files never do.
"""

import asyncio
import fcntl
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import IO

from connectors.errors import ConnectorError, NotFound, Rejected, TooSlow
from connectors.git.binary import Bounds, Git, Remote

_WHOLE = (40, 64)
_EVERY_BRANCH = "+refs/heads/*:refs/remotes/origin/*"
_TAGS = "+refs/tags/*:refs/tags/*"
_LEFT_BEHIND = ("*.lock", "tmp_*")
_TURN_EVERY = 0.1


@dataclass(kw_only=True)
class Copy:
    """The history of one remote under `data`. With `trees`, what a commit touches can be told."""

    remote: Remote
    data: Path
    branch: str | None = None
    trees: bool = False
    bounds: Bounds = field(default_factory=Bounds)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        """Another address, or another depth, is another copy."""
        mark = sha256(f"{self.remote.url} {self.filter}".encode()).hexdigest()[:12]
        folder = self.data / "git" / f"{self.remote.connection}-{mark}"
        self.git = Git(self.remote, folder, self.bounds)

    @property
    def filter(self) -> str:
        """What is left out of what comes over the wire."""
        return "blob:none" if self.trees else "tree:0"

    async def both(self, good: str, failed: str) -> tuple[str, str]:
        """The two commits in full. Raises `NotFound` for one that the repository does not have any more."""
        async with self._alone():
            await self._made()
            found = [await self._known(one) for one in (good, failed)]
            if None in found:
                await self._fetch()
                found = [await self._surely(one) for one in (good, failed)]
        return str(found[0]), str(found[1])

    async def _known(self, commit: str) -> str | None:
        """In full, or None for one that is not here."""
        try:
            said = await self.git.ask(
                "rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{commit}}"
            )
        except TooSlow:
            raise
        except ConnectorError:
            return None
        return said.decode("ascii", "replace").split()[-1]  # older ones repeat their options first

    async def _surely(self, commit: str) -> str:
        found = await self._known(commit)
        if found is None and len(commit) in _WHOLE:
            found = await self._by_its_id(commit)
        if found is None:
            raise NotFound(
                f"it does not have commit {commit[:12]}: it is another repository's, was never pushed, or"
                " history was rewritten since. Who wrote what in between is not known",
                connection=self.remote.connection,
            )
        return found

    async def _by_its_id(self, commit: str) -> str | None:
        """A commit that no branch leads to any more; many hosts still give it."""
        try:
            await self._fetch(commit)
        except NotFound:
            return None
        return await self._known(commit)

    async def _fetch(self, *commits: str) -> None:
        one = f"+refs/heads/{self.branch}:refs/remotes/origin/{self.branch}"
        wanted = commits or ((one,) if self.branch else (_EVERY_BRANCH, _TAGS))
        try:
            await self.git.ask(
                "fetch",
                *("--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"),
                *("--no-auto-maintenance", f"--filter={self.filter}"),
                *(() if commits else ("--prune",)),
                "--end-of-options",
                "origin",
                *wanted,
            )
        except Rejected:
            if await self.git.too_large():  # half a copy is of no use
                await asyncio.to_thread(shutil.rmtree, self.git.folder, ignore_errors=True)
            raise

    async def _made(self) -> None:
        if (self.git.folder / "HEAD").is_file():
            return
        await self.git.ask(
            "init", "--quiet", "--bare", "--template=", "--", str(self.git.folder.resolve())
        )

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        async with self._turn:
            held = self._opened()
            try:
                await self._wait_for(held)
                self._sweep()
                yield
            finally:
                held.close()

    def _opened(self) -> IO[bytes]:
        try:
            self.git.folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            return self.git.folder.with_suffix(".turn").open("ab")
        except OSError as error:
            why = error.strerror
        says = f"DW_DATA can't be written ({why}), so no history can be copied there"
        raise Rejected(says, connection=self.remote.connection)

    async def _wait_for(self, held: IO[bytes]) -> None:
        for _ in range(int(self.bounds.network / _TURN_EVERY) + 1):
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                await asyncio.sleep(_TURN_EVERY)
            else:
                return
        says = "another process has been copying this history all the time"
        raise TooSlow(says, connection=self.remote.connection)

    def _sweep(self) -> None:
        """What a fetch left behind that was cut off; nobody else is at it."""
        for pattern in _LEFT_BEHIND:
            for left in self.git.folder.rglob(pattern):
                if left.is_file():
                    left.unlink(missing_ok=True)
