"""The page of many requests of one kind: decides them together, or leads to each alone. It works like the page of one."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import structlog
from aiohttp import web

from bot.commands import Received
from bot.desk import Desk
from handlers.mail import words
from handlers.mail.links import Link, ListLink, Seals
from handlers.mail.listing import told_many
from handlers.mail.one import WEIGHING
from handlers.mail.standing import Standing, standing
from handlers.mail.visiting import Means, Refused, Visit, answer_of
from policies.approval import ApprovalRule, Choice
from policies.batch import Member, digest_of
from policies.incident import Incident, RequestState
from policies.people import Person

log = structlog.get_logger("page")


@dataclass(frozen=True, kw_only=True, slots=True)
class Listed:
    """One of the list, and how it stands for whoever has the link."""

    incident: Incident
    state: RequestState
    link: Link
    now: Standing


async def listed(desk: Desk, link: ListLink, person: Person | None) -> tuple[Listed, ...]:
    """All that the email listed. Raises `Refused` when they are not what it showed."""
    found: list[Listed] = []
    for incident_id, request_id in link.requests:
        look = await desk.look(incident_id)
        state = look[0].requests.get(request_id) if look else None
        if look is None or state is None:
            raise Refused("changed", 409, words.GONE)
        one = link.one(incident_id, request_id, state.request.digest)
        now = await standing(desk, one, person)
        found.append(Listed(incident=look[0], state=state, link=one, now=now))
    if digest_of(_members(found)) != link.digest:
        raise Refused("changed", 409, words.CHANGED)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Many:
    """Shows and takes the answer to all that a `ListLink` lists and that still waits."""

    means: Means
    seals: Seals

    async def shown(
        self,
        visit: Visit,
        link: ListLink,
        *,
        status: int = 200,
        problem: str = "",
        reason: str = "",
    ) -> web.StreamResponse:
        """The page as things stand."""
        found = await listed(self.means.desk, link, visit.person)
        open_ = [one for one in found if one.now.open]
        browser = self.means.browser
        token, cookie = browser.form(visit.request, link, visit.who)
        rule = _rule(open_)
        response = browser.page(
            "decide_many.html",
            status,
            many=told_many(_members(open_), visit.person) if open_ else None,
            alone=[browser.address(self.seals.link(one.link)) for one in open_],
            over=[
                (one.incident, one.now.become(one.state, visit.person))
                for one in found
                if not one.now.open
            ],
            weighed=all(one.now.weighed for one in found),
            rule=rule,
            together=rule is not None and self._takes_all(rule),
            shown=digest_of(_members(open_)),
            token=token,
            problem=problem,
            reason=reason,
            name=visit.name,
        )
        browser.keep_form(response, cookie)
        return response

    async def decided(
        self, visit: Visit, link: ListLink, form: dict[str, str]
    ) -> web.StreamResponse:
        """Take the answer to all that was on the page, or say why it is none."""
        found = await listed(self.means.desk, link, visit.person)
        open_ = [one for one in found if one.now.open]
        rule = _rule(open_)
        if rule is None:
            self.means.count("late")
            return await self.shown(visit, link, status=409)
        choice, reason = answer_of(form)
        if choice is None:
            return await self.shown(visit, link, status=422, problem=words.CHOOSE)
        if form.get("shown") != digest_of(_members(open_)):
            self.means.count("changed")
            return await self.shown(visit, link, status=409, problem=words.LIST_CHANGED)
        problem = self._lacking(rule, choice, reason)
        if problem:
            return await self.shown(visit, link, status=422, problem=problem, reason=reason)
        return await self._stored(visit, link, open_, (choice, reason))

    def _takes_all(self, rule: ApprovalRule) -> bool:
        """A login proves who it is for all of them; a code counts once, so each needs its own."""
        return self.means.logs_in or not rule.step_up

    def _lacking(self, rule: ApprovalRule, choice: Choice, reason: str) -> str:
        if choice == "no":
            return ""
        if not self._takes_all(rule):
            return words.ONE_BY_ONE
        return words.REASON if rule.reason_needed and not reason else ""

    async def _stored(
        self, visit: Visit, link: ListLink, open_: Sequence[Listed], answer: tuple[Choice, str]
    ) -> web.StreamResponse:
        """One decision for each, all in one transaction."""
        proved = "oidc" if visit.email is not None else None
        items = []
        for one in open_:
            command = self.means.decision(visit, one.link, answer, proved)
            key = one.link.key
            items.append(Received(key=key, command=command, raw="{}", at=command.at, place=key))
        if not await self.means.desk.receive_all(items):
            raise Refused("used", 409, words.USED)
        self.means.count("used")
        await self._weighed(visit, link)
        return self.means.back_to(visit.text)

    async def _weighed(self, visit: Visit, link: ListLink) -> None:
        """Wait briefly, so that what is shown next is mostly what became of them."""
        try:
            async with asyncio.timeout(WEIGHING):
                while not await self._all_weighed(visit, link):  # noqa: ASYNC110 - a database wakes nobody
                    await asyncio.sleep(0.1)
        except TimeoutError:
            log.info("not_weighed_yet", requests=len(link.requests))

    async def _all_weighed(self, visit: Visit, link: ListLink) -> bool:
        found = await listed(self.means.desk, link, visit.person)
        return all(one.now.weighed for one in found)


def _members(found: Sequence[Listed]) -> list[Member]:
    return [(one.incident, one.state) for one in found]


def _rule(open_: Sequence[Listed]) -> ApprovalRule | None:
    """What a yes to them needs: it is the same for all of one kind."""
    return open_[0].state.request.rule if open_ else None
