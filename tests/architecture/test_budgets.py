"""Small files, small functions, each module with a reason to exist, and no drawer for odds and ends."""

import ast

from tests.architecture.sources import ROOMS, ROOT, at, python, tree

FILE_LINES, FUNCTION_LINES = 300, 40
DRAWERS = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "misc"}


def test_no_file_is_longer_than_a_person_reads() -> None:
    lengths = {f: len(f.read_text(encoding="utf-8").splitlines()) for f in python(*ROOMS, "tests")}
    long = [at(f, n) for f, n in lengths.items() if n > FILE_LINES]
    assert not long, "\n".join(long)


def test_no_function_is_longer_than_a_screen() -> None:
    functions = [
        (file, node)
        for file in python(*ROOMS, "tests")
        for node in ast.walk(tree(file))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    long = [(f, n) for f, n in functions if (n.end_lineno or 0) - n.lineno >= FUNCTION_LINES]
    assert not long, "\n".join(f"{at(f, n)} {n.name}" for f, n in long)


def test_every_module_says_why_it_exists() -> None:
    silent = [at(f, 1) for f in python(*ROOMS, "tests") if not ast.get_docstring(tree(f))]
    assert not silent, "\n".join(silent)


def test_no_module_is_a_drawer() -> None:
    named = [part for f in python(*ROOMS) for part in f.relative_to(ROOT).with_suffix("").parts]
    assert DRAWERS.isdisjoint(named)
