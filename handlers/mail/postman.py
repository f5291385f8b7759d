"""Hands an email to the SMTP server, and tells apart what to try again from what is refused for good."""

import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from email.headerregistry import Address
from email.message import EmailMessage
from typing import Any, Final

import aiosmtplib

from bot.clock import Clock
from bot.ports import Letter, RetryAfter, Undeliverable
from handlers.mail import letters
from handlers.mail.letters import message_id
from handlers.mail.links import AnyLink, Link, ListLink
from policies.batch import digest_of
from policies.mail import MailRule

_PATIENCE: Final = 20.0
_LATER: Final = 15.0
_FOR_GOOD: Final = 500


@dataclass(frozen=True, kw_only=True, slots=True)
class SmtpPostman:
    """`bot.ports.Postman` over one SMTP server. `address` makes the address of a link's page.

    `trust` is how the server's certificate is checked; None as the machine does.
    """

    rule: MailRule
    password: str | None = field(repr=False)
    address: Callable[[AnyLink], str]
    clock: Clock
    trust: ssl.SSLContext | None = None

    async def send(self, letter: Letter) -> str:
        """One email. Raises `RetryAfter` or `Undeliverable` with the server's own words."""
        now = self.clock.now()
        try:
            message = letters.letter(letter, link=self.address(link_of(letter)), at=now)
        except ValueError as error:
            raise Undeliverable("the address that Slack shows for them is none") from error
        message["From"] = Address("dw", addr_spec=self.rule.sender)
        message["Message-ID"] = message_id(letter.name, self.rule.sender)
        if letter.follows:
            earlier = [message_id(name, self.rule.sender) for name in letter.follows]
            message["In-Reply-To"] = earlier[-1]
            message["References"] = " ".join(earlier)
        await self._post(message)
        return letter.subject or str(message["Subject"])

    async def hello(self) -> str:
        """Connect, log in, say nothing more; what the server says of itself. Raises as `send` does."""
        server = aiosmtplib.SMTP(**self._way())
        try:
            await server.connect()
            await server.noop()
            await server.quit()
        except (aiosmtplib.SMTPException, OSError) as error:
            raise _translated(error) from error
        finally:
            server.close()
        return f"{self.rule.host}:{self.rule.port} takes us" + (
            f" as {self.rule.user}" if self.rule.user else ""
        )

    async def _post(self, message: EmailMessage) -> None:
        try:
            await aiosmtplib.send(message, **self._way())
        except (aiosmtplib.SMTPException, OSError) as error:
            raise _translated(error) from error

    def _way(self) -> dict[str, Any]:
        return {
            "hostname": self.rule.host,
            "port": self.rule.port,
            "username": self.rule.user,
            "password": self.password if self.rule.user else None,
            "use_tls": self.rule.tls == "tls",
            "start_tls": self.rule.tls == "starttls",
            "tls_context": self.trust,
            "timeout": _PATIENCE,
        }


def link_of(letter: Letter) -> AnyLink:
    """The one link of an email: to its request, or to all that it lists."""
    if len(letter.members) == 1:
        ((incident, state),) = letter.members
        asked = state.request
        return Link(
            incident=incident.id, request=asked.id, person=letter.person.id, digest=asked.digest
        )
    return ListLink(
        requests=tuple((incident.id, state.request.id) for incident, state in letter.members),
        person=letter.person.id,
        digest=digest_of(letter.members),
    )


def _translated(error: Exception) -> Exception:
    """4xx, silence and a closed door may pass; 5xx, or a server that can't encrypt, will not by themselves."""
    code, words = _answer(error)
    if code >= _FOR_GOOD or isinstance(error, aiosmtplib.SMTPNotSupported):
        return Undeliverable(f"the mail server refused it: {words}")
    return RetryAfter(_LATER, f"the mail server did not take it: {words}")


def _answer(error: Exception) -> tuple[int, str]:
    match error:
        case aiosmtplib.SMTPRecipientsRefused(recipients=[first, *_]):
            return first.code, f"{first.code} {first.message}"
        case aiosmtplib.SMTPResponseException(code=code, message=message):
            return code, f"{code} {message}"
        case _:
            return 0, str(error) or type(error).__name__
