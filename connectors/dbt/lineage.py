"""A manifest as lineage: tables and exposures, with owners, and edges that only the code betrays."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from connectors.dbt.artifacts import TABLES, Group, Manifest, Node
from policies.lineage import Asset, Lineage

SAID_BY = "dbt"
_EXPOSURE = "exposure"
_UNSEEN = frozenset({"test", "unit_test", "analysis", "operation"})
_COMMENTS = re.compile(r"--[^\n]*|/\*.*?\*/|\{#.*?#\}", re.DOTALL)
_FROM = re.compile(r"\b(?:from|join)\s+([\w\"`\[\]]+(?:\s*\.\s*[\w\"`\[\]]+){1,2})", re.IGNORECASE)
_SCHEMA_AND_TABLE = 2
Key = tuple[str, ...]
Edges = set[tuple[str, str]]


def lineage_of(manifest: Manifest) -> Lineage:
    """Everything in the manifest, by the names people use.

    What never becomes a table (ephemeral models, metrics, saved queries) is passed through. A seed on the
    relation of a source is the same table. Edges that stand in no `ref` or `source` but in the code are
    marked as suspected.
    """
    nodes = _nodes(manifest)
    kept = {key: node for key, node in nodes.items() if _is_asset(node)}
    names = _names(kept)
    edges = _edges(nodes, _children(manifest, nodes), names)
    suspected = _suspected(kept, names) - edges
    return Lineage(
        assets=_assets(manifest, kept, names),
        edges=frozenset(edges | suspected),
        suspected=frozenset(suspected),
    )


def _nodes(manifest: Manifest) -> dict[str, Node]:
    others = (manifest.exposures, manifest.metrics, manifest.semantic_models)
    more = (manifest.saved_queries, manifest.functions)
    found = {**manifest.nodes, **manifest.sources}
    for part in (*others, *more):
        found |= part or {}
    return {key: _typed(key, node) for key, node in found.items()}


def _typed(key: str, node: Node) -> Node:
    """Older manifests leave the type to the beginning of the id."""
    node.resource_type = node.resource_type or key.split(".", maxsplit=1)[0]
    return node


def _is_asset(node: Node) -> bool:
    return node.resource_type == _EXPOSURE or (node.resource_type in TABLES and not node.ephemeral)


def _builders_first(kept: Mapping[str, Node]) -> list[tuple[str, Node]]:
    return sorted(kept.items(), key=lambda item: item[1].resource_type == "source")


def _names(kept: Mapping[str, Node]) -> dict[str, str]:
    """Id → name: the node's own where no other has it, else its table's, else the id.

    Ids of one relation share a name, that of the node which builds it.
    """
    one = _same_table(kept)
    owns = Counter(kept[key].name for key in set(one.values()))
    tables = Counter(_table(kept[key]) for key in set(one.values()))
    told = {key: _name(kept[key], key, owns, tables) for key in set(one.values())}
    return {key: told[first] for key, first in one.items()}


def _same_table(kept: Mapping[str, Node]) -> dict[str, str]:
    first: dict[Key, str] = {}
    for key, node in _builders_first(kept):
        if node.relation:
            first.setdefault(node.relation, key)
    return {key: first.get(node.relation, key) for key, node in kept.items()}


def _name(node: Node, key: str, owns: Counter[str], tables: Counter[str]) -> str:
    if node.name and owns[node.name] == 1:
        return node.name
    table = _table(node)
    return table if table and tables[table] == 1 and not owns[table] else key


def _table(node: Node) -> str:
    return node.relation[-1] if node.relation else ""


def _children(manifest: Manifest, nodes: Mapping[str, Node]) -> Mapping[str, list[str]]:
    if manifest.child_map:
        return manifest.child_map
    children: dict[str, list[str]] = defaultdict(list)
    for key, node in nodes.items():
        for parent in node.reads:
            children[parent].append(key)
    return children


def _edges(
    nodes: Mapping[str, Node], children: Mapping[str, list[str]], names: Mapping[str, str]
) -> Edges:
    found = {
        (names[key], names[child])
        for key in names
        for child in _readers(key, nodes, children, names)
    }
    return {(parent, child) for parent, child in found if parent != child}


def _readers(
    key: str,
    nodes: Mapping[str, Node],
    children: Mapping[str, list[str]],
    names: Mapping[str, str],
) -> Iterator[str]:
    """The nearest assets that read this one. Ids that nobody describes are passed over."""
    seen, stack = {key}, [*children.get(key, ())]
    while stack:
        child = stack.pop()
        node = nodes.get(child)
        if child in seen or node is None or node.resource_type in _UNSEEN:
            continue
        seen.add(child)
        if child in names:
            yield child
        else:
            stack += children.get(child, ())


def _suspected(kept: Mapping[str, Node], names: Mapping[str, str]) -> Edges:
    """Tables that a model names by hand after FROM or JOIN: dbt does not know that it reads them."""
    known = {
        node.relation[-_SCHEMA_AND_TABLE:]: names[key]
        for key, node in kept.items()
        if len(node.relation) >= _SCHEMA_AND_TABLE
    }
    found: Edges = set()
    for key, node in kept.items():
        for relation in _named_by_hand(node):
            parent = known.get(relation)
            if parent and parent != names[key]:
                found.add((parent, names[key]))
    return found


def _named_by_hand(node: Node) -> Iterator[Key]:
    for match in _FROM.finditer(_COMMENTS.sub(" ", node.code)):
        parts = tuple(part.strip(' "`[]\n\t').lower() for part in match[1].split("."))
        yield parts[-_SCHEMA_AND_TABLE:]


def _assets(
    manifest: Manifest, kept: Mapping[str, Node], names: Mapping[str, str]
) -> dict[str, Asset]:
    """Where two share a table, whoever builds it speaks first; the other may still name the owner."""
    found: dict[str, Asset] = {}
    for key, node in _builders_first(kept):
        asset = _asset(manifest, node, names[key])
        first = found.get(asset.key)
        if first is None or (first.owner is None and asset.owner):
            found[asset.key] = asset
    return found


def _asset(manifest: Manifest, node: Node, name: str) -> Asset:
    owner, where = _owner(manifest, node)
    exposure = node.resource_type == _EXPOSURE
    return Asset(
        key=name,
        kind=(node.type or _EXPOSURE) if exposure else "table",
        owner=owner,
        owner_said_by=f"{SAID_BY} {where}" if owner else None,
        said_by=SAID_BY,
    )


def _owner(manifest: Manifest, node: Node) -> tuple[str | None, str]:
    """Of the node itself, in either place; else of its exposure, else of its group; and which it is."""
    metas = (node.config.meta if node.config else None, node.meta)
    own = next((meta["owner"] for meta in metas if meta and meta.get("owner")), None)
    if isinstance(own, dict):
        own = own.get("email") or own.get("name")
    if isinstance(own, str):
        return own, "meta"
    if node.owner:
        return node.owner.who, "exposure"
    group = _group(manifest, node.group)
    return group.owner.who if group and group.owner else None, "group"


def _group(manifest: Manifest, name: str | None) -> Group | None:
    return next((g for g in (manifest.groups or {}).values() if name and g.name == name), None)
