"""Who came by which link, and what every page needs to let them answer once."""

from dataclasses import dataclass
from typing import Final

from aiohttp import web

from bot.clock import Clock
from bot.commands import Decide
from bot.desk import Desk
from bot.metrics import Metrics
from handlers.mail import words
from handlers.mail.browser import Browser
from handlers.mail.links import AnyLink, Link
from handlers.step_up import KIND, Proof, StepUp
from policies.approval import Choice
from policies.people import Person

_LONGEST: Final = 2000


@dataclass(frozen=True, kw_only=True, slots=True)
class Visit:
    """Who came by which link; `email` is who logged in, where that is asked for."""

    request: web.Request
    link: AnyLink
    person: Person | None
    email: str | None = None

    @property
    def who(self) -> str:
        """Whom the form is shown to."""
        return f"{self.link.person} {self.email or ''}"

    @property
    def name(self) -> str:
        """What they are called."""
        return (self.person.name if self.person else "") or self.link.person

    @property
    def text(self) -> str:
        """The link as it stood in the address."""
        return str(self.request.match_info["link"])


class Refused(Exception):
    """This visit may not go on: the word it is counted by, the status, and what the person is told."""

    def __init__(self, word: str, status: int, says: str) -> None:
        self.word, self.status, self.says = word, status, says
        super().__init__(says)


async def form_of(request: web.Request) -> dict[str, str]:
    """The fields of a form as our pages send it; none of them from anything else."""
    if request.content_type != "application/x-www-form-urlencoded":
        return {}
    try:
        fields = await request.post()
    except (ValueError, LookupError):
        return {}
    return {name: value for name, value in fields.items() if isinstance(value, str)}


def answer_of(form: dict[str, str]) -> tuple[Choice | None, str]:
    """What they chose, if it is one of ours, and their reason."""
    said = form.get("choice")
    choice: Choice | None = "yes" if said == "yes" else "no" if said == "no" else None
    return choice, form.get("reason", "").replace("\0", "").strip()[:_LONGEST]


@dataclass(frozen=True, kw_only=True, slots=True)
class Means:
    """What both pages answer with. `logs_in`: people log in here, and a login is a proof."""

    desk: Desk
    step_up: StepUp
    browser: Browser
    metrics: Metrics
    clock: Clock
    logs_in: bool = False

    def count(self, result: str) -> None:
        """One more visit that ended like this."""
        self.metrics.links.labels(result=result).inc()

    def back_to(self, link: str) -> web.Response:
        """Off to the page itself, whole: not every browser follows half an address."""
        there = {"Location": self.browser.address(link), **words.QUIET}
        return web.Response(status=303, headers=there)

    def proof(self, visit: Visit, needed: bool, code: str) -> tuple[str, str] | str | None:  # noqa: FBT001 - one caller
        """What proved once more that it is them, and that proof's own key; or what is wrong with the code."""
        if visit.email is not None:
            return ("oidc", visit.link.key)
        if not needed:
            return None
        proof = self.step_up.check(visit.link.person, code)
        return (KIND, proof.key) if isinstance(proof, Proof) else proof

    def decision(
        self, visit: Visit, link: Link, answer: tuple[Choice, str], proved: str | None
    ) -> Decide:
        """Their answer by a link, as a tap would be."""
        choice, reason = answer
        return Decide(
            key=link.key,
            incident_id=link.incident,
            request_id=link.request,
            person=link.person,
            name=visit.person.name if visit.person else "",
            team=visit.person.team or "" if visit.person else "",
            choice=choice,
            digest=link.digest,
            where=link.where,
            at=self.clock.now(),
            reason=reason,
            step_up=proved,
            together=link is not visit.link,
        )
