"""Facts and commands to JSON and back, by class name.

Both are frozen dataclasses, so their fields are the format: a field that is added needs a default,
or the rows of yesterday can't be read any more. Class names are part of the format too.
"""

from functools import cache
from typing import Any, cast, get_args

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from bot.commands import Stored
from bot.store.errors import Unreadable
from policies.events import Event

EVENTS: dict[str, Any] = {kind.__name__: kind for kind in get_args(Event)}
COMMANDS: dict[str, Any] = {kind.__name__: kind for kind in get_args(Stored)}
_KINDS = EVENTS | COMMANDS


def encode(fact: Event | Stored) -> tuple[str, Any]:
    """The class name and plain JSON. TypeError when a field does not hold what its type says."""
    name = type(fact).__name__
    try:
        return name, _adapter(name).dump_python(fact, mode="json", warnings="error")
    except PydanticSerializationError as error:
        raise TypeError(f"{name} can't be stored. Nothing was: {error}") from error


def decode_event(name: str, body: Any) -> Event:
    """The fact; `Unreadable` for a name or a body that this version does not know."""
    return cast(Event, _decode(EVENTS, name, body))


def decode_command(name: str, body: Any) -> Stored:
    """The command; `Unreadable` for a name or a body that this version does not know."""
    return cast(Stored, _decode(COMMANDS, name, body))


def _decode(known: dict[str, Any], name: str, body: Any) -> Any:
    if name not in known:
        raise Unreadable(
            f"The database holds a {name!r}, which this version does not know. Nothing was changed. "
            "Run the version that wrote it, or a newer one."
        )
    try:
        return _adapter(name).validate_python(body)
    except ValidationError as error:
        raise Unreadable(
            f"The database holds a {name} that this version can't read. Nothing was changed. "
            f"Run the version that wrote it, or restore a backup: {error}"
        ) from error


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    return TypeAdapter(_KINDS[name])
