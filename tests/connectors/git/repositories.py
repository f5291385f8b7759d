"""Real repositories, made by the real git in a folder of the test's own."""

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

GIT = shutil.which("git") or "git"
ANA, BO = ("Ana Ortiz", "ana@example.com"), ("Bo Lindqvist", "bo@example.com")


@dataclass
class Repository:
    """A bare repository that others read, written to through a plumbing command or two."""

    folder: Path
    minute: int = 0
    commits: list[str] = field(default_factory=list)

    @classmethod
    def at(cls, folder: Path) -> "Repository":
        made = cls(folder)
        made.git("init", "--quiet", "--bare", "--initial-branch=main", str(folder), inside=False)
        made.git("config", "uploadpack.allowFilter", "true")
        made.git("config", "uploadpack.allowAnySHA1InWant", "true")
        return made

    @property
    def url(self) -> str:
        return self.folder.as_uri()

    def git(self, *words: str, inside: bool = True, feed: bytes = b"", **extra: str) -> str:
        where = ("--git-dir", str(self.folder)) if inside else ()
        env = {
            "PATH": os.defpath,
            "HOME": str(self.folder),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            **extra,
        }
        done = subprocess.run(  # noqa: S603 - the words are the test's own
            [GIT, *where, *words], input=feed, env=env, capture_output=True, check=True
        )
        return done.stdout.decode().strip()

    def commit(
        self,
        subject: str,
        author: tuple[str, str] = ANA,
        *,
        branch: str = "main",
        parents: tuple[str, ...] | None = None,
        **files: str,
    ) -> str:
        """One more commit on a branch; `files` are paths with `__` for `/`. Its committer is a machine."""
        if parents is None:
            parents = tuple(filter(None, [self.head(branch)]))
        tree = self._tree(parents[:1], files)
        self.minute += 1
        at = f"2026-09-28T{self.minute // 60:02}:{self.minute % 60:02}:00+00:00"
        name, email = author
        who = {
            "GIT_AUTHOR_NAME": name,
            "GIT_AUTHOR_EMAIL": email,
            "GIT_AUTHOR_DATE": at,
            "GIT_COMMITTER_NAME": "Merge Machine",
            "GIT_COMMITTER_EMAIL": "machine@example.com",
            "GIT_COMMITTER_DATE": at,
        }
        on = [word for parent in parents for word in ("-p", parent)]
        made = self.git("commit-tree", tree, *on, feed=subject.encode(), **who)
        self.move(branch, made)
        self.commits.append(made)
        return made

    def raw(self, body: bytes, branch: str = "main") -> str:
        """A commit as no honest tool would write it."""
        made = self.git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", feed=body)
        self.move(branch, made)
        return made

    def head(self, branch: str = "main") -> str | None:
        try:
            return self.git("rev-parse", "--verify", "--quiet", f"refs/heads/{branch}")
        except subprocess.CalledProcessError:
            return None

    def move(self, branch: str, commit: str) -> None:
        self.git("update-ref", f"refs/heads/{branch}", commit)

    def forget(self) -> None:
        """What no branch leads to is gone for good."""
        self.git("gc", "--quiet", "--prune=now")

    def _tree(self, parents: tuple[str, ...], files: dict[str, str]) -> str:
        index = {"GIT_INDEX_FILE": str(self.folder / "index.of.the.test")}
        Path(index["GIT_INDEX_FILE"]).unlink(missing_ok=True)
        if parents:
            self.git("read-tree", parents[0], **index)
        for path, text in files.items():
            blob = self.git("hash-object", "-w", "--stdin", feed=text.encode())
            info = f"100644,{blob},{path.replace('__', '/')}"
            self.git("update-index", "--add", "--cacheinfo", info, **index)
        return self.git("write-tree", **index)
