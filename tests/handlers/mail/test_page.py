"""One link, one answer: the page shows what Slack shows, and a POST of its own form decides like a tap."""

import asyncio
from pathlib import Path

import pyotp
import pytest

from bot.ports import RetryAfter
from policies import events as e
from tests.clock import FakeClock
from tests.handlers.mail.site import TOTP, Site, a_site, words

pytestmark = pytest.mark.loopback


async def test_a_yes_on_the_page_counts_like_a_tap_and_is_said_to_come_by_email(site: Site) -> None:
    link = await site.asked()
    page = await site.browser.get(link)
    assert "DW-1 needs your yes or no" in words(page)
    for shown in ("growth_rollups_job", "undo", "Reaches", "Then: "):
        assert shown in words(page), words(page)
    done = await site.answer(link, reason="the replica has caught up")
    assert done.status_code == 200
    assert "Your answer counted. Approved by U0Ana" in words(done)
    (made,) = await site.events(e.DecisionMade)
    assert made.decision.where == "email"
    assert (made.decision.person, made.decision.choice) == ("U0ANA", "yes")
    assert made.decision.reason == "the replica has caught up"
    assert 'name="choice"' not in done.text


async def test_a_no_on_the_page_ends_it(site: Site) -> None:
    done = await site.answer(await site.asked(), "no")
    assert "Rejected by U0Ana" in words(done)
    assert "Nothing of this runs." in words(done)
    assert (await site.world.request()).outcome == "refused"


async def test_no_get_changes_anything_however_often_a_scanner_comes(site: Site) -> None:
    link = await site.asked()
    before = (await site.world.incident()).version
    for _ in range(100):
        assert (await site.browser.get(link)).status_code == 200
    for address in (link, f"{link}?choice=yes", f"{link}?token=x&choice=yes"):
        assert (await site.browser.head(address)).status_code == 200
        assert (await site.browser.get(address)).status_code == 200
        assert (await site.browser.options(address)).status_code == 405
    assert (await site.world.incident()).version == before
    assert (await site.world.request()).open
    assert not await site.world.store.pending("intake", "DW-1")


async def test_the_page_may_run_nothing_be_kept_nowhere_and_be_framed_by_nobody(site: Site) -> None:
    page = await site.browser.get(await site.asked())
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert page.headers["Cache-Control"] == "no-store"
    assert "<script" not in page.text
    cookie = page.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


async def test_what_was_decided_in_slack_is_said_plainly_and_there_is_no_form(site: Site) -> None:
    link = await site.asked()
    await site.world.click("U0ANA")
    await site.ended()
    page = await site.browser.get(link)
    assert "Approved by U0Ana" in words(page)
    assert "<form" not in page.text


async def test_a_stop_is_said_and_takes_the_form_away(site: Site) -> None:
    link = await site.asked()
    await site.world.stop()
    page = await site.browser.get(link)
    assert "Everything is stopped" in words(page)
    assert "drill" in words(page)
    assert "<form" not in page.text


async def test_a_yes_that_needs_a_reason_is_not_taken_without(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with a_site(tmp_path, clock, reason_needed=True) as site:
        link = await site.asked()
        missing = await site.answer(link)
        assert missing.status_code == 422
        assert "needs a reason" in words(missing)
        assert await site.events(e.DecisionMade) == []
        done = await site.answer(link, reason="because <b>it</b> is")
        assert "Your answer counted" in words(done)
        assert "because &lt;b&gt;it&lt;/b&gt; is" in done.text


async def test_a_dangerous_one_needs_the_code_and_a_code_counts_once(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with a_site(tmp_path, clock, step_up=True) as site:
        link = await site.asked()
        wrong = await site.answer(link, code="000000")
        assert wrong.status_code == 422
        assert "This is not the code of this minute" in words(wrong)
        done = await site.answer(link, code=pyotp.TOTP(TOTP).at(clock.now()))
        assert "Your answer counted" in words(done)
        (made,) = await site.events(e.DecisionMade)
        assert made.decision.step_up == "totp"


async def test_while_slack_does_not_answer_an_answer_is_kept_and_weighed_afterwards(
    site: Site,
) -> None:
    async def gone(_person: str, *, fresh: bool = False) -> None:
        raise RetryAfter(1, "Slack does not answer")

    link, people = await site.asked(), site.world.people
    known = people.person
    people.person = gone  # type: ignore[method-assign]
    done = await site.answer(link)
    assert "is stored and is being weighed" in words(done)
    assert "Refresh" in words(done)
    assert "<form" not in done.text
    people.person = known  # type: ignore[method-assign]
    site.world.clock.advance(seconds=30)
    assert (await site.ended()).outcome == "approved"
    assert "Your answer counted" in words(await site.browser.get(link))


async def test_whoever_slept_through_their_turn_reads_on_the_page_that_it_moved_on(
    site: Site,
) -> None:
    link = await site.asked()
    assert "moved on" not in words(await site.browser.get(link))
    async with asyncio.timeout(20):
        while (await site.world.request()).request.hop == 0:
            site.world.clock.advance(seconds=30)
            site.world.desk._wake.set()
            await asyncio.sleep(0.05)
    page = await site.browser.get(link)
    assert "It has moved on to the next in the chain" in words(page)
    assert "Your yes or no still counts until somebody decides." in words(page)
    assert "<form" in page.text
