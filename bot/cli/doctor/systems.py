"""The doctor at the connections: each is asked, and it is said what may be changed through it."""

from collections.abc import Mapping, Sequence
from functools import partial

from bot.cli.house import House, Systems
from bot.health import Finding, Producer
from bot.settings import ConfigError, Settings
from connectors.base import Reader
from connectors.errors import ConnectorError
from policies.rules import Rules
from policies.systems import Connection


def producers(house: House, settings: Settings, rules: Rules) -> Mapping[str, Producer]:
    """One that asks every connection."""
    return {"connections": partial(_connections, house, settings, rules)}


async def _connections(house: House, settings: Settings, rules: Rules) -> Sequence[Finding]:
    wrong = [
        Finding(name=name, ok=False, says=line)
        for name in rules.connections
        for line in _secrets(settings, name)
    ]
    if wrong:
        return wrong
    systems = house.systems(rules, settings)
    try:
        return [
            await _asked(name, connection, systems)
            for name, connection in rules.connections.items()
        ]
    finally:
        await systems.close()


def _secrets(settings: Settings, name: str) -> Sequence[str]:
    try:
        settings.secrets_for(name)
    except ConfigError as error:
        return error.lines
    return ()


async def _asked(name: str, connection: Connection, systems: Systems) -> Finding:
    label = f"{connection.kind} {name}"
    reader: Reader | None = systems.readers.get(name)
    if reader is None:
        return Finding(name=label, ok=False, says="nothing reads it: this kind is not built in")
    try:
        health = await reader.ping()
    except ConnectorError as error:
        return Finding(name=label, ok=False, says=str(error))
    said = [health.version, health.says, _may(name, connection, systems)]
    return Finding(name=label, ok=True, says="; ".join(part for part in said if part))


def _may(name: str, connection: Connection, systems: Systems) -> str:
    if name in systems.actuators:
        return "may run " + (", ".join(sorted(connection.jobs)) or "nothing")
    return f"changes nothing: {systems.no_actuator.get(name, 'none is built')}"
