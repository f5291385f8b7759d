"""An answer of the wrong shape is an error with a name, or has no bearing on what was asked; never a crash of our own."""

import json

import pytest

from connectors.errors import ConnectorError
from tests.connectors.contract.readers import HURRIED, KINDS, Ask, Kind
from tests.connectors.contract.shapes import Change, Changing, changes

#: of some thousand changes to a conversation; raise it to look harder
MOST = 12
SPINE = [None, 7, "x", {}, [7]]


async def conversation(kind: Kind, ask: Ask) -> tuple[object, list[object]]:
    wire = Changing(kind.server())
    return await ask(kind.reader(wire)), wire.bodies


async def outcome(kind: Kind, ask: Ask, change: Change) -> object:
    reader = kind.reader(Changing(kind.server(), change), HURRIED)
    try:
        return await ask(reader)
    except ConnectorError as problem:
        return problem


every = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))


@every
async def test_one_odd_place_is_told_by_name_or_does_not_matter(kind: Kind) -> None:
    for name, ask in kind.asks().items():
        _, bodies = await conversation(kind, ask)
        for change in changes(bodies, MOST, name):
            try:
                found = await outcome(kind, ask, change)
            except Exception as bare:  # noqa: BLE001 - the point: no error of our own making
                pytest.fail(f"{name}: {bare!r} after {change}")
            if name in kind.questions and not isinstance(found, ConnectorError):
                json.dumps(found, allow_nan=False)


@every
@pytest.mark.parametrize("odd", SPINE, ids=repr)
async def test_an_answer_that_is_something_else_is_never_an_empty_success(
    kind: Kind, odd: object
) -> None:
    """The first answer after the version as a whole, and what an envelope holds."""
    for name, ask in kind.asks().items():
        well, bodies = await conversation(kind, ask)
        number = 1 if kind.kind == "airflow" and len(bodies) > 1 else 0
        for path in kind.spine(bodies[number]):
            found = await outcome(kind, ask, Change(number, path, odd))
            told = isinstance(found, ConnectorError) or found == well
            assert told or kind.endures.get(name, "\0") in str(found), (name, path, found)
