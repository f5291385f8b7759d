"""`dw demo`: the whole night on this machine, with a Slack workspace in the browser."""

import asyncio

import click

from bot.cli.house import House


@click.command(
    help="Play the whole night on this machine, in a browser. Needs no Slack and no vendor."
)
@click.option("--auto", is_flag=True, help="Play the owner too: nobody need click.")
@click.option("--port", type=click.IntRange(0, 65535), help="Where the page is; else a free port.")
@click.pass_obj
def demo(house: House, *, auto: bool, port: int | None) -> None:
    """Start the stand-ins and the bot, and say where the page is."""
    raise SystemExit(asyncio.run(house.demo(auto=auto, port=port)))
