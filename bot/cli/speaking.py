"""How a command ends when something is wrong: what happened, what did not, what to do; never a secret."""

from typing import Any

import click

from bot.anchor import AnchorUnreadable
from bot.cli.house import CannotStart, House
from bot.log import Redactor
from bot.ports import StoreUnavailable
from bot.settings import ConfigError

BROKEN, WRONG = 1, 2


class Speaking(click.Group):
    """A group that turns the errors we know into sentences and exit codes."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        house = ctx.ensure_object(House)
        try:
            return super().invoke(ctx)
        except ConfigError as error:
            count = many(len(error.lines), "mistake")
            self._end(house.redactor, f"{error}\n\n{count}. Nothing was started.", WRONG)
        except (CannotStart, StoreUnavailable, AnchorUnreadable) as error:
            self._end(house.redactor, str(error), BROKEN)

    @staticmethod
    def _end(redactor: Redactor, text: str, code: int) -> None:
        click.echo(redactor.text(text), err=True)
        raise SystemExit(code)


def many(count: int, one: str, more: str = "") -> str:
    """`1 domain`, `2 domains`."""
    return f"{count} {one if count == 1 else more or one + 's'}"
