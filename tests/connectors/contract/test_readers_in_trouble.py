"""Every reader through the same troubles: a named error in words, never an empty success, never a bare exception."""

import logging
import re

import httpx
import pytest

from connectors.errors import ConnectorError, Throttled
from connectors.http import Patience
from tests.connectors.contract.readers import HURRIED, KINDS, SECRET, Ask, Kind
from tests.connectors.contract.troubles import HOSTILE, TROUBLES, Trouble

every = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
#: what did not happen, and what to do now: each error says both, whatever else it says
DID_NOT = re.compile(r"nothing (is|was|of it was)\b|and was not|outcome is unknown", re.I)
DO_NOW = re.compile(
    r"\b(check|write|look|have it|report|ask for|will be tried again|is (looked up|asked again)|"
    r"is it running|is the address right|give|mend|takes|needs|see)\b",
    re.I,
)


class Everything(httpx.AsyncBaseTransport):
    """Answers all alike, and remembers what was asked of whom."""

    def __init__(self, trouble: Trouble) -> None:
        self._trouble = trouble
        self.asked: list[httpx.Request] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        self.asked.append(request)
        return self._trouble.given(request)


async def problem_of(
    kind: Kind, ask: Ask, wire: httpx.AsyncBaseTransport, patience: Patience = HURRIED
) -> object:
    """What came of it: the error in the house's words, or else whatever came."""
    reader = kind.reader(wire, patience)
    try:
        return await ask(reader)
    except ConnectorError as problem:
        return problem
    except Exception as bare:  # noqa: BLE001 - the point: nothing but the house's own errors may come
        return f"a bare {bare!r}"
    finally:
        await reader.close()


async def problems(kind: Kind, trouble: Trouble) -> dict[str, object]:
    return {
        name: await problem_of(kind, ask, Everything(trouble)) for name, ask in kind.asks().items()
    }


def fits(trouble: Trouble, found: object) -> bool:
    text = str(found)
    words = (re.compile(trouble.words), DID_NOT, DO_NOW)
    return (
        isinstance(found, trouble.errors)
        and text.startswith("it: ")
        and all(each.search(text) for each in words)
    )


@every
@pytest.mark.parametrize("name", TROUBLES)
async def test_each_trouble_is_told_in_words_whatever_was_asked(kind: Kind, name: str) -> None:
    found = await problems(kind, TROUBLES[name])
    assert [(ask, str(got)) for ask, got in found.items() if not fits(TROUBLES[name], got)] == []


@every
@pytest.mark.parametrize(("said", "seconds"), [("17", 17), ("999999", 900), ("soon", 1)])
async def test_how_long_it_asks_to_wait_is_kept_and_bounded(
    kind: Kind, said: str, seconds: float
) -> None:
    trouble = Trouble(
        answer=lambda _: httpx.Response(429, headers={"retry-after": said}),
        errors=(Throttled,),
        words="asks to wait",
    )
    for found in (await problems(kind, trouble)).values():
        assert isinstance(found, Throttled)
        assert found.retry_after == seconds


@every
async def test_nothing_is_asked_again_and_again(kind: Kind) -> None:
    """Twice after a hiccup is what this patience says (of an Airflow, at two addresses); one who asks to wait, once."""
    twice = 4 if kind.kind == "airflow" else 2
    for name, most in (("nobody there", 2), ("a fault of its own", twice), ("rate limited", 1)):
        for ask in kind.asks().values():
            wire = Everything(TROUBLES[name])
            await problem_of(kind, ask, wire)
            assert 1 <= len(wire.asked) <= most


@every
@pytest.mark.parametrize("name", ["moved", "sent to another host"])
async def test_a_token_is_never_carried_to_another_host(kind: Kind, name: str) -> None:
    for ask in kind.asks().values():
        wire = Everything(TROUBLES[name])
        await problem_of(kind, ask, wire)
        assert {request.url.host for request in wire.asked} == {httpx.URL(kind.url).host}


def echoing(request: httpx.Request, status: int) -> httpx.Response:
    """As proxies and debug pages do: everything that was sent, in every place where words are looked for."""
    sent = "; ".join(f"{name}: {value}" for name, value in request.headers.items())
    told = f"it was sent {sent} and the key planted-secret"
    fields = ("detail", "title", "message", "exception_message", "error")
    errors = {"errors": [{"message": told}], "status": {"user_message": told, "is_success": False}}
    return httpx.Response(status, json={**dict.fromkeys(fields, told), **errors, "data": None})


@every
@pytest.mark.parametrize("status", [200, 400, 401, 403, 404, 409, 422, 429, 500, 503])
async def test_a_secret_that_comes_back_is_shown_nowhere(
    kind: Kind, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    trouble = Trouble(
        answer=lambda request: echoing(request, status), errors=(ConnectorError,), words=""
    )
    for found in (await problems(kind, trouble)).values():
        assert isinstance(found, ConnectorError) or status == 404  # that there is none is an answer
        shown = f"{found} {getattr(found, '__cause__', None)!r} {caplog.text}"
        assert SECRET not in shown
        assert "cGxhbnRlZC1zZWNyZXQ" not in shown  # the same in base 64


@every
@pytest.mark.parametrize("status", [400, 404, 422, 500])
async def test_hostile_words_are_short_and_plain(kind: Kind, status: int) -> None:
    fields = ("detail", "title", "message", "exception_message")
    errors = {
        "errors": [{"message": HOSTILE}],
        "status": {"user_message": HOSTILE, "is_success": False},
    }
    told = {**dict.fromkeys(fields, HOSTILE), **errors}
    trouble = Trouble(
        answer=lambda _: httpx.Response(status, json=told), errors=(ConnectorError,), words=""
    )
    for found in (await problems(kind, trouble)).values():
        assert isinstance(found, ConnectorError) or status == 404
        text = str(found)
        assert len(text) < 1200
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", text)
