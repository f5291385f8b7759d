"""Real Airflow 2 and 3 on free loopback ports, each from an environment of its own, on one PostgreSQL.

SQLite would do for Airflow 2; the API of Airflow 3 hangs on it when two write at once. The first start ever
makes a database (schema, users, DAGs) that later ones copy.
"""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import httpx

from tests import postgres_server as pg
from tests.postgres_server import free_port

ROOT = Path(__file__).parents[3]
HERE = Path(__file__).parent
DAGS = HERE / "dags"
SNIPPETS = ROOT / "docs" / "connections"
HOOK_SECRET = "planted-secret-of-a-hook"
Major = Literal[2, 3]
_WEB2 = "gunicorn -k sync -w 2 -t 120 -b 127.0.0.1:{port} airflow.www.app:cached_app()"
_WEB3 = "airflow api-server --workers 1 --host 127.0.0.1 --port {port}"
_HEALTH = {2: "/api/v1/health", 3: "/api/v2/monitor/health"}
_PARTS = {2: ("metadatabase", "scheduler"), 3: ("metadatabase", "scheduler", "dag_processor")}
_BOTH = {
    "LOAD_EXAMPLES": "False",
    "DAGS_ARE_PAUSED_AT_CREATION": "False",
    "EXECUTOR": "LocalExecutor",
    "PARALLELISM": "4",
    "FERNET_KEY": "",
    "DAGS_FOLDER": str(DAGS),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Airflow:
    """A running server. Users' passwords are their names: admin, viewer, and on 2 reader and queuer."""

    url: str
    major: Major
    hook: int = 0
    """The port where its callbacks look for dw; most of the time nobody listens."""

    @property
    def api(self) -> str:
        """Its API."""
        return f"{self.url}/api/v{self.major - 1}"


def bin_of(major: Major) -> Path:
    """Where its programs are."""
    return ROOT / f".venv-airflow{major}" / "bin"


@contextmanager
def running(major: Major, home: Path, store: pg.Server) -> Iterator[Airflow]:
    """All of it for as long as the block lasts; ends only what it started."""
    port = free_port()
    address = f"postgresql+psycopg2://postgres@127.0.0.1:{store.port}/airflow{major}"
    hook = free_port()
    env = _env(major, home, port) | {
        "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": address,
        "DW_HOOK_URL": f"http://127.0.0.1:{hook}/hooks/airflow",
        "DW_HOOK_SECRET": HOOK_SECRET,
        "DW_ASTRO_HOOK_URL": f"http://127.0.0.1:{hook}/hooks/astro",
        "DW_ASTRO_HOOK_SECRET": HOOK_SECRET,
    }
    _database(major, store, env)
    if major == 2:
        config = next((bin_of(2).parent / "lib").glob("python3*")) / "site-packages/airflow"
        shutil.copy(
            config / "config_templates/default_webserver_config.py", home / "webserver_config.py"
        )
    with ExitStack() as stack:

        def start(line: str) -> None:
            stack.enter_context(_process(major, home, env, line))

        start((_WEB2 if major == 2 else _WEB3).format(port=port))
        if major == 3:
            start("airflow dag-processor")
        url = f"http://127.0.0.1:{port}"
        # a task that starts before the API answers fails and uses up a try
        _wait(f"Airflow {major}", lambda: bool(_health(major, url)))
        start("airflow scheduler")
        _wait(f"Airflow {major}'s scheduler", lambda: _healthy(major, url))
        yield Airflow(url=url, major=major, hook=hook)


def _env(major: Major, home: Path, port: int) -> dict[str, str]:
    sections = {
        "CORE": _BOTH,
        "DATABASE": {
            "LOAD_DEFAULT_CONNECTIONS": "False",
            "SQL_ALCHEMY_POOL_SIZE": "3",
            "SQL_ALCHEMY_MAX_OVERFLOW": "4",
        },
        "SCHEDULER": {"SCHEDULER_HEARTBEAT_SEC": "1", "JOB_HEARTBEAT_SEC": "1"},
        "LOGGING": {
            "WORKER_LOG_SERVER_PORT": str(free_port()),
            "TRIGGER_LOG_SERVER_PORT": str(free_port()),
        },
    }
    for name, more in (_two(home) if major == 2 else _three(home, port)).items():
        sections[name] = sections.get(name, {}) | more
    env = {f"AIRFLOW__{s}__{k}": v for s, keys in sections.items() for k, v in keys.items()}
    return env | {
        "AIRFLOW_HOME": str(home),
        "PATH": f"{bin_of(major)}:/usr/bin:/bin",
        "HOME": str(home),
        "PYTHONPATH": f"{DAGS}:{SNIPPETS}",
        "PYTHONWARNINGS": "ignore",
        "SCARF_ANALYTICS": "false",
        "NO_PROXY": "*",
    }


def _two(home: Path) -> dict[str, dict[str, str]]:
    return {
        "API": {"AUTH_BACKENDS": "airflow.providers.fab.auth_manager.api.auth.backend.basic_auth"},
        "WEBSERVER": {
            "SECRET_KEY": "planted",
            "CONFIG_FILE": f"{home}/webserver_config.py",
        },
        "SCHEDULER": {
            "MIN_FILE_PROCESS_INTERVAL": "20",
            "DAG_DIR_LIST_INTERVAL": "20",
            "ENABLE_HEALTH_CHECK": "False",
        },
        "USAGE_DATA_COLLECTION": {"ENABLED": "False"},
    }


def _three(home: Path, port: int) -> dict[str, dict[str, str]]:
    passwords = home / "passwords.json"
    passwords.write_text(json.dumps({"admin": "admin", "viewer": "viewer"}))
    url = f"http://127.0.0.1:{port}"
    return {
        "CORE": {
            "AUTH_MANAGER": "airflow.api_fastapi.auth.managers.simple.simple_auth_manager.SimpleAuthManager",
            "SIMPLE_AUTH_MANAGER_USERS": "admin:admin,viewer:viewer",
            "SIMPLE_AUTH_MANAGER_PASSWORDS_FILE": str(passwords),
            "EXECUTION_API_SERVER_URL": f"{url}/execution/",
        },
        "API": {"BASE_URL": url, "SECRET_KEY": "planted"},
        "API_AUTH": {"JWT_SECRET": "planted-" * 10},
        "DAG_PROCESSOR": {
            "MIN_FILE_PROCESS_INTERVAL": "20",
            "REFRESH_INTERVAL": "20",
            "PARSING_PROCESSES": "1",
        },
    }


def _database(major: Major, store: pg.Server, env: dict[str, str]) -> None:
    """Making one takes 15 s, copying it none: it is kept beside the environment it belongs to."""
    made_of = [*sorted(DAGS.glob("*.py")), HERE / "users.py", HERE / f"airflow{major}.lock"]
    mark = hashlib.sha256(b"".join(path.read_bytes() for path in made_of)).hexdigest()[:12]
    kept, name = bin_of(major).parent / f"fresh-{mark}.sql", f"airflow{major}"
    pg.sql(store, f"create database {name}")
    if kept.exists():
        _client(store, "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", kept, name)
        return
    users = [f"python {HERE / 'users.py'}"] if major == 2 else []
    for line in ("airflow db migrate", *users, "airflow dags reserialize"):
        _run(major, env, line)
    _client(store, "pg_dump", "-f", kept, name)


def _client(store: pg.Server, tool: str, *words: str | Path) -> None:
    where = ("-h", "127.0.0.1", "-p", str(store.port), "-U", "postgres")
    subprocess.run([pg.BIN / tool, *where, *words], check=True, capture_output=True)  # noqa: S603 - our own words


def _run(major: Major, env: dict[str, str], line: str) -> None:
    name, *words = line.split()
    subprocess.run(  # noqa: S603 - our own words
        [bin_of(major) / name, *words], env=env, check=True, capture_output=True
    )


@contextmanager
def _process(major: Major, home: Path, env: dict[str, str], line: str) -> Iterator[None]:
    """A process with all that it starts: some of it moves into groups of its own, and is ended by them."""
    name, *words = line.split()
    with (home / f"{name}-{words[0].strip('-')}.log").open("ab") as log:
        started = subprocess.Popen(  # noqa: S603 - our own words
            [bin_of(major) / name, *words],
            env=env,
            cwd=home,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            yield
        finally:
            for group in _groups(started.pid):
                with suppress(ProcessLookupError):
                    os.killpg(group, signal.SIGKILL)
            started.wait()


def _groups(pid: int) -> set[int]:
    """The process groups of a process and of everything below it."""
    told = subprocess.run(
        ["/bin/ps", "-eo", "pid=,ppid=,pgid="], check=True, capture_output=True, text=True
    )
    rows = [tuple(map(int, line.split())) for line in told.stdout.splitlines()]
    family = {pid}
    while more := {child for child, parent, _ in rows if parent in family} - family:
        family |= more
    return {group for member, _, group in rows if member in family}


def _wait(what: str, ready: Callable[[], bool], seconds: float = 150) -> None:
    deadline = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > deadline:
            msg = f"{what} is not ready after {seconds:g} s"
            raise TimeoutError(msg)
        time.sleep(0.3)


def _health(major: Major, url: str) -> dict[str, dict[str, str]]:
    try:
        answer = httpx.get(url + _HEALTH[major], timeout=5, trust_env=False)
        found: dict[str, dict[str, str]] = answer.json() if answer.is_success else {}
    except (httpx.HTTPError, ValueError):
        return {}
    return found


def _healthy(major: Major, url: str) -> bool:
    health = _health(major, url)
    return all(health.get(part, {}).get("status") == "healthy" for part in _PARTS[major])
