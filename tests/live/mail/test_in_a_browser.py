"""The page as a phone shows it: a real browser sends the form, and sees what became of it."""

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Page, async_playwright

from policies import events as e
from tests.bot.worker.test_together import opens
from tests.clock import FakeClock
from tests.handlers.mail.provider import a_provider
from tests.handlers.mail.site import a_site
from tests.handlers.mail.test_many import became

pytestmark = pytest.mark.live
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


@pytest.fixture
async def phone() -> AsyncIterator[Page]:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if not found:
        pytest.skip("needs Debian's chromium")
    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(executable_path=found, args=FLAGS)
        shape = {"width": 390, "height": 844}
        without_scripts = await running.new_context(viewport=shape, java_script_enabled=False)  # type: ignore[arg-type]
        yield await without_scripts.new_page()
        await running.close()


async def test_a_yes_from_a_phone_without_scripts(
    phone: Page, tmp_path: Path, clock: FakeClock
) -> None:
    async with a_site(tmp_path, clock) as site:
        await phone.goto(await site.asked())
        box = await phone.locator("body").bounding_box()
        assert box is not None
        assert box["width"] <= 390
        await phone.fill("textarea", "the replica has caught up")
        await phone.click("text=Approve")
        await phone.get_by_text("Your answer counted").wait_for()
        (made,) = await site.events(e.DecisionMade)
        assert made.decision.reason == "the replica has caught up"


async def test_a_login_and_then_a_no(phone: Page, tmp_path: Path, clock: FakeClock) -> None:
    async with a_provider(clock) as provider, a_site(tmp_path, clock, provider) as site:
        await phone.goto(await site.asked())
        await phone.click("text=Log in >> nth=-1")
        await phone.click("text=Reject")
        await phone.get_by_text("Rejected by U0Ana").wait_for()
        (made,) = await site.events(e.DecisionMade)
        assert made.decision.step_up == "oidc"


async def test_forty_at_once_from_a_phone_without_scripts(
    phone: Page, tmp_path: Path, clock: FakeClock
) -> None:
    async with a_site(tmp_path, clock) as site:
        for number in range(40):
            await opens(site.world, number)
        await site.mailed()
        await phone.goto(site.link_in_mail())
        wide = await phone.evaluate("document.documentElement.scrollWidth")
        assert wide <= 390, "nothing is cut off"
        await phone.click("text=Approve all 40")
        await phone.get_by_text("None of these waits for you any more").wait_for()
        assert await became(site, *["approved"] * 40)
