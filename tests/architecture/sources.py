"""What the tests of this folder look at: the tracked files, and the syntax trees of ours."""

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("bot", "handlers", "connectors", "policies")


@cache
def tracked() -> tuple[Path, ...]:
    """Every file of the repository that still exists, tracked or about to be."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(  # noqa: S603 - git, from the path
        command, cwd=ROOT, check=True, capture_output=True, text=True
    )
    files = (ROOT / name for name in listed.stdout.split("\0") if name)
    return tuple(sorted(file for file in files if file.is_file()))


def python(*folders: str) -> list[Path]:
    """The Python files in these folders."""
    roots = [ROOT / folder for folder in folders]
    return [f for f in tracked() if f.suffix == ".py" and any(r in f.parents for r in roots)]


@cache
def tree(file: Path) -> ast.Module:
    """Its syntax tree."""
    return ast.parse(file.read_text(encoding="utf-8"))


def calls(file: Path) -> Iterator[tuple[str, ast.Call]]:
    """Every call in a file, with the last part of the name that is called."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func).rpartition(".")[2], node


def at(file: Path, node: ast.AST | int) -> str:
    """`bot/desk.py:17`."""
    line = node if isinstance(node, int) else getattr(node, "lineno", 1)
    return f"{file.relative_to(ROOT)}:{line}"
