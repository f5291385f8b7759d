"""What failed in a dbt run, from run_results: nodes that broke, tests that said no, and what never ran."""

from collections.abc import Iterable
from dataclasses import dataclass

from connectors.dbt.artifacts import TABLES, Manifest, Node, Result, RunResults, parts

BROKE = frozenset({"error", "runtime error", "partial success"})
_SAYS_NO = frozenset({"fail", "warn", *BROKE})
_TESTS = frozenset({"test", "unit_test"})
_HASH_LENGTH = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """A test that did not pass. `asset` is None where neither id nor manifest tells what it is about."""

    check: str
    asset: str | None
    passed: bool
    severity: str
    says: str
    failures: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """By the names people use. `planned` are tables of this run, `built` those that were made.

    A node that was skipped says nothing of its own: its message blames others, at times the wrong ones.
    """

    broke: tuple[tuple[str, str], ...]
    checks: tuple[Checked, ...]
    skipped: tuple[str, ...]
    planned: tuple[str, ...]
    built: tuple[str, ...]


def outcome_of(results: RunResults, manifest: Manifest | None = None) -> Outcome:
    """`manifest` tells what a test is about; without it that is unknown."""
    tables = [each for each in results.results if _type(each) in TABLES]
    return Outcome(
        broke=tuple((_name(each), each.message or "") for each in tables if each.status in BROKE),
        checks=tuple(checked(each, manifest) for each in results.results if is_test(each)),
        skipped=_names(each for each in tables if each.status == "skipped"),
        planned=_names(tables),
        built=_names(each for each in tables if each.status == "success"),
    )


def asks_manifest(results: RunResults) -> bool:
    """True when a test said no: only the manifest tells about what."""
    return any(_type(each) in _TESTS and each.status in _SAYS_NO for each in results.results)


def checked(result: Result, manifest: Manifest | None) -> Checked:
    """One test."""
    node = manifest.nodes.get(result.unique_id) if manifest else None
    return Checked(
        check=node.name if node and node.name else _test_name(result.unique_id),
        asset=_about(node, manifest),
        passed=result.status not in _SAYS_NO,
        severity="WARN" if result.status == "warn" else "ERROR",
        says=result.message or "",
        failures=result.failures,
    )


def is_test(result: Result) -> bool:
    """True for a test that ran: one that was skipped says nothing."""
    return _type(result) in _TESTS and result.status not in ("skipped", "no-op")


def _about(node: Node | None, manifest: Manifest | None) -> str | None:
    """What a test is attached to; else the first table it reads."""
    if node is None or manifest is None:
        return None
    for key in (node.attached_node, *node.reads):
        found = manifest.nodes.get(key or "") or manifest.sources.get(key or "")
        if found is not None:
            return found.name
    return None


def _names(results: Iterable[Result]) -> tuple[str, ...]:
    return tuple(_name(each) for each in results)


def _type(result: Result) -> str:
    return result.unique_id.split(".", maxsplit=1)[0]


def _name(result: Result) -> str:
    """`model.growth.fct_x` → fct_x; one of several versions goes by its table, as in the lineage."""
    name = result.unique_id.split(".", maxsplit=2)[-1]
    return parts(result.relation_name)[-1] if "." in name and result.relation_name else name


def _test_name(unique_id: str) -> str:
    """`test.growth.unique_x.8f4005aa34`: generic tests end with a hash of their arguments."""
    name = unique_id.split(".", maxsplit=2)[-1]
    head, _, tail = name.rpartition(".")
    return head if head and len(tail) == _HASH_LENGTH else name
