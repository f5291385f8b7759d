"""The parts of dbt's files that are read, for manifests v4 to v12 and dbt 1.0 to 2: all of it may be missing.

Versions differ without a new number, and dbt 2 leaves out what is null. So nothing is required but ids.
"""

from typing import Any, TypeVar

import msgspec

from connectors.errors import Malformed

S = TypeVar("S", bound=msgspec.Struct)
Meta = dict[str, Any] | None


class DependsOn(msgspec.Struct):
    """What a node reads. Seeds have none in some versions."""

    nodes: list[str] | None = None


class Config(msgspec.Struct):
    """The part of a configuration that says who owns it, and whether there is a table."""

    meta: Meta = None
    materialized: str | None = None


class Owner(msgspec.Struct):
    """Either may be missing, or a list."""

    email: Any = None
    name: Any = None

    @property
    def who(self) -> str | None:
        """An email before a name."""
        told = [*_words(self.email), *_words(self.name)]
        return told[0] if told else None


class Node(msgspec.Struct):
    """A model, seed, snapshot, test, source or exposure; most of the rest passes through unread."""

    unique_id: str
    name: str = ""
    resource_type: str = ""
    relation_name: str | None = None
    database: str | None = None
    schema: str | None = None
    alias: str | None = None
    identifier: str | None = None
    depends_on: DependsOn | None = None
    group: str | None = None
    meta: Meta = None
    config: Config | None = None
    raw_code: str | None = None
    raw_sql: str | None = None
    attached_node: str | None = None
    type: str | None = None
    label: str | None = None
    owner: Owner | None = None

    @property
    def reads(self) -> list[str]:
        """Ids of what it depends on."""
        return (self.depends_on and self.depends_on.nodes) or []

    @property
    def code(self) -> str:
        """Its code as it was written; `raw_sql` until dbt 1.2."""
        return self.raw_code or self.raw_sql or ""

    @property
    def ephemeral(self) -> bool:
        """True for a model that never becomes a table."""
        return bool(self.config and self.config.materialized == "ephemeral")

    @property
    def relation(self) -> tuple[str, ...]:
        """Database, schema and table as far as they are told, lower case, unquoted; empty for no table."""
        if self.ephemeral or self.resource_type not in TABLES:
            return ()
        if self.relation_name:
            return parts(self.relation_name)
        named = (self.database, self.schema, self.identifier or self.alias or self.name)
        return tuple(part.lower() for part in named if part) if self.schema else ()


class Group(msgspec.Struct):
    """Who answers for the nodes of a group."""

    name: str = ""
    owner: Owner | None = None


class Manifest(msgspec.Struct):
    """A project. `disabled` and macros, most of the file, are never looked at."""

    metadata: dict[str, Any] = {}
    nodes: dict[str, Node] = {}
    sources: dict[str, Node] = {}
    exposures: dict[str, Node] | None = None
    metrics: dict[str, Node] | None = None
    semantic_models: dict[str, Node] | None = None
    saved_queries: dict[str, Node] | None = None
    functions: dict[str, Node] | None = None
    groups: dict[str, Group] | None = None
    child_map: dict[str, list[str]] | None = None


class Result(msgspec.Struct):
    """What became of one node. The name is only told by the manifest; the id holds it too."""

    unique_id: str
    status: str
    relation_name: str | None = None
    message: str | None = None
    failures: int | None = None


class RunResults(msgspec.Struct):
    """What became of the last command of a run, or of the step that was asked for."""

    results: list[Result]
    metadata: dict[str, Any] = {}


TABLES = frozenset({"model", "seed", "snapshot", "source"})


def manifest(data: bytes, connection: str = "") -> Manifest:
    """Raises `Malformed` for what is no manifest."""
    return _decoded(_MANIFEST, data, "manifest.json", connection)


def run_results(data: bytes, connection: str = "") -> RunResults:
    """Raises `Malformed` for what is no run_results."""
    return _decoded(_RESULTS, data, "run_results.json", connection)


def parts(relation: str) -> tuple[str, ...]:
    """`"shop"."raw"."Orders"` → shop, raw, orders."""
    return tuple(part.strip('"`[] ').lower() for part in relation.split(".") if part.strip())


_MANIFEST = msgspec.json.Decoder(Manifest)
_RESULTS = msgspec.json.Decoder(RunResults)


def _decoded(decoder: msgspec.json.Decoder[S], data: bytes, what: str, connection: str) -> S:
    try:
        return decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        says = f"this is no {what} of dbt: {str(error)[:200]}"
        raise Malformed(says, connection=connection) from error


def _words(value: object) -> list[str]:
    every = value if isinstance(value, list) else [value]
    return [each for each in every if isinstance(each, str) and each]
