"""Every fact and every command comes back from its JSON as it went in."""

import json
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.store.codec import COMMANDS, EVENTS, decode_command, decode_event, encode
from bot.store.errors import Unreadable
from policies.evidence import Json
from tests.bot.store.builders import opened

TEXT = st.text(st.characters(), max_size=5)  # surrogates and NUL too: alert text is data
KEY = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)  # `connectors.base` sees to it
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEY, inner, max_size=2),
    max_leaves=3,
)
PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    str: TEXT,
    int: st.integers(),
    bool: st.booleans(),
    float: st.floats(allow_nan=False),
    type(None): st.none(),
    Json: JSON,
    datetime: st.datetimes(timezones=st.just(UTC)),
}


def anything(kind: Any) -> st.SearchStrategy[Any]:
    """Values of a type as the domain writes them: every field filled, the optional ones too."""
    origin, words = get_origin(kind), get_args(kind)
    if kind in PLAIN:
        return PLAIN[kind]
    if origin is Literal:
        return st.sampled_from(words)
    if origin in (Union, UnionType):
        return st.one_of(*map(anything, words))
    if origin is tuple:
        if words[-1] is Ellipsis:
            return st.lists(anything(words[0]), max_size=2).map(tuple)
        return st.tuples(*map(anything, words))
    if origin is not None:
        return st.dictionaries(KEY, anything(words[1]), max_size=2)
    if issubclass(kind, Enum):
        return st.sampled_from(kind)
    assert is_dataclass(kind), kind
    hints = get_type_hints(kind)
    parts = {
        field.name: st.deferred(lambda h=hints[field.name]: anything(h)) for field in fields(kind)
    }
    return st.builds(kind, **parts)


def through_text(body: Any) -> Any:
    return json.loads(json.dumps(body))


quick = settings(max_examples=10, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("name", EVENTS)
@quick
@given(data=st.data())
def test_every_event_comes_back(name: str, data: st.DataObject) -> None:
    event = data.draw(anything(EVENTS[name]))
    said, body = encode(event)
    assert said == name
    assert decode_event(said, through_text(body)) == event


@pytest.mark.parametrize("name", COMMANDS)
@quick
@given(data=st.data())
def test_every_command_comes_back(name: str, data: st.DataObject) -> None:
    command = data.draw(anything(COMMANDS[name]))
    assert decode_command(name, through_text(encode(command)[1])) == command


def test_events_and_commands_share_no_name() -> None:
    assert not EVENTS.keys() & COMMANDS.keys()


def test_an_unknown_name_is_refused_with_a_way_out() -> None:
    with pytest.raises(Unreadable, match="'Vanished', which this version does not know"):
        decode_event("Vanished", {})
    with pytest.raises(Unreadable, match="newer one"):
        decode_command("IncidentOpened", encode(opened())[1])


def test_a_body_that_does_not_fit_is_refused_with_a_way_out() -> None:
    with pytest.raises(Unreadable, match="restore a backup"):
        decode_event("IncidentOpened", {"alert": None})


def test_a_field_that_was_added_with_a_default_reads_rows_of_yesterday() -> None:
    name, body = encode(opened())
    del body["alert"]["extra"]
    assert decode_event(name, body) == opened()
