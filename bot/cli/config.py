"""`dw config`: is dw.yml good, and what may stand in it."""

import json
from pathlib import Path

import click

from bot.cli.house import House
from bot.cli.reference import reference as page
from bot.cli.speaking import many
from bot.settings import load_rules
from policies.rules import Rules


@click.group(help="Check dw.yml, or print its JSON Schema for an editor.")
def config() -> None:
    """The group."""


@config.command(
    help="Name every mistake in dw.yml, each with its line. Exit code 2 if there is one."
)
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.pass_obj
def check(house: House, file: Path | None) -> None:
    """Check FILE, or what DW_CONFIG names."""
    path = file or house.settings().config
    rules = load_rules(path)
    held = sum(len(domain.assets) for domain in rules.domains.values())
    counted = (
        f"{many(len(rules.connections), 'connection')}, {many(len(rules.domains), 'domain')}"
        f" with {many(held, 'asset or pattern', 'assets or patterns')}, {many(len(rules.notes), 'note')}"
    )
    click.echo(f"{path} is good: {counted}.")


@config.command(help="Print the JSON Schema of dw.yml.")
def schema() -> None:
    """Editors complete and check dw.yml with it."""
    described = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "dw.yml",
        **{k: v for k, v in Rules.model_json_schema().items() if k != "title"},
    }
    click.echo(json.dumps(described, indent=2, ensure_ascii=False))


@config.command(help="Print docs/configuration.md: every setting and every key of dw.yml.")
def reference() -> None:
    """Written from the models, so that it is never out of date."""
    click.echo(page(), nl=False)
