"""The command `dw`: what an operator types. Every answer is for a person; `--json` for a machine.

Exit codes: 0 all is well; 1 something is broken or could not be done; 2 the configuration or the
command is wrong.
"""

import click

from bot.cli.config import config
from bot.cli.demo import demo
from bot.cli.doctor import doctor
from bot.cli.migrate import migrate
from bot.cli.receipts import receipts
from bot.cli.run import run
from bot.cli.speaking import Speaking


@click.group(cls=Speaking, help="Slack-first chatops for data teams.")
@click.version_option(package_name="dw", prog_name="dw")
def cli() -> None:
    """The group; each command is a module of `bot.cli`."""


for command in (run, demo, doctor, migrate, config, receipts):
    cli.add_command(command)

if __name__ == "__main__":
    cli()
