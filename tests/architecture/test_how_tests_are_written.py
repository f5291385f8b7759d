"""Tests pass fakes; none reaches into the code to replace a part of it."""

import ast

from tests.architecture.sources import at, python, tree

PATCHES = {"setattr", "setitem", "delattr", "delitem"}


def test_no_test_patches_our_code() -> None:
    patches = [
        at(file, node)
        for file in python("tests")
        for node in ast.walk(tree(file))
        if isinstance(node, ast.Attribute)
        if isinstance(node.value, ast.Name)
        if node.value.id in ("monkeypatch", "mocker")
        if node.value.id == "mocker" or node.attr in PATCHES
    ]
    assert patches == []


def test_no_test_uses_mocks() -> None:
    mocks = [
        at(file, node)
        for file in python("tests")
        for node in ast.walk(tree(file))
        if isinstance(node, ast.Import | ast.ImportFrom)
        if "mock" in {part for n in imported(node) for part in n.split(".")}
    ]
    assert mocks == []


def imported(node: ast.Import | ast.ImportFrom) -> list[str]:
    names = [alias.name for alias in node.names]
    return [*names, node.module or ""] if isinstance(node, ast.ImportFrom) else names
