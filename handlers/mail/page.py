"""The pages behind the links: they show requests as they stand, and take one answer by POST. A GET changes nothing."""

from dataclasses import dataclass
from typing import Final

import structlog
from aiohttp import web

from bot.ports import Directory, RetryAfter, StoreUnavailable
from handlers.mail import words
from handlers.mail.browser import LOGIN
from handlers.mail.links import AnyLink, ListLink, Seals
from handlers.mail.login import DONE, Login, LoginFailed
from handlers.mail.many import Many
from handlers.mail.one import One
from handlers.mail.visiting import Means, Refused, Visit, form_of
from policies.people import Person

log = structlog.get_logger("page")
_LOGIN_LASTS: Final = 600


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    """The routes of the pages. `login` is None where nobody logs in."""

    means: Means
    directory: Directory
    seals: Seals
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
        self.means.count(refusal.word)
        log.warning("link_refused", why=refusal.word)
        return self.means.browser.page("refused.html", refusal.status, says=refusal.says)

    async def _show(self, request: web.Request) -> web.StreamResponse:
        visit = await self._visit(request)
        if self.login and visit.email is None:
            return self.means.browser.page("login.html", link=visit.text)
        self.means.count("shown")
        if isinstance(visit.link, ListLink):
            return await Many(self.means, self.seals).shown(visit, visit.link)
        return await One(self.means).shown(visit, visit.link)

    async def _decide(self, request: web.Request) -> web.StreamResponse:
        visit, browser = await self._visit(request), self.means.browser
        if self.login and visit.email is None:
            raise Refused("not_logged_in", 403, words.LOG_IN_AGAIN)
        if browser.from_elsewhere(request):
            raise Refused("cross_site", 403, words.ELSEWHERE)
        form = await form_of(request)
        if not browser.sent_by_form(request, form.get("token", ""), visit.link, visit.who):
            raise Refused("no_token", 403, words.NOT_OURS)
        if isinstance(visit.link, ListLink):
            return await Many(self.means, self.seals).decided(visit, visit.link, form)
        return await One(self.means).decided(visit, visit.link, form)

    async def _log_in(self, request: web.Request) -> web.StreamResponse:
        await self._visit(request)
        if self.login is None:
            raise Refused("no_login", 404, words.NO_LOGIN)
        try:
            began = await self.login.begin(request.match_info["link"])
        except LoginFailed as failure:
            raise Refused("login_failed", 502, words.failed(failure)) from failure
        response = web.Response(status=303, headers={"Location": began.url, **words.QUIET})
        self.means.browser.keep(response, LOGIN, began.memory, _LOGIN_LASTS)
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
        response = self.means.back_to(text)
        self.means.browser.keep_login(response, link, email)
        return response

    async def _visit(self, request: web.Request) -> Visit:
        """Who came. Raises `Refused` for a link that is not ours."""
        link = self.seals.read_link(request.match_info["link"])
        if link is None:
            raise Refused("forged", 404, words.FORGED)
        if self.login is None:
            return Visit(request=request, link=link, person=await self._named(link.person))
        email = self.means.browser.logged_in(request, link)
        person = await self._their_own(link, email) if email else None
        return Visit(request=request, link=link, person=person, email=email)

    async def _named(self, person: str) -> Person | None:
        """For their name and time zone only; whether they may is looked up when their answer is weighed."""
        try:
            return await self.directory.person(person)
        except RetryAfter:
            return None

    async def _their_own(self, link: AnyLink, email: str) -> Person:
        """The link's person, who must be the one who logged in. Raises `Refused`."""
        person = await self.directory.person(link.person, fresh=True)
        if person is None or not person.email or person.email.lower() != email.lower():
            raise Refused("foreign", 403, words.FOREIGN)
        return person
