"""Every actuator through the same ends of a start: surely begun, surely not, or open; never twice, never without a yes."""

import httpx
import pytest

from connectors.base import Actuator
from connectors.catalogue import _ACTUATORS
from connectors.errors import (
    Broken,
    ConnectorError,
    Final,
    Forbidden,
    NotFound,
    Rejected,
    TooSlow,
    Transient,
    Unreachable,
)
from policies.run import Run, RunState
from tests.building import NOW, a_plan, approved
from tests.connectors.contract.doers import DOERS, SECRET, Between, Doer

KEY = "DW-7:rollups:0123456789ab"
every = pytest.mark.parametrize("doer", DOERS.values(), ids=list(DOERS))


class Stopped(Exception):
    """Somebody pressed stop."""


async def start(doer: Doer, actuator: Actuator) -> Run:
    return await actuator.act(doer.step, approved(a_plan(doer.step)), key=KEY, now=NOW)


def between(doer: Doer) -> tuple[Between, Actuator]:
    wire = Between(doer.server()[0])
    return wire, doer.build(wire)


def lost(error: Exception) -> object:
    def after(_: httpx.Response) -> httpx.Response:
        raise error

    return after


def test_a_kind_of_actuator_that_is_not_in_the_table_is_missing_here() -> None:
    assert {row.kind for row in DOERS.values()} == set(_ACTUATORS)


SPOILT = {
    "lost in a time-out": lost(httpx.ReadTimeout("x")),
    "lost with the connection": lost(httpx.ReadError("x")),
    "broken off": lost(httpx.RemoteProtocolError("x")),
    "a gateway that gave up": lambda _: httpx.Response(504),
    "a gateway without an answer": lambda _: httpx.Response(502),
    "a fault of its own": lambda _: httpx.Response(500, text="<html>"),
    "a login page": lambda _: httpx.Response(200, html="<html>"),
    "an empty object": lambda _: httpx.Response(200, json={}),
    "null": lambda _: httpx.Response(200, json=None),
    "data of another shape": lambda _: httpx.Response(200, json={"data": {"launchRun": [7]}}),
    "cut off": lambda _: httpx.Response(201, text='{"id": "1'),
    "packed badly": lambda _: httpx.Response(
        200, headers={"content-encoding": "gzip"}, stream=httpx.ByteStream(b"no gzip")
    ),
    "too long": lambda _: httpx.Response(200, text=" " * 400_000),
}


@every
@pytest.mark.parametrize("name", SPOILT)
async def test_a_start_whose_answer_is_lost_is_open_then_found_and_never_sent_again(
    doer: Doer, name: str
) -> None:
    wire, actuator = between(doer)
    wire.after = SPOILT[name]  # type: ignore[assignment]
    with pytest.raises(Transient) as caught:
        await start(doer, actuator)
    assert isinstance(caught.value, TooSlow | Broken)
    found = await actuator.find(KEY, doer.step)
    assert found is not None
    assert (await start(doer, actuator)).id == found.id
    assert len(wire.starts) == 1


@every
@pytest.mark.parametrize(
    ("status", "error"),
    [
        (302, Forbidden),
        (308, NotFound),
        (400, Rejected),
        (401, Forbidden),
        (403, Forbidden),
        (404, NotFound),
        (405, NotFound),
        (422, Rejected),
    ],
)
async def test_what_is_refused_before_it_was_taken_is_a_sure_no(
    doer: Doer, status: int, error: type[ConnectorError]
) -> None:
    wire, actuator = between(doer)
    wire.before = lambda _: httpx.Response(status, json={"detail": f"no, for {SECRET}"})
    with pytest.raises(error, match=r"Nothing was started\.$") as caught:
        await start(doer, actuator)
    assert isinstance(caught.value, Final)
    assert SECRET not in str(caught.value)
    assert await actuator.find(KEY, doer.step) is None
    assert len(wire.starts) == 1


@every
async def test_one_who_asks_to_wait_took_nothing(doer: Doer) -> None:
    wire, actuator = between(doer)
    wire.before = lambda _: httpx.Response(429, headers={"retry-after": "17"})
    with pytest.raises(Unreachable, match="wait 17 s; nothing was started"):
        await start(doer, actuator)
    assert len(wire.starts) == 1


@every
@pytest.mark.parametrize("status", [500, 502, 503, 504, 408])
async def test_a_fault_leaves_a_start_open_also_when_nothing_came_of_it(
    doer: Doer, status: int
) -> None:
    wire, actuator = between(doer)
    wire.before = lambda _: httpx.Response(status, text="<html>")
    with pytest.raises((Broken, TooSlow)):
        await start(doer, actuator)
    assert await actuator.find(KEY, doer.step) is None
    assert len(wire.starts) == 1


@every
async def test_a_run_of_ours_that_has_ended_is_taken_as_it_is(doer: Doer) -> None:
    server, kept = doer.server()
    actuator = doer.build(wire := Between(server))
    first = await start(doer, actuator)
    for run in kept():
        run.update(doer.ended)
    again = await start(doer, actuator)
    assert (again.id, again.state) == (first.id, RunState.SUCCEEDED)
    assert len(wire.starts) == 1


@every
@pytest.mark.parametrize(
    "trouble", [401, 403, 500, 503, 429, 200, httpx.ReadTimeout("x"), httpx.ConnectError("x")]
)
async def test_where_it_can_not_be_looked_up_nothing_is_sent(
    doer: Doer, trouble: int | Exception
) -> None:
    def looks(_: httpx.Request) -> httpx.Response:
        if isinstance(trouble, Exception):
            raise trouble
        return httpx.Response(trouble, html="<html>")

    wire, actuator = between(doer)
    wire.looks = looks
    with pytest.raises(ConnectorError) as caught:
        await start(doer, actuator)
    assert isinstance(caught.value, Unreachable | Final)
    with pytest.raises(ConnectorError):
        await actuator.find(KEY, doer.step)
    assert wire.starts == []


@every
async def test_a_stop_that_comes_last_keeps_it_from_being_sent(doer: Doer) -> None:
    async def hold() -> None:
        raise Stopped

    wire, actuator = between(doer)
    yes = approved(a_plan(doer.step))
    with pytest.raises(Stopped):
        await actuator.act(doer.step, yes, key=KEY, now=NOW, hold=hold)
    assert wire.starts == []


@every
async def test_nothing_but_looks_and_the_one_start_is_ever_sent(doer: Doer) -> None:
    wire, actuator = between(doer)
    await start(doer, actuator)
    assert {request.method for request in wire.asked} <= {"GET", "POST"}
    assert len(wire.starts) == 1
    assert {request.url.host for request in wire.asked} == {wire.starts[0].url.host}
