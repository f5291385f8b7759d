"""What feeds what: assets and the edges between them, from any number of sources."""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache


@dataclass(frozen=True, kw_only=True, slots=True)
class Asset:
    """A table, model, task, dashboard, export or notebook.

    `due` is the time of day it is read, `HH:MM` UTC, where somebody said so. `said_by` names the
    source of this knowledge (`dagster`, `dbt`, `team notes`).
    """

    key: str
    kind: str = "table"
    owner: str | None = None
    owner_said_by: str | None = None
    job: str | None = None
    due: str | None = None
    said_by: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Lineage:
    """Assets by key and the edges parent → child; `suspected` are those edges that only code betrays."""

    assets: dict[str, Asset] = field(default_factory=dict)
    edges: frozenset[tuple[str, str]] = frozenset()
    suspected: frozenset[tuple[str, str]] = frozenset()

    def children(self, key: str) -> tuple[str, ...]:
        """Direct readers of `key`, sorted."""
        return _readers(self.edges).get(key, ())

    def downstream(self, key: str) -> Iterator[str]:
        """Every asset reached from `key`, nearest first, each once; safe on cycles and deep chains."""
        seen, queue = {key}, deque([key])
        while queue:
            for child in self.children(queue.popleft()):
                if child not in seen:
                    seen.add(child)
                    queue.append(child)
                    yield child

    def upstream(self, key: str) -> tuple[str, ...]:
        """Every asset that `key` is built from, nearest first, each once."""
        turned = Lineage(edges=frozenset((child, parent) for parent, child in self.edges))
        return tuple(turned.downstream(key))

    def merged(self, other: "Lineage") -> "Lineage":
        """Both together; where both know an asset, the fields this one lacks come from the other."""
        assets = dict(other.assets)
        for key, asset in self.assets.items():
            assets[key] = _filled(asset, other.assets.get(key))
        edges = self.edges | other.edges
        certain = (self.edges - self.suspected) | (other.edges - other.suspected)
        return Lineage(assets=assets, edges=edges, suspected=edges - certain)


class Reach(StrEnum):
    """What the trouble means for a downstream asset."""

    HELD_BACK = "held back"
    CONTAMINATED = "contaminated"
    DUE = "due"


@dataclass(frozen=True, kw_only=True, slots=True)
class Hit:
    """One downstream asset and what the trouble means for it."""

    asset: str
    kind: str
    reach: Reach
    owner: str | None = None
    due: str | None = None
    because: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class BlastRadius:
    """Everything downstream of `root`, nearest first, and the nearest time somebody reads it.

    `above` is what `root` is built from, nearest first.
    """

    root: str
    hits: tuple[Hit, ...] = ()
    next_due: str | None = None
    above: tuple[str, ...] = ()


@lru_cache(maxsize=4)
def _readers(edges: frozenset[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    """Parent → children. Kept, for a walk asks it once for each asset and a dbt project has thousands."""
    found: dict[str, list[str]] = defaultdict(list)
    for parent, child in edges:
        found[parent].append(child)
    return {parent: tuple(sorted(children)) for parent, children in found.items()}


def _filled(asset: Asset, other: Asset | None) -> Asset:
    if other is None:
        return asset
    return Asset(
        key=asset.key,
        kind=asset.kind if asset.kind != "table" else other.kind,
        owner=asset.owner or other.owner,
        owner_said_by=asset.owner_said_by if asset.owner else other.owner_said_by,
        job=asset.job or other.job,
        due=asset.due or other.due,
        said_by=asset.said_by or other.said_by,
    )
