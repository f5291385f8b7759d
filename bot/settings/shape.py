"""Which keys may stand at a place of dw.yml, read off the model: for `did you mean …?`."""

from typing import Any

from pydantic import BaseModel

from policies.lint.parts import Path


def fields_at(model: type[BaseModel], path: Path) -> list[str]:
    """The keys that the mapping at `path` may have; empty where the team makes up the names."""
    schema = model.model_json_schema()
    here: dict[str, Any] = schema
    for part in path:
        here = _inner(_plain(here, schema), part)
    return list(_plain(here, schema).get("properties", {}))


def _inner(here: dict[str, Any], part: str | int) -> dict[str, Any]:
    if isinstance(part, int):
        found = here.get("items", {})
    else:
        found = here.get("properties", {}).get(part) or here.get("additionalProperties", {})
    return found if isinstance(found, dict) else {}


def _plain(here: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Without `$ref`, and without the null of something optional."""
    for choice in here.get("anyOf", ()):
        if choice.get("type") != "null":
            return _plain(choice, schema)
    if "$ref" in here:
        name = here["$ref"].rsplit("/", 1)[-1]
        return _plain(schema["$defs"][name], schema)
    return here
