"""One browser for all the page's tests; a workspace with a connected app for each."""

import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright

import bot.sandbox
from bot.sandbox.workspace import Timing, Workspace
from bot.sandbox.workspace.person.driver import until
from tests.live.page.stage import SEED, Bot

PAGE = Path(bot.sandbox.__file__).parent / "page"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]

Open = Callable[..., Awaitable[Page]]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if not found:
        pytest.skip("needs Debian's chromium")
    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield running
        await running.close()


@pytest_asyncio.fixture(loop_scope="session")
async def workspace(request: pytest.FixtureRequest) -> AsyncIterator[Workspace]:
    """Routes beside the workspace's own can be given as the fixture's parameter."""
    timing = Timing(ack_deadline=0.8, channel_rate=0, tiers={})
    routes = getattr(request, "param", ())
    async with Workspace(SEED, clock=time.time, timing=timing, page=PAGE, routes=routes) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def dw(workspace: Workspace) -> AsyncIterator[Bot]:
    app = Bot(workspace)
    await app.socket.connect_async()
    await until(lambda: workspace.connections("A_DW"), 5, "the app's socket")
    yield app
    await app.socket.close_async()


@pytest_asyncio.fixture(loop_scope="session")
async def visit(browser: Browser, workspace: Workspace) -> AsyncIterator[Open]:
    """Opens the page as somebody somewhere; an error in the page's code fails the test."""
    troubles: list[str] = []
    contexts = []

    async def go(
        address: str = "ana/data-alerts", *, phone: bool = False, scheme: str = "light"
    ) -> Page:
        size = {"width": 390, "height": 844} if phone else {"width": 1280, "height": 800}
        context = await browser.new_context(viewport=size, color_scheme=scheme)
        contexts.append(context)
        page = await context.new_page()
        page.set_default_timeout(5000)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda r: troubles.append(r.url) if _foreign(r.url, workspace) else None)
        await page.goto(f"{workspace.base_url}/#/{address}")
        await page.wait_for_selector("#shell:not([aria-busy]) .pane-title")
        return page

    yield go
    for context in contexts:
        await context.close()
    assert not troubles


def _foreign(url: str, workspace: Workspace) -> bool:
    return not url.startswith((workspace.base_url, "data:", "about:"))
