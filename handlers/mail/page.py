"""The page behind a link: it shows the request as it stands, and takes one answer by POST. A GET changes nothing."""

import asyncio
from dataclasses import dataclass
from typing import Final

import structlog
from aiohttp import web

from bot.clock import Clock
from bot.commands import Decide, Received
from bot.desk import Desk
from bot.metrics import Metrics
from bot.ports import Directory, RetryAfter, StoreUnavailable
from handlers.mail import words
from handlers.mail.browser import LOGIN, Browser
from handlers.mail.links import Link, Seals
from handlers.mail.login import DONE, Login, LoginFailed
from handlers.mail.standing import Standing, standing
from handlers.mail.telling import told
from handlers.step_up import KIND, Proof, StepUp
from policies.approval import Choice
from policies.people import Person

log = structlog.get_logger("page")
_WEIGHING: Final = 2.0
_LOGIN_LASTS: Final = 600
_LONGEST: Final = 2000


@dataclass(frozen=True, kw_only=True, slots=True)
class Visit:
    """Who came by which link; `email` is who logged in, where that is asked for."""

    request: web.Request
    link: Link
    person: Person | None
    email: str | None = None

    @property
    def who(self) -> str:
        """Whom the form is shown to."""
        return f"{self.link.person} {self.email or ''}"


class Refused(Exception):
    """This visit may not go on: the word it is counted by, the status, and what the person is told."""

    def __init__(self, word: str, status: int, says: str) -> None:
        self.word, self.status, self.says = word, status, says
        super().__init__(says)


