"""Real Dagster on free loopback ports: code server, webserver, a read-only one, and the daemon."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.postgres_server import free_port

BIN = Path(__file__).parents[3] / ".venv-dagster" / "bin"
PROJECT = Path(__file__).parent / "project.py"
_DAGSTER_YAML = """
telemetry: {enabled: false}
run_retries: {enabled: true, max_retries: 0}
run_coordinator:
  module: dagster.core.run_coordinator
  class: QueuedRunCoordinator
  config: {dequeue_interval_seconds: 1, dequeue_use_threads: true, dequeue_num_workers: 4}
"""
_READY = "{ repositoriesOrError { ... on RepositoryConnection { nodes { jobs { name } } } } }"


@dataclass(frozen=True, kw_only=True, slots=True)
class Dagster:
    """Base URLs. `read_only` also lists a code location that is down."""

    url: str
    read_only: str
    home: Path


@contextmanager
def running(home: Path) -> Iterator[Dagster]:
    """All of it for as long as the block lasts; ends only what it started."""
    (home / "dagster.yaml").write_text(_DAGSTER_YAML)
    # One process makes the databases; several at once on a fresh home would race.
    first = [BIN / "dagster", "instance", "info"]
    subprocess.run(first, env=_env(home), check=True, capture_output=True)  # noqa: S603 - our own words
    code, web, read_only = free_port(), free_port(), free_port()
    alive, half_dead = _workspaces(home, code)
    with ExitStack() as stack:

        def start(name: str, *words: str | Path) -> None:
            stack.enter_context(_process(home, name, *words))

        start("dagster", "api", "grpc", "-f", PROJECT, "-h", "127.0.0.1", "-p", str(code))
        _wait("the code server", lambda: _listens(code))  # who asks too early remembers the failure
        start("dagster-webserver", "-h", "127.0.0.1", "-p", str(web), "-w", alive)
        words = ("--read-only", "-h", "127.0.0.1", "-p", str(read_only), "-w", half_dead)
        start("dagster-webserver", *words)
        start("dagster-daemon", "run", "-w", alive)
        urls = [f"http://127.0.0.1:{port}" for port in (web, read_only)]
        for url in urls:
            _wait(url, lambda url=url: _shows_jobs(url))
        yield Dagster(url=urls[0], read_only=urls[1], home=home)


def _workspaces(home: Path, code: int) -> tuple[Path, Path]:
    line = "  - grpc_server: {{host: 127.0.0.1, port: {0}, location_name: {1}}}\n"
    alive, half_dead = home / "workspace.yaml", home / "half_dead.yaml"
    alive.write_text("load_from:\n" + line.format(code, "growth"))
    half_dead.write_text(alive.read_text() + line.format(free_port(), "finance"))
    return alive, half_dead


def _env(home: Path) -> dict[str, str]:
    return {"DAGSTER_HOME": str(home), "DAGSTER_DISABLE_TELEMETRY": "1", "PATH": str(BIN)}


@contextmanager
def _process(home: Path, name: str, *words: str | Path) -> Iterator[None]:
    """A process in a group of its own, so that the runs it starts end with it.

    The code server sits out a polite signal for 20 s and holds no state, so the signal is not polite.
    """
    with (home / f"{name}.log").open("ab") as log:
        line, env = [BIN / name, *words], _env(home)
        started = subprocess.Popen(line, env=env, stdout=log, stderr=log, start_new_session=True)  # noqa: S603 - our own words
        try:
            yield
        finally:
            os.killpg(started.pid, signal.SIGKILL)
            started.wait()


def _wait(what: str, ready: Callable[[], bool], seconds: float = 100) -> None:
    deadline = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > deadline:
            msg = f"{what} is not ready after {seconds:g} s"
            raise TimeoutError(msg)
        time.sleep(0.2)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _shows_jobs(url: str) -> bool:
    """`/health` is a page that always says 200; what counts is whether jobs are shown."""
    try:
        answer = httpx.post(f"{url}/graphql", json={"query": _READY}, timeout=5, trust_env=False)
    except httpx.HTTPError:
        return False
    return "sessions_job" in answer.text
