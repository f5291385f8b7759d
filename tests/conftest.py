"""What holds for every test: no network, no settings from outside, a clock that stands still."""

import logging
import os
import sys
from collections.abc import Generator

import hypothesis
import pytest
import structlog

from tests.clock import FakeClock
from tests.databases import postgres, url  # noqa: F401 - fixtures for every folder

LOOPBACK = ["127.0.0.1", "::1", "localhost"]
MAY_USE_LOOPBACK = ("loopback", "live", "bench")

hypothesis.settings.register_profile("house", deadline=None)  # a busy machine is not a defect
hypothesis.settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-skips", action="store_true", help="a skipped test is a failed one (CI has everything)"
    )


def pytest_itemcollected(item: pytest.Item) -> None:
    """Sockets: none, except this machine's loopback for the tests that are marked for it."""
    if any(item.get_closest_marker(name) for name in MAY_USE_LOOPBACK):
        item.add_marker(pytest.mark.allow_hosts(LOOPBACK))
    else:
        item.add_marker(pytest.mark.disable_socket)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and item.config.getoption("--no-skips"):
        report.outcome = "failed"
        report.longrepr = f"skipped, and nothing may be skipped here: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if report.skipped and collector.config.getoption("--no-skips"):
        report.outcome = "failed"
        report.longrepr = f"skipped, and nothing may be skipped here: {report.longrepr}"
    return report


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [n for n in os.environ if n.startswith("DW_")]:  # noqa: TID251 - to empty it
        monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Generator[None]:
    root, hook = logging.getLogger(), sys.excepthook
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], sys.excepthook = handlers, hook
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()
