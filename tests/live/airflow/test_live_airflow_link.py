"""The link that an owner taps, in a browser on real Airflows: where it leads, and whether the words beside it hold."""

import json
import shutil
from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Page, async_playwright

from policies.evidence import Probe
from tests.building import NOW
from tests.live.airflow.world import World, reading

pytestmark = [pytest.mark.live, pytest.mark.timeout(300)]  # the first one waits for both servers
BILLING = "usage_billing_daily"
CONF = {"duplicates": False, "usage_date": "2026-10-01"}
SIDEWAYS = {"width": 844, "height": 390}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    """An owner's phone, held sideways: upright, Airflow 3 leaves its button outside of the screen."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if not found:
        pytest.skip("needs Debian's chromium")
    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(executable_path=found, args=FLAGS)
        page = await (await running.new_context(viewport=SIDEWAYS)).new_page()
        page.set_default_timeout(60_000)
        yield page
        await running.close()


async def told(world: World, major: int) -> Any:
    """What the message says of the link."""
    reader = reading(world.servers[major])
    probe = Probe(connection="airflow", name="can_run", params={"job": BILLING, "config": CONF})
    value = (await reader.read(probe, evidence_id="E1", now=NOW)).value
    await reader.close()
    return value


async def opened(page: Page, link: str, button: str) -> None:
    """The link as it is tapped by somebody who has to log in first."""
    await page.goto(link)
    await page.fill("input[name=username]", "admin")
    await page.fill("input[name=password]", "admin")
    await page.click(button)
    await page.wait_for_url(link.partition("?")[0] + "**")


async def test_on_airflow_3_the_link_opens_the_dag_and_the_form_is_where_the_words_say(
    page: Page, world: World
) -> None:
    say = await told(world, 3)
    await opened(page, say["link"], "button[type=submit]")
    trigger = page.get_by_role("button", name="Trigger").first
    await trigger.wait_for()
    box = await trigger.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= SIDEWAYS["width"], "it is seen without scrolling"
    assert box["y"] + box["height"] <= SIDEWAYS["height"]
    await trigger.click()
    form = page.get_by_role("dialog")
    await form.get_by_text("Advanced Options").click()
    await form.get_by_text("Configuration JSON").wait_for()
    await form.get_by_role("button", name="Trigger").wait_for()
    for words in ("press Trigger", "Advanced Options", "Configuration JSON"):
        assert words in say["press"]


async def test_on_airflow_2_the_link_opens_the_form_filled_in(page: Page, world: World) -> None:
    say = await told(world, 2)
    await opened(page, say["link"], "input[type=submit]")
    await page.wait_for_function(
        "conf => document.querySelector('.CodeMirror')?.CodeMirror.getValue().includes(conf)",
        arg=f'"usage_date": "{CONF["usage_date"]}"',
    )
    await page.focus("[name=element_usage_date]")
    await page.focus("[name=element_duplicates]")  # leaving a field writes the whole form anew
    filled = "document.querySelector('.CodeMirror').CodeMirror.getValue()"
    assert json.loads(await page.evaluate(filled)) == CONF
    assert "opens filled in" in say["press"]
    await page.get_by_role("button", name="Trigger").wait_for()
