"""The page over a real web server, desk, worker and database, and the browser of whoever has a link."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

import aiohttp
import httpx

from bot.metrics import Metrics
from bot.web import build_web, serving
from bot.worker.kinds import KINDS
from bot.worker.loop import Worker
from handlers.mail import Keys, Office
from handlers.mail.links import Link
from handlers.step_up import StepUp
from policies import events as e
from policies.incident import RequestState
from policies.rules import Rules
from tests.bot.worker.world import World, a_world, sqlite_url
from tests.clock import FakeClock
from tests.handlers.mail.postbox import Postbox, a_postbox
from tests.handlers.mail.provider import CLIENT, SECRET, Provider
from tests.policies import night
from tests.postgres_server import free_port

KEY = "planted-link-key-of-32-characters"
TOTP = "JBSWY3DPEHPK3PXPJBSWY3DP"


class _Well:
    async def ready(self) -> list[Any]:
        return []


@dataclass
class Site:
    world: World
    office: Office
    base: str
    metrics: Metrics
    postbox: Postbox
    browser: httpx.AsyncClient

    async def asked(self) -> str:
        """The night up to the request; the link that Ana's email has."""
        await self.world.receive()
        await self.mailed()
        return self.link_in_mail()

    async def mailed(self, count: int = 1) -> None:
        """Wait until so many letters have come; each waits a little for others of its kind."""
        async with asyncio.timeout(20):
            while len(self.postbox.letters) < count:
                if await self._to_mail():
                    self.world.clock.advance(seconds=5)
                    self.world.desk._wake.set()
                await asyncio.sleep(0.02)

    async def _to_mail(self) -> bool:
        store = self.world.store
        lines = await store.incidents(open_only=True, limit=50)
        return any([await store.pending("mail", line.id) for line in lines])

    async def ended(self) -> RequestState:
        """The request, once it is no longer open."""
        async with asyncio.timeout(20):
            while (state := await self.world.request()).open:  # noqa: ASYNC110 - a database wakes nobody
                await asyncio.sleep(0.02)
        return state

    def link_in_mail(self) -> str:
        body = self.postbox.letters[-1].get_body(("plain",))
        assert body is not None
        found = re.search(r"Look and decide[^:]*: (\S+)", body.get_content())
        assert found
        return found[1]

    async def link_of(self, person: str, **changes: str) -> str:
        """A link that we signed, for somebody else or for something else."""
        request = (await self.world.request()).request
        known = {
            "incident": "DW-1",
            "request": request.id,
            "person": person,
            "digest": request.digest,
        }
        return self.office.address(Link(**{**known, **changes}))  # type: ignore[arg-type]

    async def answer(self, link: str, choice: str = "yes", **fields: str) -> httpx.Response:
        """Open the page and send its form, as a person does."""
        page = await self.browser.get(link)
        token = re.search(r'name="token" value="([^"]+)"', page.text)
        assert token, words(page)
        form = {"token": unescape(token[1]), "choice": choice, **fields}
        return await self.browser.post(link, data=form, follow_redirects=True)

    async def events(self, kind: type[e.Event]) -> list[Any]:
        entries = await self.world.store.entries("DW-1")
        return [entry.event for entry in entries if isinstance(entry.event, kind)]

    def counted(self, result: str) -> float:
        return self.metrics.registry.get_sample_value("dw_links_total", {"result": result}) or 0


def words(response: httpx.Response) -> str:
    """What a page says, without its shapes."""
    body = re.sub(r"<style.*?</style>", "", response.text, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


@asynccontextmanager
async def a_site(
    folder: Path, clock: FakeClock, provider: Provider | None = None, **domain: Any
) -> AsyncIterator[Site]:
    """All of it, listening; with a provider people log in there."""
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    async with (
        a_postbox() as postbox,
        a_world(sqlite_url(folder), clock, **domain) as world,
        aiohttp.ClientSession() as session,
        httpx.AsyncClient(trust_env=False) as browser,
    ):
        mail = {
            "host": "127.0.0.1",
            "port": postbox.port,
            "tls": "none",
            "sender": "dw@example.com",
        }
        oidc = {"issuer": provider.issuer, "client_id": CLIENT} if provider else None
        more = {"public_url": base, "mail": mail} | ({"oidc": oidc} if oidc else {})
        office = Office(night.rules(**more), Keys(link=KEY, oidc=SECRET), session, clock)
        metrics = Metrics()
        step_up = StepUp({"U0ANA": TOTP}, clock)
        routes = office.routes(world.desk, world.context.directory, step_up, metrics)
        world.use(postman=office.postman, rules=_rules(domain))
        world.worker = Worker(world.context, KINDS, world.desk._wake)
        async with (
            serving(build_web(_Well(), metrics, routes), "127.0.0.1", port),
            working(world),
        ):
            yield Site(world, office, base, metrics, postbox, browser)


def _rules(domain: dict[str, Any]) -> Rules:
    """The night's dw.yml, where every job is dangerous."""
    told = night.dw_yml(domains={"growth": night.growth(**domain)})
    for job in told["connections"]["dagster"]["jobs"].values():
        job["dangerous"] = True
    return Rules.model_validate(told)


@asynccontextmanager
async def working(world: World) -> AsyncIterator[None]:
    """The worker at work; it ends what it has in hand."""
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(world.worker.run())
        try:
            yield
        finally:
            world.worker.stop()
