"""The doctor at the second channel: does the mail server take us, does the provider answer."""

from collections.abc import Mapping
from functools import partial

from bot.cli.house import House
from bot.health import Finding, Producer
from bot.settings import Settings
from policies.rules import Rules


def producers(house: House, settings: Settings, rules: Rules) -> Mapping[str, Producer]:
    """One, where dw.yml has mail or a login."""
    if not (rules.mail or rules.oidc):
        return {}
    return {"mail": partial(_looked, house, settings, rules)}


async def _looked(house: House, settings: Settings, rules: Rules) -> list[Finding]:
    return list(await house.mail(settings, rules, house.clock))
