"""A house without walls: rooms that answer what a test says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result
from pydantic import BaseModel

from bot.__main__ import cli
from bot.cli.house import House
from bot.health import Finding
from bot.ports import DueStats, HookCount, Stop
from bot.settings import Settings
from connectors.base import Actuator, Health, Reader
from policies.evidence import Evidence, Probe
from policies.plan import Step
from policies.receipt import GENESIS, Receipt, seal
from policies.rules import Rules
from policies.run import Run
from tests.clock import FakeClock

EXAMPLE = Path(__file__).parents[3] / "docs/dw.example.yml"


def dw(*args: str, house: House | None = None) -> Result:
    return CliRunner().invoke(cli, args, obj=house or fake_house())


def chain(length: int) -> list[Receipt]:
    receipts: list[Receipt] = []
    for number in range(1, length + 1):
        previous = receipts[-1].hash if receipts else GENESIS
        body = {"cause": "the replica was behind", "approved by": ["Ana Ortiz"]}
        receipts.append(seal(number, f"DW-{number}", previous, body))
    return receipts


@dataclass
class FakeDatabase:
    kept_count: int = 0
    due: DueStats = field(default_factory=lambda: DueStats(waiting=0, oldest_seconds=0))
    halted: Sequence[Stop] = ()
    chain: list[Receipt] = field(default_factory=list)
    error: Exception | None = None
    closed: bool = False
    hooks: list[HookCount] = field(default_factory=list)

    async def stats(self, now: datetime) -> DueStats:
        if self.error:
            raise self.error
        return self.due

    async def stops(self) -> Sequence[Stop]:
        return self.halted

    async def kept(self) -> int:
        return self.kept_count

    async def hook_counts(self) -> Sequence[HookCount]:
        return self.hooks

    async def receipt(self, number: int) -> Receipt | None:
        return next((r for r in self.chain if r.number == number), None)

    async def receipts(self, *, after: int = 0, limit: int = 1000) -> Sequence[Receipt]:
        if self.error:
            raise self.error
        return [r for r in self.chain if r.number > after][:limit]

    async def close(self) -> None:
        self.closed = True


class FakeReader(Reader):
    probes = {}  # noqa: RUF012 - asks nothing

    def __init__(self, connection: str, error: Exception | None = None) -> None:
        super().__init__(connection)
        self.error = error

    async def ping(self) -> Health:
        if self.error:
            raise self.error
        return Health(version="1.11", says="reads as reader")

    async def _read(
        self, probe: Probe, params: BaseModel, *, evidence_id: str, now: datetime
    ) -> Evidence:
        raise NotImplementedError


class FakeActuator(Actuator):
    actions = {}  # noqa: RUF012 - does nothing

    async def _act(self, step: Step, params: BaseModel, *, key: str) -> Run:
        raise NotImplementedError

    async def find(self, key: str, step: Step) -> Run | None:
        return None


@dataclass
class FakeSystems:
    readers: Mapping[str, Reader]
    actuators: Mapping[str, Actuator]
    no_actuator: Mapping[str, str] = field(default_factory=dict)

    async def close(self) -> None:
        return None


def systems(rules: Rules, errors: Mapping[str, Exception] | None = None) -> FakeSystems:
    errors = errors or {}
    return FakeSystems(
        readers={name: FakeReader(name, errors.get(name)) for name in rules.connections},
        actuators={"dagster": FakeActuator("dagster")},
        no_actuator={"warehouse": "dw.yml pins this connection read-only"},
    )


def fake_house(**rooms: Any) -> House:
    async def run(settings: Settings, rules: Rules) -> int:
        return 0

    async def demo(*, auto: bool, port: int | None) -> int:
        return 0 if (auto, port) == (True, 7000) else 1

    async def nothing(url: str) -> None:
        return None

    async def schema(url: str) -> tuple[str | None, str]:
        return "0003", "0003"

    async def record(url: str, head: tuple[int, str] | None) -> Sequence[str]:
        return ()

    async def slack(settings: Settings, channels: Sequence[str]) -> Sequence[Finding]:
        return [
            Finding(name="slack tokens", ok=True, says="@dw in Tidewater; every scope is there")
        ]

    usual = {
        "run": run,
        "demo": demo,
        "open": lambda url: FakeDatabase(),
        "migrate": nothing,
        "schema": schema,
        "record": record,
        "systems": lambda rules, settings: systems(rules),
        "slack": slack,
        "clock": FakeClock(),
    }
    return House(**{**usual, **rooms})
