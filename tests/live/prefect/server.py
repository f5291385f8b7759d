"""A real Prefect server with a login, and a runner that serves two flows, on a free loopback port.

The first start writes an empty database, which takes longer than all else: it is kept for the next time.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.postgres_server import free_port

BIN = Path(__file__).parents[3] / ".venv-prefect" / "bin"
FLOWS = Path(__file__).parent / "flows.py"
LOGIN = "dw:planted-secret"
EMPTY = BIN.parent / "empty.db"
_AUTH = ("dw", "planted-secret")


@dataclass(frozen=True, kw_only=True, slots=True)
class Prefect:
    """`url` is the base of the server; `ask` sends what neither reader nor actuator may."""

    url: str
    client: httpx.Client

    def ask(self, method: str, path: str, **body: object) -> dict:
        sent = None if method == "GET" else body
        answer = self.client.request(method, path, json=sent)
        while answer.status_code == httpx.codes.SERVICE_UNAVAILABLE:  # SQLite was locked
            time.sleep(0.2)
            answer = self.client.request(method, path, json=sent)
        answer.raise_for_status()
        return answer.json() if answer.content else {}


@contextmanager
def running(home: Path) -> Iterator[Prefect]:
    """All of it for as long as the block lasts; ends only what it started."""
    if EMPTY.exists():
        shutil.copy(EMPTY, home / "prefect.db")
    else:
        _keep_empty(home)
    port = free_port()
    url, env = f"http://127.0.0.1:{port}", _env(home, port)
    words = ("server", "start", "--host", "127.0.0.1", "--port", str(port), "--no-ui")
    with ExitStack() as stack:
        stack.enter_context(_process(home, env, BIN / "prefect", *words))
        client = stack.enter_context(
            httpx.Client(base_url=f"{url}/api", auth=_AUTH, timeout=30, trust_env=False)
        )
        _wait("the server", lambda: _answers(client, "/admin/version"))
        stack.enter_context(_process(home, env, BIN / "python", FLOWS))
        _wait("the runner", lambda: _answers(client, "/deployments/name/checks-itself/prod"))
        yield Prefect(url=url, client=client)


def _keep_empty(home: Path) -> None:
    line = [BIN / "prefect", "server", "database", "upgrade", "-y"]
    subprocess.run(line, env=_env(home, 0), check=True, capture_output=True)  # noqa: S603 - our own words
    shutil.copy(home / "prefect.db", EMPTY)


def _env(home: Path, port: int) -> dict[str, str]:
    return {
        "PATH": f"{BIN}:/usr/bin:/bin",
        "HOME": str(home),
        "PREFECT_HOME": str(home),
        "PREFECT_API_URL": f"http://127.0.0.1:{port}/api",
        "PREFECT_API_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{home}/prefect.db",
        "PREFECT_SERVER_API_AUTH_STRING": LOGIN,
        "PREFECT_API_AUTH_STRING": LOGIN,
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_SERVER_UI_ENABLED": "false",
        "PREFECT_SERVER_SERVICES_LATE_RUNS_AFTER_SECONDS": "1",
        "PREFECT_SERVER_SERVICES_LATE_RUNS_LOOP_SECONDS": "1",
        "PREFECT_RUNNER_POLL_FREQUENCY": "1",
        "PREFECT_LOGGING_LEVEL": "WARNING",
        "DO_NOT_TRACK": "1",
    }


@contextmanager
def _process(home: Path, env: dict[str, str], *words: str | Path) -> Iterator[None]:
    """A process in a group of its own, so that the runs it starts end with it."""
    with (home / "prefect.log").open("ab") as log:
        started = subprocess.Popen(  # noqa: S603 - our own words
            [*words], env=env, cwd=FLOWS.parent, stdout=log, stderr=log, start_new_session=True
        )
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


def _answers(client: httpx.Client, path: str) -> bool:
    try:
        return client.get(path).is_success
    except httpx.HTTPError:
        return False
