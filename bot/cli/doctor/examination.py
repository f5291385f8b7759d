"""All that the doctor looks at: each part beside the others, and none can keep the others from answering."""

import asyncio
from collections.abc import Mapping, Sequence

from bot.cli.doctor import database, slack, systems, webhooks
from bot.cli.house import House
from bot.cli.speaking import many
from bot.health import Finding, Producer
from bot.settings import ConfigError, Settings, load_rules
from policies.rules import Rules

PATIENCE = 20.0
"""Seconds that one part may take to answer."""


async def examine(house: House, settings: Settings) -> list[Finding]:
    """Every finding, in the order in which a person would mend them."""
    rules, findings = _configuration(settings)
    findings += _variables(settings, rules)
    producers = {
        **database.producers(house, settings),
        **slack.producers(house, settings, rules),
        **(systems.producers(house, settings, rules) if rules else {}),
        **(webhooks.producers(house, settings, rules) if rules else {}),
    }
    return findings + await looked_at(producers)


async def looked_at(producers: Mapping[str, Producer], patience: float = PATIENCE) -> list[Finding]:
    """What each of them found; one that fails or hangs is itself a finding."""
    waiting = (asyncio.wait_for(produce(), patience) for produce in producers.values())
    results = await asyncio.gather(*waiting, return_exceptions=True)
    findings: list[Finding] = []
    for name, result in zip(producers, results, strict=True):
        findings += (
            [_failed(name, result, patience)] if isinstance(result, BaseException) else result
        )
    return findings


def _failed(name: str, error: BaseException, patience: float) -> Finding:
    if not isinstance(error, Exception):
        raise error
    if isinstance(error, TimeoutError):
        return Finding(name=name, ok=False, says=f"did not answer within {patience:g} s")
    says = str(error) or type(error).__name__
    return Finding(name=name, ok=False, says=says.replace("\n", " "))


def _configuration(settings: Settings) -> tuple[Rules | None, list[Finding]]:
    try:
        rules = load_rules(settings.config)
    except ConfigError as error:
        return None, [
            *(Finding(name="dw.yml", ok=False, says=line) for line in error.lines),
            Finding(name="connections", ok=False, says="not looked at: mend dw.yml first"),
        ]
    says = f"{many(len(rules.connections), 'connection')}, {many(len(rules.domains), 'domain')}"
    return rules, [Finding(name="dw.yml", ok=True, says=says)]


def _variables(settings: Settings, rules: Rules | None) -> Sequence[Finding]:
    if rules is None:
        return []
    strangers = settings.strangers(rules.connections, rules.webhooks)
    found = [Finding(name="environment", ok=None, says=says) for says in strangers]
    return found or [Finding(name="environment", ok=True, says="every DW_ variable is known")]
