"""`dw migrate`: bring the database up to date."""

import asyncio

import click

from bot.cli.house import House


@click.command(help="Bring the database's schema up to date. Running it again changes nothing.")
@click.pass_obj
def migrate(house: House) -> None:
    """Upgrade, and say which schema it has now."""
    url = house.settings().database_url.get_secret_value()
    asyncio.run(house.migrate(url))
    have, _ = asyncio.run(house.schema(url))
    click.echo(f"The database is up to date (schema {have}).")
