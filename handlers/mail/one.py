"""The page of one request: shows it as it stands, and takes one answer."""

import asyncio
from dataclasses import dataclass
from typing import Final

import structlog
from aiohttp import web

from bot.commands import Received
from handlers.mail import words
from handlers.mail.links import Link
from handlers.mail.standing import Standing, standing
from handlers.mail.telling import told
from handlers.mail.visiting import Means, Refused, Visit, answer_of
from policies.approval import Choice

log = structlog.get_logger("page")
WEIGHING: Final = 2.0
"""Seconds; longer than that nobody likes to look at a white page."""


@dataclass(frozen=True, slots=True)
class One:
    """Shows and takes the answer to the request of a `Link`."""

    means: Means

    async def shown(
        self, visit: Visit, link: Link, *, status: int = 200, problem: str = "", reason: str = ""
    ) -> web.StreamResponse:
        """The page as things stand."""
        now, browser = await standing(self.means.desk, link, visit.person), self.means.browser
        token, cookie = browser.form(visit.request, link, visit.who)
        there = now.incident is not None and now.state is not None
        response = browser.page(
            "decide.html",
            status,
            says=now.says,
            told=told(now.incident, now.state, visit.person) if there else None,  # type: ignore[arg-type]
            rule=now.state.request.rule if now.state and now.open else None,
            code=not self.means.logs_in,
            token=token,
            problem=problem,
            reason=reason,
            name=visit.name,
            weighed=now.weighed,
        )
        browser.keep_form(response, cookie)
        return response

    async def decided(self, visit: Visit, link: Link, form: dict[str, str]) -> web.StreamResponse:
        """Take the answer, or say why it is none yet."""
        now = await standing(self.means.desk, link, visit.person)
        if now.state is None or not now.open:
            self.means.count("late")
            return await self.shown(visit, link, status=409)
        return await self._answered(visit, link, now, form)

    async def _answered(
        self, visit: Visit, link: Link, now: Standing, form: dict[str, str]
    ) -> web.StreamResponse:
        choice, reason = answer_of(form)
        if choice is None or now.state is None:
            return await self.shown(visit, link, status=422, problem=words.CHOOSE)
        needs = now.state.request.rule
        if choice == "yes" and needs.reason_needed and not reason:
            return await self.shown(visit, link, status=422, problem=words.REASON)
        needed = choice == "yes" and needs.step_up
        proof = self.means.proof(visit, needed, form.get("code", ""))
        if isinstance(proof, str):
            return await self.shown(visit, link, status=422, problem=f"{proof}.", reason=reason)
        return await self._stored(visit, link, (choice, reason), proof)

    async def _stored(
        self, visit: Visit, link: Link, answer: tuple[Choice, str], proof: tuple[str, str] | None
    ) -> web.StreamResponse:
        kind, key = proof or (None, link.key)
        command = self.means.decision(visit, link, answer, kind)
        item = Received(key=key, command=command, raw="{}", at=command.at, place=link.key)
        if not await self.means.desk.receive(item):
            raise Refused("used", 409, words.USED)
        self.means.count("used")
        await self._weighed(visit, link)
        return self.means.back_to(visit.text)

    async def _weighed(self, visit: Visit, link: Link) -> None:
        """Wait briefly, so that what is shown next is mostly what became of it."""
        try:
            async with asyncio.timeout(WEIGHING):
                while not (await standing(self.means.desk, link, visit.person)).weighed:  # noqa: ASYNC110 - a database wakes nobody
                    await asyncio.sleep(0.05)
        except TimeoutError:
            log.info("not_weighed_yet", request=link.request)
