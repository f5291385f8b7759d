"""Whatever stands anywhere in dw.yml: it is read, or its mistakes are told. Nothing else happens."""

from collections.abc import Iterator
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from bot.settings import ConfigError, read_rules
from policies.rules import Rules
from tests.bot.settings.typos import GOOD

DATA = yaml.safe_load(GOOD)
KEYS = ("connection", "within", "who", "jobs", "checks", "target", "<<", "token", "connections")
plain = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12)
)
anything = st.recursive(
    plain,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(item, (*path, key))


def edited(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = value.copy()
    copy[path[0]] = edited(value[path[0]], path[1:], new)
    return copy


def told(text: str) -> Rules | ConfigError:
    try:
        return read_rules(text)
    except ConfigError as error:
        return error


@given(st.sampled_from(sorted(places(DATA), key=str)), anything)
def test_a_wrong_value_anywhere_is_told_or_read(path: tuple[Any, ...], new: Any) -> None:
    found = told(yaml.safe_dump(edited(DATA, path, new), allow_unicode=True))
    if isinstance(found, ConfigError):
        assert found.lines
        assert all(line.startswith("dw.yml:") and " → " in line for line in found.lines)


@given(st.integers(0, len(GOOD)), st.text(max_size=4), st.integers(0, 30))
def test_a_slip_of_the_finger_anywhere_is_told_or_read(at: int, typed: str, lost: int) -> None:
    found = told(GOOD[:at] + typed + GOOD[at + lost :])
    assert isinstance(found, Rules) or found.lines
