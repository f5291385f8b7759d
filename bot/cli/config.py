"""`dw config`: is dw.yml good, and what may stand in it."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import click

from bot.cli.house import House
from bot.cli.reference import reference as page
from bot.cli.speaking import many
from bot.settings import load_rules
from policies.approval import Hop
from policies.escalation import rule_of_asset
from policies.figures import listed
from policies.recognise.hooks.generic import Body
from policies.repositories import without
from policies.rota import on_call
from policies.rules import Domain, Rules
from policies.spans import span_text


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
    click.echo("\n".join(who_could(rules, house.clock.now())))


def who_could(rules: Rules, now: datetime) -> Iterator[str]:
    """Who could approve in each domain now, as far as dw.yml alone tells; nobody is looked up."""
    for name, domain in rules.domains.items():
        yes = "1 yes" if domain.quorum == 1 else f"{domain.quorum} people's yes"
        yield f"\n{name}: {yes}, never of {_banned(domain)}"
        for asset in (*domain.owners, *_unowned(domain)):
            rule = rule_of_asset(rules, asset)
            hops = rule.chain if rule else ()
            asked = ", then ".join(_seat(rules, hop, now) for hop in hops)
            whose = "" if domain.owner_of(asset) else "whom the orchestrator names, then "
            yield f"  {asset}: {whose}{asked}; then it is a no"
    if blank := without(rules):
        yield (
            f"\nNobody can tell who changed the code of {listed(blank)}, so nobody is kept out for that: name its"
            " repository (a connection of kind git)"
        )


def _unowned(domain: Domain) -> list[str]:
    """What the domain holds and dw.yml names no owner for."""
    asks_owner = any(link.who == "owner" for link in domain.chain)
    return [a for a in domain.assets if asks_owner and domain.owner_of(a) is None]


def _seat(rules: Rules, hop: Hop, now: datetime) -> str:
    name = hop.seat.ref.partition(":")[2]
    on = f" (now {on_call(rules.rotas[name].rota(), now)})" if hop.seat.kind == "rota" else ""
    why = " (its owner)" if hop.seat.because.startswith("owner of ") else ""
    return f"{hop.seat.ref}{on}{why} for {span_text(timedelta(seconds=hop.seconds))}"


def _banned(domain: Domain) -> str:
    words = {
        "asker": "who asked for it",
        "planner": "who wrote the plan",
        "author": "who wrote the change that broke it",
        "guests": "guests",
        "outsiders": "people of other workspaces",
    }
    held = [said for key, said in words.items() if getattr(domain.bans, key)]
    return ", ".join([*held, "bots, deactivated accounts"])


@config.command(help="Print the JSON Schema of dw.yml.")
def schema() -> None:
    """Editors complete and check dw.yml with it."""
    described = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "dw.yml",
        **{k: v for k, v in Rules.model_json_schema().items() if k != "title"},
    }
    click.echo(json.dumps(described, indent=2, ensure_ascii=False))


@config.command(
    "webhook-schema", help="Print docs/webhooks.schema.json: what the generic webhook takes."
)
def webhook_schema() -> None:
    """Written from the model that reads it."""
    described = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What POST /hooks/<name> takes, for a webhook of kind generic",
        **{k: v for k, v in Body.model_json_schema().items() if k != "title"},
    }
    click.echo(json.dumps(described, indent=2, ensure_ascii=False))


@config.command(help="Print docs/configuration.md: every setting and every key of dw.yml.")
def reference() -> None:
    """Written from the models, so that it is never out of date."""
    click.echo(page(), nl=False)