async def _form(request: web.Request) -> dict[str, str]:
    """The fields of a form as our page sends it; none of them from anything else."""
    if request.content_type != "application/x-www-form-urlencoded":
        return {}
    try:
        fields = await request.post()
    except (ValueError, LookupError):
        return {}
    return {name: value for name, value in fields.items() if isinstance(value, str)}


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """The routes of the page. `login` is None where nobody logs in."""

    desk: Desk
    directory: Directory
    step_up: StepUp
    seals: Seals
    browser: Browser
    metrics: Metrics
    clock: Clock
    login: Login | None = None

    def routes(self) -> list[web.AbstractRouteDef]:
        """For the web server of the house."""
        return [
            web.get("/decide/{link}", self._guarded(self._show)),
            web.post("/decide/{link}", self._guarded(self._decide)),
            web.get("/decide/{link}/login", self._guarded(self._log_in)),
            web.get(DONE, self._guarded(self._logged_in)),
        ]

    def _guarded(self, handle: words.Handler) -> words.Handler:
        """Whatever is refused is counted, and answered in words."""

        async def handler(request: web.Request) -> web.StreamResponse:
            try:
                return await handle(request)
            except Refused as refusal:
                return self._refused(refusal)
            except (StoreUnavailable, RetryAfter) as gone:
                log.warning("page_unavailable", problem=str(gone))
                return self._refused(Refused("unavailable", 503, words.UNAVAILABLE))

        return handler

    def _refused(self, refusal: Refused) -> web.StreamResponse:
        self._count(refusal.word)
        log.warning("link_refused", why=refusal.word)
        return self.browser.page("refused.html", refusal.status, says=refusal.says)

    async def _show(self, request: web.Request) -> web.StreamResponse:
        visit = await self._visit(request)
        if self.login and visit.email is None:
            return self.browser.page("login.html", link=request.match_info["link"])
        self._count("shown")
        return await self._shown(visit)

    async def _decide(self, request: web.Request) -> web.StreamResponse:
        visit = await self._visit(request)
        if self.login and visit.email is None:
            raise Refused("not_logged_in", 403, words.LOG_IN_AGAIN)
        if self.browser.from_elsewhere(request):
            raise Refused("cross_site", 403, words.ELSEWHERE)
        form = await _form(request)
        if not self.browser.sent_by_form(request, form.get("token", ""), visit.link, visit.who):
            raise Refused("no_token", 403, words.NOT_OURS)
        now = await standing(self.desk, visit.link, visit.person)
        if now.state is None or not now.open:
            self._count("late")
            return await self._shown(visit, status=409)
        return await self._answered(visit, now, form)

    async def _answered(
        self, visit: Visit, now: Standing, form: dict[str, str]
    ) -> web.StreamResponse:
        choice = form.get("choice")
        reason = form.get("reason", "").replace("\0", "").strip()[:_LONGEST]
        if choice not in ("yes", "no") or now.state is None:
            return await self._shown(visit, status=422, problem=words.CHOOSE)
        needs = now.state.request.rule
        if choice == "yes" and needs.reason_needed and not reason:
            return await self._shown(visit, status=422, problem=words.REASON)
        proof = self._proof(visit, choice == "yes" and needs.step_up, form.get("code", ""))
        if isinstance(proof, str):
            return await self._shown(visit, status=422, problem=f"{proof}.", reason=reason)
        return await self._stored(visit, "yes" if choice == "yes" else "no", reason, proof)

    def _proof(self, visit: Visit, needed: bool, code: str) -> tuple[str, str] | str | None:  # noqa: FBT001 - private, one caller
        """What proved once more that it is them, and that proof's own key; or what is wrong with the code."""
        if visit.email is not None:
            return ("oidc", visit.link.key)
        if not needed:
            return None
        proof = self.step_up.check(visit.link.person, code)
        return (KIND, proof.key) if isinstance(proof, Proof) else proof

    async def _stored(
        self, visit: Visit, choice: Choice, reason: str, proof: tuple[str, str] | None
    ) -> web.StreamResponse:
        kind, key = proof or (None, visit.link.key)
        link, at = visit.link, self.clock.now()
        command = Decide(
            key=link.key,
            incident_id=link.incident,
            request_id=link.request,
            person=link.person,
            name=visit.person.name if visit.person else "",
            team=visit.person.team or "" if visit.person else "",
            choice=choice,
            digest=link.digest,
            where=link.where,
            at=at,
            reason=reason,
            step_up=kind,
        )
        item = Received(key=key, command=command, raw="{}", at=at, place=link.key)
        if not await self.desk.receive(item):
            raise Refused("used", 409, words.USED)
        self._count("used")
        await self._weighed(visit)
        return self._back_to(visit.request.match_info["link"])

    async def _weighed(self, visit: Visit) -> None:
        """Wait briefly, so that what is shown next is mostly what became of it."""
        try:
            async with asyncio.timeout(_WEIGHING):
                while not (await standing(self.desk, visit.link, visit.person)).weighed:  # noqa: ASYNC110 - a database wakes nobody
                    await asyncio.sleep(0.05)
        except TimeoutError:
            log.info("not_weighed_yet", request=visit.link.request)

    async def _shown(
        self, visit: Visit, *, status: int = 200, problem: str = "", reason: str = ""
    ) -> web.StreamResponse:
        now = await standing(self.desk, visit.link, visit.person)
        token, cookie = self.browser.form(visit.request, visit.link, visit.who)
        response = self.browser.page(
            "decide.html",
            status,
            says=now.says,
            told=told(now.incident, now.state, visit.person)
            if now.incident and now.state
            else None,
            rule=now.state.request.rule if now.state and now.open else None,
            code=self.login is None,
            token=token,
            problem=problem,
            reason=reason,
            name=(visit.person.name if visit.person else "") or visit.link.person,
            weighed=now.weighed,
        )
        self.browser.keep_form(response, cookie)
        return response

    async def _log_in(self, request: web.Request) -> web.StreamResponse:
        await self._visit(request)
        if self.login is None:
            raise Refused("no_login", 404, words.NO_LOGIN)
        try:
            began = await self.login.begin(request.match_info["link"])
        except LoginFailed as failure:
            raise Refused("login_failed", 502, words.failed(failure)) from failure
        response = web.Response(status=303, headers={"Location": began.url, **words.QUIET})
        self.browser.keep(response, LOGIN, began.memory, _LOGIN_LASTS)
        return response

    async def _logged_in(self, request: web.Request) -> web.StreamResponse:
        if self.login is None:
            raise Refused("no_login", 404, words.NO_LOGIN)
        try:
            memory = request.cookies.get(LOGIN, "")
            text, email = await self.login.end(request.query, memory)
        except LoginFailed as failure:
            raise Refused("login_failed", 403, words.failed(failure)) from failure
        link = self.seals.read_link(text)
        if link is None:
            raise Refused("forged", 404, words.FORGED)
        await self._their_own(link, email)
        response = self._back_to(text)
        self.browser.keep_login(response, link, email)
        return response

    def _back_to(self, link: str) -> web.Response:
        """Off to the page itself, whole: not every browser follows half an address."""
        there = f"{self.browser.base}/decide/{link}"
        return web.Response(status=303, headers={"Location": there, **words.QUIET})

    async def _visit(self, request: web.Request) -> Visit:
        """Who came. Raises `Refused` for a link that is not ours."""
        link = self.seals.read_link(request.match_info["link"])
        if link is None:
            raise Refused("forged", 404, words.FORGED)
        if self.login is None:
            return Visit(request=request, link=link, person=await self._named(link.person))
        email = self.browser.logged_in(request, link)
        person = await self._their_own(link, email) if email else None
        return Visit(request=request, link=link, person=person, email=email)

    async def _named(self, person: str) -> Person | None:
        """For their name and time zone only; whether they may is looked up when their answer is weighed."""
        try:
            return await self.directory.person(person)
        except RetryAfter:
            return None

    async def _their_own(self, link: Link, email: str) -> Person:
        """The link's person, who must be the one who logged in. Raises `Refused`."""
        person = await self.directory.person(link.person, fresh=True)
        if person is None or not person.email or person.email.lower() != email.lower():
            raise Refused("foreign", 403, words.FOREIGN)
        return person

    def _count(self, result: str) -> None:
        self.metrics.links.labels(result=result).inc()
