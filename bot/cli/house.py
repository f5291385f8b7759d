"""The rooms that the commands open, each only when it is needed; the tests hand in others.

`dw config check` must work on a laptop without database, Slack or orchestrator.
"""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

import click

from bot.clock import Clock, SystemClock
from bot.health import Finding
from bot.log import Redactor, configure
from bot.ports import DueStats, HookCount, Stop
from bot.settings import Settings, load_settings
from connectors.base import Actuator, Reader
from connectors.errors import ConnectorError
from policies.receipt import Receipt
from policies.rules import Rules
from policies.sight import Sight
from policies.sources import Sighting


class Database(Protocol):
    """What the commands read of the database. Raises `StoreUnavailable`."""

    async def stats(self, now: datetime) -> DueStats: ...
    async def stops(self) -> Sequence[Stop]: ...
    async def kept(self) -> int:
        """How many things arrived that nobody could read."""
        ...

    async def sightings(self) -> Sequence[Sighting]:
        """Every app that was heard in an alert channel."""
        ...

    async def sights(self) -> Mapping[str, Sight]:
        """How the looks at each connection went."""
        ...

    async def hook_counts(self) -> Sequence[HookCount]: ...
    async def receipt(self, number: int) -> Receipt | None: ...
    async def receipts(self, *, after: int = 0, limit: int = 1000) -> Sequence[Receipt]: ...
    async def close(self) -> None: ...


class Systems(Protocol):
    """What the catalogue built from dw.yml."""

    @property
    def readers(self) -> Mapping[str, Reader]: ...
    @property
    def actuators(self) -> Mapping[str, Actuator]: ...
    @property
    def no_actuator(self) -> Mapping[str, str]: ...
    async def close(self) -> None: ...


class CannotStart(RuntimeError):
    """The bot could not be started; nothing runs. The message says what to mend."""


async def _run(settings: Settings, rules: Rules) -> int:
    from bot.main import run  # noqa: PLC0415 - only `dw run` needs Slack's libraries
    from handlers.app import SlackRefused  # noqa: PLC0415 - the same

    try:
        return await run(settings, rules)
    except (SlackRefused, ConnectorError) as error:
        raise CannotStart(str(error)) from error
    except OSError as error:
        address = f"{settings.host}:{settings.port}"
        raise CannotStart(
            f"{error}. Nothing runs now. If {address} is taken, set DW_PORT (0 takes a free one)."
        ) from error


async def _demo(*, auto: bool, port: int | None) -> int:
    from bot.sandbox.demo.run import Options, run_demo  # noqa: PLC0415 - only `dw demo` needs servers

    return await run_demo(Options(auto=auto, port=port), click.echo)


def _open(url: str) -> Database:
    from bot.store.engine import Database as Engine  # noqa: PLC0415 - only some commands need drivers
    from bot.store.store import SqlStore  # noqa: PLC0415 - the same

    return SqlStore(Engine(url))


async def _migrate(url: str) -> None:
    from bot.store.schema import migrate  # noqa: PLC0415 - only some commands need drivers

    await migrate(url)


async def _schema(url: str) -> tuple[str | None, str]:
    from bot.store.engine import Database as Engine  # noqa: PLC0415 - only some commands need drivers
    from bot.store.schema import current, head  # noqa: PLC0415 - the same

    engine = Engine(url)
    try:
        async with engine.read() as connection:
            return await connection.run_sync(current), head()
    finally:
        await engine.close()


async def _record(url: str, head: tuple[int, str] | None) -> Sequence[str]:
    from bot.store.engine import Database as Engine  # noqa: PLC0415 - only some commands need drivers
    from bot.store.store import SqlStore  # noqa: PLC0415 - the same
    from bot.store.summary import summary  # noqa: PLC0415 - the same

    store = SqlStore(Engine(url))
    try:
        return (await summary(store, head)).problems
    finally:
        await store.close()


def _systems(rules: Rules, settings: Settings) -> Systems:
    from connectors.catalogue import Secrets, build  # noqa: PLC0415 - only some commands need drivers

    secrets = {name: Secrets(**settings.secrets_for(name).bare()) for name in rules.connections}
    return build(rules, secrets, acting=settings.acting, data=settings.data)


async def _slack(settings: Settings, channels: Sequence[str]) -> Sequence[Finding]:
    from handlers.probe import check_slack  # noqa: PLC0415 - only the doctor needs Slack's libraries

    return await check_slack(settings, channels)


async def _mail(settings: Settings, rules: Rules, clock: Clock) -> Sequence[Finding]:
    from bot.main.mailing import look  # noqa: PLC0415 - only the doctor needs the mail libraries

    return await look(settings, rules, clock)


@dataclass(kw_only=True)
class House:
    """The rooms, and the settings once they were read."""

    run: Callable[[Settings, Rules], Coroutine[Any, Any, int]] = _run
    demo: Callable[..., Coroutine[Any, Any, int]] = _demo
    open: Callable[[str], Database] = _open
    migrate: Callable[[str], Coroutine[Any, Any, None]] = _migrate
    schema: Callable[[str], Coroutine[Any, Any, tuple[str | None, str]]] = _schema
    record: Callable[[str, tuple[int, str] | None], Coroutine[Any, Any, Sequence[str]]] = _record
    systems: Callable[[Rules, Settings], Systems] = _systems
    slack: Callable[[Settings, Sequence[str]], Coroutine[Any, Any, Sequence[Finding]]] = _slack
    mail: Callable[[Settings, Rules, Clock], Coroutine[Any, Any, Sequence[Finding]]] = _mail
    clock: Clock = field(default_factory=SystemClock)
    redactor: Redactor = field(default_factory=Redactor)

    def settings(self) -> Settings:
        """The settings; from here on their secrets are masked in whatever is shown."""
        settings = load_settings()
        self.redactor = Redactor(settings.secret_values())
        configure("console", level="WARNING", redactor=self.redactor)
        return settings
