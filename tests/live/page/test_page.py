"""The page in a real browser, over the real workspace and a real Bolt app."""

import pytest
from playwright.async_api import Page, expect

from bot.sandbox.workspace import Workspace
from tests.live.page.conftest import Open
from tests.live.page.stage import Bot

pytestmark = [pytest.mark.live, pytest.mark.asyncio(loop_scope="session")]


async def type_in(page: Page, text: str, where: str = "main") -> None:
    box = page.locator(f'[data-composer="{where}"]')
    await box.fill(text)
    await box.press("Enter")


async def test_the_page_shows_the_workspace_and_who_one_is(visit: Open) -> None:
    page = await visit()
    await expect(page.locator(".switcher")).to_contain_text("Ana Ruiz")
    await expect(page.locator("#main h1")).to_have_text("data-alerts")
    await expect(page.locator(".side-row[aria-current]")).to_contain_text("data-alerts")
    await expect(page.locator("#night")).to_be_hidden()  # no demo is served here


async def test_an_address_without_a_name_still_opens(visit: Open) -> None:
    page = await visit("")
    await expect(page.locator(".switcher")).to_contain_text("Ana Ruiz")


async def test_what_one_person_posts_another_sees_at_once(visit: Open, dw: Bot) -> None:
    ana, ben = await visit("ana/growth-data"), await visit("ben/growth-data")
    await type_in(ana, "@ben good *morning*")
    said = ben.locator(".msg", has_text="good")
    await expect(said.locator("b", has_text="morning")).to_be_visible()
    await expect(said.locator(".mention.me")).to_have_text("@Ben Okafor")
    await expect(ana.locator('[data-composer="main"]')).to_have_value("")


async def test_shift_enter_breaks_the_line_and_does_not_send(visit: Open) -> None:
    page = await visit("ana/growth-data")
    box = page.locator('[data-composer="main"]')
    await box.fill("one")
    await box.press("Shift+Enter")
    await box.type("two")
    await expect(box).to_have_value("one\ntwo")
    await box.press("Enter")
    await expect(page.locator(".msg-text").last).to_have_text("onetwo")


async def test_a_message_elsewhere_counts_as_unread_until_it_is_seen(visit: Open) -> None:
    ana, ben = await visit("ana/data-alerts"), await visit("ben/growth-data")
    await type_in(ben, "numbers are in")
    row = ana.locator(".side-row", has_text="growth-data")
    await expect(row.locator(".count")).to_have_text("1")
    await row.click()
    await expect(ana.locator(".msg", has_text="numbers are in")).to_be_visible()
    await expect(row.locator(".count")).to_have_count(0)


async def test_a_thread_opens_beside_the_room_takes_a_reply_and_survives_a_reload(
    visit: Open, dw: Bot
) -> None:
    page = await visit()
    await dw.ask()
    await page.locator(".thread-button", has_text="1 reply").click()
    await type_in(page, "looking", "thread")
    await expect(page.locator("#thread .msg", has_text="looking")).to_be_visible()
    await expect(page.locator(".thread-button")).to_contain_text("2 replies")
    await page.reload()
    await expect(page.locator("#thread .msg", has_text="looking")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.locator("#thread")).to_be_hidden()


async def test_a_click_asks_first_reaches_the_app_and_the_message_changes(
    visit: Open, dw: Bot
) -> None:
    page = await visit(f"ana/data-alerts/{await dw.ask()}")
    await page.get_by_role("button", name="Approve").click()
    await page.get_by_role("alertdialog").get_by_role("button", name="Not yet").click()
    assert dw.heard == []
    await page.get_by_role("button", name="Approve").click()
    await page.get_by_role("button", name="Yes, approve").click()
    await expect(page.locator("#thread .msg", has_text="Approved by Ana")).to_be_visible()
    assert ("approve", "U_ANA") in dw.heard


async def test_an_app_that_does_not_answer_is_reported(visit: Open, dw: Bot) -> None:
    page = await visit(f"ana/data-alerts/{await dw.ask()}")
    await page.get_by_role("button", name="Say nothing").click()
    await expect(page.locator(".toast")).to_have_count(1)
    await expect(page.get_by_role("button", name="Say nothing")).to_be_enabled()


