"""`dw receipts`: what was done, by whose yes, and whether the record still holds."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import click
import yaml

from bot.anchor import broken, read
from bot.cli.house import Database, House
from bot.cli.speaking import BROKEN, many
from policies.receipt import Receipt

T = TypeVar("T")
PAGE = 1000


@click.group(help="Read the receipts, and prove that none was changed.")
def receipts() -> None:
    """The group."""


@receipts.command("list", help="The newest receipts, the newest first.")
@click.option("--limit", type=click.IntRange(1), default=20, show_default=True)
@click.pass_obj
def list_(house: House, limit: int) -> None:
    """One line each: number, incident, hash."""
    found = _looking(house, _all)
    for receipt in reversed(found[-limit:]):
        click.echo(
            house.redactor.text(f"{receipt.number:>6}  {receipt.incident_id:<10} {receipt.hash}")
        )
    click.echo(f"{many(len(found), 'receipt')}." if found else "There are no receipts yet.")


@receipts.command(help="One receipt, for reading or, with --json, as it was sealed.")
@click.argument("number", type=click.IntRange(1))
@click.option("--json", "as_json", is_flag=True, help="All of it as JSON.")
@click.pass_obj
def show(house: House, number: int, *, as_json: bool) -> None:
    """Exit code 1 when there is none."""
    receipt = _looking(house, lambda database: database.receipt(number))
    if receipt is None:
        raise click.ClickException(
            f"There is no receipt {number}. `dw receipts list` shows which are."
        )
    click.echo(house.redactor.text(_json(receipt) if as_json else _readable(receipt)))


@receipts.command(help="Check every receipt; name the first that does not hold. Exit code 1 then.")
@click.option(
    "--anchor",
    type=click.Path(path_type=Path),
    help="The anchor file (default: DW_ANCHOR). Without one, a chain that was cut off looks whole.",
)
@click.pass_obj
def verify(house: House, anchor: Path | None) -> None:
    """Check the chain by itself, and against what was anchored outside the database."""
    anchor = anchor or house.settings().anchor
    heads = read(anchor) if anchor else ()
    found = _looking(house, _all)
    first = broken(found, heads)
    if first is not None:
        click.echo(f"BROKEN at receipt {first.number}: {first.why}.", err=True)
        raise SystemExit(BROKEN)
    click.echo(f"{many(len(found), 'receipt holds', 'receipts hold')}.")
    if anchor:
        click.echo(f"They are what {anchor} remembers ({many(len(heads), 'head')}).")
    else:
        click.echo("No anchor was given, so receipts missing at the end can't be noticed.")


def _looking(house: House, ask: Callable[[Database], Coroutine[Any, Any, T]]) -> T:
    url = house.settings().database_url.get_secret_value()

    async def look() -> T:
        database = house.open(url)
        try:
            return await ask(database)
        finally:
            await database.close()

    return asyncio.run(look())


async def _all(database: Database) -> list[Receipt]:
    found: list[Receipt] = []
    while page := await database.receipts(after=found[-1].number if found else 0, limit=PAGE):
        found += page
    return found


def _json(receipt: Receipt) -> str:
    fields = {
        name: getattr(receipt, name) for name in ("number", "incident_id", "previous", "hash")
    }
    return json.dumps({**fields, "body": dict(receipt.body)}, indent=2, ensure_ascii=False)


def _readable(receipt: Receipt) -> str:
    body = yaml.safe_dump(dict(receipt.body), sort_keys=False, allow_unicode=True, width=100)
    head = f"Receipt {receipt.number} of {receipt.incident_id}"
    return (
        f"{head}\n{'─' * len(head)}\n{body}\nfollows  {receipt.previous}\nhash     {receipt.hash}"
    )
