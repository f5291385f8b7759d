"""The log: one event a line, and never a secret in it, whoever wrote it and however it was wrapped."""

import io
import json
import logging
import sys
from typing import Any
from urllib.parse import quote

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from bot.log import MASK, Redactor, about, configure

PLANTED = 'hunter2/"\\ü+secret'
words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]))
secrets = st.text(st.characters(min_codepoint=33, max_codepoint=0x17F), min_size=6).filter(
    lambda s: MASK not in s and s not in MASK and s not in "https://dw:@example.com/?next="
)


@pytest.fixture
def lines() -> io.StringIO:
    stream = io.StringIO()
    configure("json", redactor=Redactor([PLANTED]), stream=stream)
    return stream


def read(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


@given(before=words, secret=secrets, after=words)
def test_no_known_secret_survives(before: str, secret: str, after: str) -> None:
    shown = Redactor([secret]).text(before + secret + after)
    assert secret not in shown


@given(secret=secrets)
def test_no_known_secret_survives_being_wrapped(secret: str) -> None:
    mask = Redactor([secret])
    wrapped = {
        "url": f"https://dw:{quote(secret, safe='')}@example.com/?next={quote(secret)}",
        "error": ValueError({"password": secret}),
        "nested": [{"deep": (secret, {secret: 1})}, json.dumps({"a": secret})],
    }
    shown = json.dumps(mask.value(wrapped), ensure_ascii=False)
    for form in (secret, quote(secret, safe=""), json.dumps(secret)[1:-1], repr(secret)[1:-1]):
        assert form not in shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("token xoxb-1-2-abc is bad", f"token {MASK} is bad"),
        ("XAPP-1-A0-9-f00", MASK),
        ("Authorization: Bearer abc.def-123", f"Authorization: Bearer {MASK}"),
        ("postgresql://dw:pa55@db/x", f"postgresql://dw:{MASK}@db/x"),
        ("host=db password=pa55 user=dw", f"host=db password={MASK} user=dw"),
        ('{"api_key": "abc"}', f'{{"api_key": "{MASK}"}}'),
        ("https://hooks.slack.com/actions/T0/1/x", f"https://hooks.slack.com/{MASK}"),
        ("https://example.com:8080/a@b", "https://example.com:8080/a@b"),
        ("the token: expired", "the token: expired"),
    ],
)
def test_what_looks_like_a_secret_is_masked_too(text: str, shown: str) -> None:
    assert Redactor().text(text) == shown


def test_a_line_has_its_event_and_the_incident_it_is_about(lines: io.StringIO) -> None:
    with about(incident="DW-17"):
        structlog.get_logger("bot.worker").info("step_started", step="s1", run=17)
    structlog.get_logger("bot.worker").info("idle")
    first, second = read(lines)
    assert (first["event"], first["incident"], first["run"]) == ("step_started", "DW-17", 17)
    assert first["level"] == "info"
    assert first["timestamp"].endswith("Z")
    assert "incident" not in second


def test_what_libraries_log_goes_the_same_way(lines: io.StringIO) -> None:
    logging.getLogger("some.library").warning("retrying %s", PLANTED, extra={"header": PLANTED})
    (line,) = read(lines)
    assert line["event"] == f"retrying {MASK}"
    assert (line["logger"], line["header"]) == ("some.library", MASK)


def test_chatty_libraries_are_quiet_below_a_warning(lines: io.StringIO) -> None:
    bolt = logging.getLogger("slack_bolt.AsyncApp")
    bolt.setLevel(logging.DEBUG)
    bolt.info("A new session has been established")
    logging.getLogger("httpx").info("HTTP Request: GET https://example.com")
    logging.getLogger("some.library").debug("detail")
    assert lines.getvalue() == ""
    bolt.warning("The session was lost")
    assert read(lines)[0]["event"] == "The session was lost"


def test_a_secret_in_a_traceback_is_masked(lines: io.StringIO) -> None:
    try:
        {}[PLANTED]
    except KeyError:
        structlog.get_logger("dw").exception("probe_failed")
    (line,) = read(lines)
    assert "Traceback" in line["exception"]
    assert "hunter2" not in lines.getvalue()


def test_a_crash_is_a_line_too_and_shows_no_secret(lines: io.StringIO) -> None:
    error = RuntimeError(f"bad {PLANTED}")
    sys.excepthook(RuntimeError, error, None)
    (line,) = read(lines)
    assert line["event"] == "crashed"
    assert "hunter2" not in lines.getvalue()


def test_the_console_form_is_for_eyes_and_masks_as_well(lines: io.StringIO) -> None:
    stream = io.StringIO()
    configure("console", redactor=Redactor([PLANTED]), stream=stream)
    structlog.get_logger("dw.console").info("ready", url=f"https://{PLANTED}")
    assert "ready" in stream.getvalue()
    assert "hunter2" not in stream.getvalue()