async def test_a_modal_keeps_what_was_typed_when_it_is_refused_and_closes_when_it_is_taken(
    visit: Open, dw: Bot
) -> None:
    page = await visit(f"ana/data-alerts/{await dw.ask()}")
    await page.get_by_role("button", name="Reject …").click()
    modal = page.get_by_role("dialog", name="Reject 2 steps")
    await modal.get_by_role("button", name="Reject").click()
    await expect(modal.locator(".b-error")).to_have_count(2)
    await modal.get_by_label("Why").fill("because")
    await modal.get_by_label("What next").click()
    await page.get_by_role("option", name="Repair by hand").click()
    await modal.get_by_role("button", name="Reject").click()
    await expect(modal.locator(".b-error")).to_have_count(1)
    await expect(modal.locator(".b-error")).to_have_text("Say a little more.")
    await modal.get_by_label("Why").fill("wrong cause")
    await modal.get_by_role("button", name="Reject").click()
    await expect(modal).to_have_count(0)
    assert ("reason", ("wrong cause", "hand")) in dw.heard


async def test_escape_closes_a_modal_here_and_at_the_server(
    visit: Open, dw: Bot, workspace: Workspace
) -> None:
    page = await visit(f"ana/data-alerts/{await dw.ask()}")
    await page.get_by_role("button", name="Reject …").click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await page.reload()
    await expect(page.locator("#thread .msg").first).to_be_visible()
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_a_command_completes_and_its_answer_is_only_for_the_one_who_asked(
    visit: Open, dw: Bot
) -> None:
    ana, ben = await visit("ana/growth-data"), await visit("ben/growth-data")
    box = ana.locator('[data-composer="main"]')
    await box.type("/dw st")
    await expect(ana.get_by_role("option")).to_have_count(2)
    await box.press("Enter")  # takes the first suggestion
    await expect(box).to_have_value("/dw status ")
    await box.press("Enter")
    answer = ana.locator(".msg.ephemeral")
    await expect(answer).to_contain_text("Only visible to you")
    await expect(answer).to_contain_text("1 open incident (status)")
    await expect(ben.locator(".msg.ephemeral")).to_have_count(0)


async def test_a_command_in_a_thread_is_explained_not_sent(visit: Open, dw: Bot) -> None:
    page = await visit(f"ana/data-alerts/{await dw.ask()}")
    await type_in(page, "/dw status", "thread")
    await expect(page.locator(".toast")).to_contain_text("don't work in threads")
    await expect(page.locator('[data-composer="thread"]')).to_have_value("/dw status")


async def test_the_apps_home_is_published_and_its_buttons_work(visit: Open, dw: Bot) -> None:
    page = await visit("ana/@dw/home")
    await expect(page.locator(".home")).to_contain_text("Good morning, Ana")
    await page.locator(".home").get_by_role("button", name="Refresh").click()
    await expect(page.locator(".home [aria-busy]")).to_have_count(0)
    assert ("refresh", None) in dw.heard
    await page.locator(".tab", has_text="Messages").click()
    await type_in(page, "hello dw")
    await expect(page.locator(".msg", has_text="hello dw")).to_be_visible()


async def test_a_permalink_opens_the_thread_it_points_at(
    visit: Open, dw: Bot, workspace: Workspace
) -> None:
    page = await visit()
    ts = await dw.ask()
    link = await dw.client.chat_getPermalink(channel="C_ALERTS", message_ts=ts)
    await dw.client.chat_postMessage(channel="C_GROWTH", text=f"see <{link['permalink']}|that>")
    await page.locator(".side-row", has_text="growth-data").click()
    await page.locator(".msg a", has_text="that").click()
    await expect(page.locator("#thread [data-action=approve]")).to_be_visible()
    await page.goto(link["permalink"])
    await expect(page.locator("#thread [data-action=approve]")).to_be_visible()
    assert page.url.endswith(f"#/ana/data-alerts/{ts}")


async def test_another_person_can_be_played_from_the_same_page(visit: Open) -> None:
    page = await visit("ana/growth-data")
    await page.locator(".switcher").click()
    await page.get_by_role("option", name="Ben Okafor").click()
    await expect(page.locator(".switcher")).to_contain_text("Ben Okafor")
    assert page.url.endswith("#/ben/growth-data")


async def test_a_lost_line_comes_back_with_what_was_missed(
    visit: Open, dw: Bot, workspace: Workspace
) -> None:
    page = await visit("ana/data-alerts")
    workspace.core.streams.end()
    await dw.client.chat_postMessage(channel="C_ALERTS", text="said while nobody listened")
    await expect(page.locator(".msg", has_text="said while nobody listened")).to_be_visible()
    await dw.client.chat_postMessage(channel="C_ALERTS", text="said afterwards")
    await expect(page.locator(".msg", has_text="said afterwards")).to_be_visible()


async def test_an_app_that_is_gone_is_marked(visit: Open, workspace: Workspace) -> None:
    page = await visit("ana/@dw")
    await expect(page.locator(".pane-head .offline")).to_be_visible()
    await expect(page.locator(".side-row", has_text="dw")).to_contain_text("offline")
