"""The second channel, as far as the house must know it: its secrets, and its pages beside the health checks."""

from collections.abc import Sequence

from aiohttp import ClientSession, web

from bot.clock import Clock
from bot.desk import Desk
from bot.health import Finding
from bot.metrics import Metrics
from bot.settings import Settings
from handlers.entrance import Slack
from handlers.mail import Keys, Office, check_office
from policies.rules import Rules


def office_of(
    settings: Settings, rules: Rules, session: ClientSession, clock: Clock
) -> Office | None:
    """Built where dw.yml has mail or a login; secrets leave their wrapping here, into what uses them."""
    if settings.link_key is None or not (rules.mail or rules.oidc):
        return None
    smtp, oidc = (
        secret.get_secret_value() if secret else None
        for secret in (settings.smtp_password, settings.oidc_secret)
    )
    keys = Keys(link=settings.link_key.get_secret_value(), smtp=smtp, oidc=oidc)
    return Office(rules, keys, session, clock)


def pages(
    office: Office | None, desk: Desk, slack: Slack, metrics: Metrics
) -> list[web.AbstractRouteDef]:
    """The routes of the page behind the links; none without mail and login."""
    if office is None:
        return []
    return office.routes(desk, slack.directory, slack.step_up, metrics)


async def look(settings: Settings, rules: Rules, clock: Clock) -> Sequence[Finding]:
    """For the doctor: are the mail server and the provider there. Nothing is sent."""
    async with ClientSession(trust_env=True) as session:
        office = office_of(settings, rules, session, clock)
        return await check_office(office) if office else ()
