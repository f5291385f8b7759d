"""Keyboard, phone, contrast: the page works for whoever is on call, however they hold it."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.live.page.conftest import Open
from tests.live.page.stage import Bot

pytestmark = [pytest.mark.live, pytest.mark.asyncio(loop_scope="session")]

CONTRAST = (Path(__file__).parent / "contrast.js").read_text().split("*/", 1)[1]
SMALL = """() => [...document.querySelectorAll("button, input, textarea, summary, [role=option]")]
  .filter((n) => n.checkVisibility({visibilityProperty: true, opacityProperty: true}) && !n.closest("[inert]"))
  .filter((n) => n.getBoundingClientRect().height < 43.9 && n.type !== "radio" && n.type !== "checkbox")
  .map((n) => `${n.className} ${n.textContent}`)"""


async def tab_to(page: Page, selector: str, most: int = 60) -> None:
    for _ in range(most):
        await page.keyboard.press("Tab")
        if await page.evaluate("s => document.activeElement.matches(s)", selector):
            return
    pytest.fail(f"{selector} is not reached by Tab")


async def test_a_request_is_approved_with_the_keyboard_alone(visit: Open, dw: Bot) -> None:
    page = await visit()
    await dw.ask()
    await expect(page.locator(".thread-button")).to_be_visible()
    await tab_to(page, ".thread-button")
    await page.keyboard.press("Enter")
    await expect(page.locator("#thread [data-action=approve]")).to_be_visible()
    await page.locator('[data-composer="thread"]:focus').wait_for()
    for _ in range(20):
        await page.keyboard.press("Shift+Tab")
        if await page.evaluate("document.activeElement.dataset.action === 'approve'"):
            break
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alertdialog")).to_be_visible()
    assert await page.evaluate("document.activeElement.textContent") == "Not yet"
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(page.locator("#thread .msg", has_text="Approved by Ana")).to_be_visible()
    await page.keyboard.press("Escape")
    await page.locator(".thread-button:focus").wait_for()


async def test_a_list_is_chosen_from_with_the_keyboard_and_escape_changes_nothing(
    visit: Open, dw: Bot
) -> None:
    page = await visit(f"ana/data-alerts/{await dw.ask()}")
    select = page.locator("#thread [data-action=hand_over]")
    await select.press("Enter")
    await expect(page.get_by_role("option")).to_have_count(2)
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("option")).to_have_count(0)
    assert dw.heard == []
    await page.locator("#thread [data-action=hand_over]:focus").press("Enter")
    await page.keyboard.press("b")
    await page.keyboard.press("Enter")
    await expect(select).to_have_text("Ben Okafor")
    await expect(select).not_to_have_attribute("aria-busy", "true")
    assert dw.heard == [("hand_over", "U_BEN")]


async def test_the_keyboard_stays_inside_an_open_modal(visit: Open, dw: Bot) -> None:
    page = await visit(f"ana/data-alerts/{await dw.ask()}")
    await page.locator("#thread [data-action=reject]").press("Enter")
    await page.get_by_role("dialog").wait_for()
    await page.locator("textarea:focus").wait_for()
    for step in ["Tab"] * 8 + ["Shift+Tab"] * 8:
        await page.keyboard.press(step)
        assert await page.evaluate("Boolean(document.activeElement.closest('dialog'))")
    await page.keyboard.press("Escape")
    await page.locator("#thread [data-action=reject]:focus").wait_for()


async def test_a_new_message_is_read_out(visit: Open, dw: Bot) -> None:
    page = await visit()
    await expect(page.get_by_role("log")).to_be_attached()
    await dw.client.chat_postMessage(channel="C_ALERTS", text="*Rows* are back")
    await expect(page.locator("#announce")).to_have_text("dw: Rows are back")


async def test_on_a_phone_the_drawer_opens_and_the_thread_fills_the_screen(
    visit: Open, dw: Bot
) -> None:
    page = await visit(phone=True)
    await dw.ask()
    await page.get_by_role("button", name="Open the menu").click()
    await page.locator(".side-row", has_text="growth-data").click()
    await expect(page.locator("#main h1")).to_have_text("growth-data")
    await expect(page.locator("#sidebar")).to_be_hidden()
    await page.get_by_role("button", name="Open the menu").click()
    await page.locator(".side-row", has_text="data-alerts").click()
    await page.locator(".thread-button").click()
    await page.locator("#thread [data-action=approve]").wait_for()
    box = await page.locator("#thread").bounding_box()
    assert box is not None
    assert box["width"] == 390
    await page.get_by_role("button", name="Back to the channel").click()
    await expect(page.locator("#thread")).to_be_hidden()


async def test_on_a_phone_everything_is_wide_enough_for_a_thumb_and_nothing_runs_off(
    visit: Open, dw: Bot
) -> None:
    page = await visit(f"ana/data-alerts/{await dw.ask()}", phone=True)
    await page.locator("#thread [data-action=approve]").wait_for()
    assert await page.evaluate(SMALL) == []
    assert await page.evaluate("document.documentElement.scrollWidth") == 390
    await page.locator("#thread [data-action=reject]").click()
    await page.get_by_role("dialog").wait_for()
    assert await page.evaluate(SMALL) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_every_text_has_enough_contrast(visit: Open, dw: Bot, scheme: str) -> None:
    text = "<!here> <@U_ANA> <@U_BEN> `code` <https://example.com|link> ```fence``` :tada: > said"
    await dw.client.chat_postMessage(channel="C_ALERTS", text=text)
    page = await visit(f"ana/data-alerts/{await dw.ask()}", scheme=scheme)
    await page.locator("#thread [data-action=approve]").wait_for()
    assert await page.evaluate(CONTRAST) == []
    await page.locator("#thread [data-action=silent]").click()
    await page.locator(".toast").wait_for()
    await page.locator("#thread [data-action=reject]").click()
    await page.get_by_role("dialog").get_by_role("button", name="Reject").click()
    await page.locator(".b-error").first.wait_for()
    assert await page.evaluate(CONTRAST) == []


async def test_nothing_moves_for_those_who_asked_for_less_motion(visit: Open, dw: Bot) -> None:
    page = await visit(f"ana/data-alerts/{await dw.ask()}")
    await page.emulate_media(reduced_motion="reduce")
    await page.locator("#thread [data-action=approve]").click()
    await page.get_by_role("alertdialog").wait_for()
    assert await page.evaluate("document.getAnimations().length") == 0
