"""`dw run`: the bot."""

import asyncio

import click
import structlog

from bot.cli.house import House
from bot.log import configure
from bot.settings import ConfigError, Settings, load_rules
from policies.rules import Rules


@click.command(help="Run the bot until it is told to end.")
@click.pass_obj
def run(house: House) -> None:
    """Check everything that can be checked before the first connection, then run."""
    settings = house.settings()
    rules = _checked(settings)
    for connection in rules.connections:
        settings.secrets_for(connection)
    settings.hook_secrets(rules.webhooks)
    configure(settings.log, level=settings.log_level, redactor=house.redactor)
    for stranger in settings.strangers(rules.connections, rules.webhooks):
        structlog.get_logger("dw").warning("setting_unknown", says=stranger)
    raise SystemExit(asyncio.run(house.run(settings, rules)))


def _checked(settings: Settings) -> Rules:
    """The rules; every mistake of dw.yml and every missing variable in one `ConfigError`."""
    missing = settings.missing()
    try:
        rules = load_rules(settings.config)
    except ConfigError as error:
        raise ConfigError(*missing, *error.lines) from error
    if missing:
        raise ConfigError(*missing)
    return rules
