"""One deliberate break of the code in a copy of it, and the tests that must notice.

The text that is replaced must occur exactly once, so that the list can't outlive the code it is about.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("bot", "handlers", "connectors", "policies", "tests")
_LEFT_OUT = shutil.ignore_patterns("page", "demo", "live", "*.png", ".*", "faults", "bench")
_QUIETLY = ("-q", "-rf", "--tb=no", "-p", "no:randomly", "-p", "no:cacheprovider", "--timeout=120")


class Rotten(AssertionError):
    """The list and the code have parted: the text to be replaced is not there exactly once."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Edit:
    """`old` becomes `new` in `file`, where it stands exactly once."""

    file: str
    old: str
    new: str

    def apply(self, tree: Path) -> None:
        """Raises `Rotten`."""
        target = tree / self.file
        text = target.read_text(encoding="utf-8")
        found = text.count(self.old)
        if found != 1:
            raise Rotten(f"{self.file} holds this {found} times, not once:\n{self.old}")
        target.write_text(text.replace(self.old, self.new), encoding="utf-8")


@dataclass(frozen=True, kw_only=True, slots=True)
class Mutation:
    """What is broken, in words, and the tests that must fail then: `file::test`, with any of its parameters.

    `also` are further edits, where the code has two guards and one alone would hold.
    """

    promise: int
    breaks: str
    file: str
    old: str
    new: str
    caught_by: tuple[str, ...]
    also: tuple[Edit, ...] = ()

    def edits(self) -> tuple[Edit, ...]:
        """All of them."""
        return (Edit(file=self.file, old=self.old, new=self.new), *self.also)


def copy_of_the_house(folder: Path) -> Path:
    """What the tests need, with its compiled files, so that only what changes is compiled again."""
    for room in ROOMS:
        shutil.copytree(ROOT / room, folder / room, ignore=_LEFT_OUT)
    shutil.copy(ROOT / "pyproject.toml", folder)
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)  # noqa: S607 - git, from the path
    return folder


def failed(tree: Path, tests: Sequence[str]) -> tuple[set[str], str]:
    """Run tests of a tree with its own code first on the path: those that failed, and what was said."""
    done = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-m", "pytest", *_QUIETLY, *tests],
        cwd=tree,
        env={**_environment(), "PYTHONPATH": str(tree)},
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    lines = [line[7:] for line in done.stdout.splitlines() if line.startswith("FAILED ")]
    names = {name.partition(" - ")[0] for name in lines}
    names |= {name.partition("[")[0] for name in names}
    assert done.returncode in (0, 1), f"the tests could not be run:\n{said}"
    assert bool(names) == bool(done.returncode), f"something else went wrong:\n{said}"
    return names, said


def every_test(mutations: Iterable[Mutation]) -> list[str]:
    """Each test that is named, once."""
    return sorted({test for mutation in mutations for test in mutation.caught_by})


def _environment() -> dict[str, str]:
    """Ours, without what would make pytest think that it runs inside another one."""
    return {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "DW_", "COV"))}  # noqa: TID251 - handed on
