"""Does a value fit the JSON Schema that another system gives for it? Such a schema is data of somebody else.

It may be wrong itself, and it may point anywhere: nothing is ever fetched for it.
"""

from collections.abc import Mapping
from re import error as BadPattern  # noqa: N812 - it is one
from typing import Any

import jsonschema
from jsonschema.exceptions import SchemaError, UndefinedTypeCheck, UnknownType
from referencing import Registry
from referencing.exceptions import Unresolvable

_NOWHERE: Registry[Any] = Registry()
_WRONG_ITSELF = (SchemaError, UnknownType, UndefinedTypeCheck, Unresolvable, BadPattern)
_Draft = type[jsonschema.Draft7Validator] | type[jsonschema.Draft202012Validator]


def misfit(
    schema: Mapping[str, Any], value: object, draft: _Draft, *, formats: bool = False
) -> tuple[str, str] | None:
    """Where and how a value does not fit; None when it does, or when the schema is wrong itself.

    The system will judge then: nothing is held back because of what can't be read here. `formats` looks at
    dates and the like too.
    """
    known = dict(schema)
    checker = draft.FORMAT_CHECKER if formats else None
    try:
        draft.check_schema(known)
        validator = draft(known, format_checker=checker, registry=_NOWHERE)
        found = next(iter(validator.iter_errors(value)), None)
    except (*_WRONG_ITSELF, RecursionError):
        return None
    if found is None:
        return None
    return ".".join(str(part) for part in found.absolute_path), found.message
