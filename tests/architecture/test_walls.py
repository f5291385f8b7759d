"""What only one place may do is done in one place."""

import ast
import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import connectors
from connectors.base import Actuator, Orchestrator, Reader
from tests.architecture.sources import ROOMS, ROOT, at, calls, python

APPROVAL = ROOT / "policies/approval.py"
LIFECYCLE = ROOT / "policies/lifecycle.py"


def test_only_weigh_makes_an_approval() -> None:
    made = [
        at(file, call)
        for file in python(*ROOMS)
        for name, call in calls(file)
        if name == "Approved" and file != APPROVAL
    ]
    assert made == []


def test_only_the_lifecycle_moves_a_phase() -> None:
    moved = [
        at(file, call)
        for file in python(*ROOMS)
        for name, call in calls(file)
        if name == "replace" and any(keyword.arg == "phase" for keyword in call.keywords)
        if file != LIFECYCLE
    ]
    assert moved == []


def everything_below(kind: type) -> Iterator[type]:
    for below in kind.__subclasses__():
        yield below
        yield from everything_below(below)


@pytest.mark.parametrize(("kind", "method"), [(Reader, "read"), (Actuator, "act")])
def test_no_connector_goes_round_the_check_before_its_call(kind: type, method: str) -> None:
    for module in pkgutil.walk_packages(connectors.__path__, "connectors."):
        importlib.import_module(module.name)
    built = [b for b in everything_below(kind) if b.__module__.startswith("connectors.")]
    assert set(built) > {Orchestrator} if kind is Reader else built
    assert [b for b in built if getattr(b, method) is not getattr(kind, method)] == []


def test_only_two_places_catch_everything() -> None:
    broad = [
        at(file, node)
        for file in python(*ROOMS)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler)
        if node.type is None or ast.unparse(node.type) in ("Exception", "BaseException")
    ]
    assert len(broad) <= 2, broad
