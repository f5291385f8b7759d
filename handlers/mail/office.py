"""Puts emails, page and login together: one object for the composition root."""

from dataclasses import dataclass, field

import aiohttp
from aiohttp import web

from bot.clock import Clock
from bot.desk import Desk
from bot.metrics import Metrics
from bot.ports import Directory
from handlers import ids
from handlers.mail.browser import Browser
from handlers.mail.links import AnyLink, Link, Seals
from handlers.mail.login import Login
from handlers.mail.page import Page
from handlers.mail.postman import SmtpPostman
from handlers.mail.visiting import Means
from handlers.step_up import StepUp
from policies.rules import Rules


@dataclass(frozen=True, kw_only=True, slots=True)
class Keys:
    """The secrets of the second channel: what signs links, and what opens the mail server and the provider."""

    link: str = field(repr=False)
    smtp: str | None = field(default=None, repr=False)
    oidc: str | None = field(default=None, repr=False)


class Office:
    """What dw.yml has of mail and login, built. `base` has no slash at its end."""

    def __init__(
        self, rules: Rules, keys: Keys, session: aiohttp.ClientSession, clock: Clock
    ) -> None:
        self._base = (rules.public_url or "").rstrip("/")
        self._clock, self._seals = clock, Seals(keys.link, clock)
        self.postman = (
            SmtpPostman(rule=rules.mail, password=keys.smtp, address=self.address, clock=clock)
            if rules.mail
            else None
        )
        self.login = (
            Login(rules.oidc, (keys.link, keys.oidc), self._base, session, clock)
            if rules.oidc
            else None
        )

    def address(self, link: AnyLink) -> str:
        """The address of a link's page."""
        return f"{self._base}/decide/{self._seals.link(link)}"

    def login_page(self, tag: ids.Tag, person: str) -> str:
        """Where somebody logs in and answers, when a tap in Slack is not enough."""
        link = Link(
            incident=tag.incident,
            request=tag.request,
            person=person,
            digest=tag.digest,
            where="login page",
        )
        return self.address(link)

    def routes(
        self, desk: Desk, directory: Directory, step_up: StepUp, metrics: Metrics
    ) -> list[web.AbstractRouteDef]:
        """The page's routes, over this desk."""
        means = Means(
            desk=desk,
            step_up=step_up,
            browser=Browser(base=self._base, seals=self._seals),
            metrics=metrics,
            clock=self._clock,
            logs_in=self.login is not None,
        )
        return Page(means=means, directory=directory, seals=self._seals, login=self.login).routes()
