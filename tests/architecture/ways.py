"""Which function of ours mentions which: wide on purpose, so that what is not found is surely not there.

A mention is taken for a call. A method is known by its name alone, whoever's it is.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.architecture.sources import ROOT, python, tree

Ways = dict[str, set[str]]


@cache
def ways(*rooms: str) -> Ways:
    """`bot.worker.asking.ask` → everything that it mentions, of these rooms; also of tables and classes."""
    files = {_module(file): file for file in python(*rooms)}
    known = {name: dict(_parts(tree(file))) for name, file in files.items()}
    methods = _methods(known)
    found: Ways = {}
    for module, parts in known.items():
        names = _imported(tree(files[module])) | {part: f"{module}.{part}" for part in parts}
        for part, node in parts.items():
            found[f"{module}.{part}"] = set(_mentions(node, names, methods))
    return found


def reached(start: str, among: Ways) -> set[str]:
    """All that can be got to from there, itself too."""
    seen, waiting = {start}, [start]
    while waiting:
        for name in among.get(waiting.pop(), ()):
            if name in among and name not in seen:
                seen.add(name)
                waiting.append(name)
    return seen


def makers(made: str, among: Iterable[str], *rooms: str) -> set[str]:
    """The functions that call something of this name: `ApprovalGranted`."""
    return {
        f"{_module(file)}.{part}"
        for file in python(*rooms)
        for part, node in _parts(tree(file))
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] == made
        if f"{_module(file)}.{part}" in among
    }


def _module(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _parts(module: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """Functions, classes, each of their methods, and what is named at the top."""
    for node in module.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, node
            case ast.ClassDef(name=name, body=body):
                rest = [one for one in body if not isinstance(one, _FUNCTIONS)]
                yield name, ast.Module(body=rest, type_ignores=[])
                for one in body:
                    if isinstance(one, _FUNCTIONS):
                        yield f"{name}.{one.name}", one
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name, node


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _methods(known: dict[str, dict[str, ast.AST]]) -> Ways:
    found: Ways = defaultdict(set)
    for module, parts in known.items():
        for part in parts:
            owner, _, name = part.rpartition(".")
            if owner:
                found[name].add(f"{module}.{part}")
    return found


def _imported(module: ast.Module) -> dict[str, str]:
    """`asking` → `bot.worker.asking`, for all that a file imports."""
    found: dict[str, str] = {}
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {one.asname or one.name: f"{node.module}.{one.name}" for one in node.names}
        elif isinstance(node, ast.Import):
            found |= {one.asname or one.name: one.name for one in node.names}
    return found


def _mentions(node: ast.AST, names: dict[str, str], methods: Ways) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and one.id in names:
            yield names[one.id]
        elif isinstance(one, ast.Attribute):
            yield from methods.get(one.attr, ())
            if isinstance(one.value, ast.Name) and one.value.id in names:
                yield f"{names[one.value.id]}.{one.attr}"
