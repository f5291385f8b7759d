"""Why no connection could be made is said in words, and never in those of a library."""

import re
import socket
import ssl

import httpx
import pytest

from connectors.connecting import why_not
from connectors.http_faults import fault_of


def behind(cause: BaseException) -> httpx.ConnectError:
    """As the library wraps it: several layers."""
    middle = OSError("planted-secret")
    middle.__cause__ = cause
    outer = httpx.ConnectError("planted-secret")
    outer.__cause__ = middle
    return outer


def refused(code: int) -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "planted-secret")
    error.verify_code = code
    return error


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (refused(10), "has expired"),
        (refused(18), "signed by itself.*SSL_CERT_FILE"),
        (refused(20), "nobody this machine trusts.*SSL_CERT_FILE"),
        (refused(62), "for another host"),
        (refused(99), "nobody this machine trusts"),
        (ssl.SSLError(1, "planted-secret"), "no TLS connection"),
        (socket.gaierror(-2, "planted-secret"), "host name is not known"),
        (ConnectionRefusedError(111, "planted-secret"), "nobody listens there"),
        (ExceptionGroup("x", [ConnectionRefusedError(111, "x")]), "nobody listens there"),
        (OSError(113, "planted-secret"), "no connection could be made.*Check the address"),
    ],
)
def test_each_cause_has_words_of_its_own(cause: BaseException, words: str) -> None:
    text = str(fault_of(behind(cause), "dagster"))
    assert "nothing was sent" in text
    assert "planted" not in text
    assert re.search(words, text)


def test_what_has_no_cause_and_what_goes_round_in_circles_says_nothing() -> None:
    assert why_not(httpx.ConnectError("x")) is None
    first, second = OSError("a"), OSError("b")
    first.__cause__, second.__cause__ = second, first
    assert why_not(first) is None
