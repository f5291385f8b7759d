"""Where people log in: the page shows nothing before, takes only the link's own person, and believes only what holds."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from policies import events as e
from tests.clock import FakeClock
from tests.handlers.mail.provider import Provider, a_provider
from tests.handlers.mail.site import Site, a_site, words

pytestmark = pytest.mark.loopback


@pytest.fixture
async def provider(clock: FakeClock) -> AsyncIterator[Provider]:
    async with a_provider(clock) as made:
        yield made


@pytest.fixture
async def site(tmp_path: Path, clock: FakeClock, provider: Provider) -> AsyncIterator[Site]:
    async with a_site(tmp_path, clock, provider, step_up=True) as made:
        yield made


async def test_nothing_is_shown_before_the_login_and_a_decision_after_it_says_so(
    site: Site,
) -> None:
    link = await site.asked()
    first = await site.browser.get(link)
    assert "Log in" in words(first)
    assert "growth_rollups_job" not in first.text
    shown = await site.browser.get(f"{link}/login", follow_redirects=True)
    assert str(shown.url) == link
    assert "growth_rollups_job" in words(shown)
    done = await site.answer(link)
    assert "Your answer counted" in words(done)
    (made,) = await site.events(e.DecisionMade)
    assert (made.decision.step_up, made.decision.where) == ("oidc", "email")


async def test_somebody_else_who_has_the_link_sees_and_decides_nothing(
    site: Site, provider: Provider
) -> None:
    link = await site.asked()
    provider.email = "eli@example.com"
    page = await site.browser.get(f"{link}/login", follow_redirects=True)
    assert page.status_code == 403
    assert "belongs to somebody else" in words(page)
    assert site.counted("foreign") == 1
    sent = await site.browser.post(link, data={"choice": "yes"})
    assert "log in" in words(sent)
    assert await site.events(e.DecisionMade) == []


async def test_a_login_is_for_one_link_and_for_ten_minutes(site: Site) -> None:
    link = await site.asked()
    await site.browser.get(f"{link}/login", follow_redirects=True)
    other = await site.browser.get(await site.link_of("U0ELI"))
    assert "Log in" in words(other)
    site.world.clock.advance(minutes=11)
    assert "Log in" in words(await site.browser.get(link))


@pytest.mark.parametrize(
    "lies",
    [
        {"email_verified": False},
        {"email_verified": None},
        {"iss": "https://evil.example.com"},
        {"aud": "another-client"},
        {"azp": "another-client"},
        {"nonce": "another"},
        {"exp": 1_000_000_000},
        {"email": None},
    ],
    ids=lambda lies: next(iter(lies)),
)
async def test_claims_that_do_not_hold_let_nobody_in(
    site: Site, provider: Provider, lies: dict[str, Any]
) -> None:
    provider.lies = lies
    link = await site.asked()
    page = await site.browser.get(f"{link}/login", follow_redirects=True)
    assert page.status_code == 403, words(page)
    assert "Nothing was decided" in words(page)
    assert site.counted("login_failed") == 1
    assert "Log in" in words(await site.browser.get(link))


@pytest.mark.parametrize("signs", ["HS256", "none", "other"])
async def test_a_token_signed_otherwise_lets_nobody_in(
    site: Site, provider: Provider, signs: str
) -> None:
    provider.signs = signs
    page = await site.browser.get(f"{await site.asked()}/login", follow_redirects=True)
    assert page.status_code == 403
    assert "is not signed" in words(page)


async def test_a_login_that_was_begun_elsewhere_or_before_ends_nowhere(
    site: Site, provider: Provider
) -> None:
    link = await site.asked()
    began = await site.browser.get(f"{link}/login")
    back = (await site.browser.get(began.headers["Location"])).headers["Location"]
    stranger = await site.browser.get(back.replace("state=", "state=x"))
    assert "another window" in words(stranger)
    site.browser.cookies.clear()
    assert "not begun here" in words(await site.browser.get(back))


async def test_a_key_that_is_new_is_looked_for_once(site: Site, provider: Provider) -> None:
    link = await site.asked()
    await site.browser.get(f"{link}/login", follow_redirects=True)
    await site.browser.get(f"{link}/login", follow_redirects=True)
    assert provider.asked == ["document", "keys"]
    provider.key = Provider(provider.clock).key
    shown = await site.browser.get(f"{link}/login", follow_redirects=True)
    assert "growth_rollups_job" in words(shown)
    assert provider.asked == ["document", "keys", "keys"]


async def test_a_provider_that_calls_itself_otherwise_is_not_used(
    site: Site, provider: Provider
) -> None:
    provider.names = "https://evil.example.com"
    page = await site.browser.get(f"{await site.asked()}/login", follow_redirects=True)
    assert page.status_code == 502
    assert "calls itself otherwise" in words(page)
