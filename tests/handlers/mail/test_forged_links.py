"""Every way to misuse a link: refused, counted, answered in words, and nothing is decided."""

import asyncio
import re
from datetime import timedelta

import httpx
import pytest

from policies import events as e
from tests.handlers.mail.site import Site, words

pytestmark = pytest.mark.loopback


async def nothing(site: Site, response: httpx.Response, says: str, counted: str) -> None:
    """It is said, it is counted, and nobody has decided anything."""
    assert says in words(response), words(response)
    assert "<form" not in response.text
    assert site.counted(counted) == 1
    assert await site.events(e.DecisionMade) == []
    assert (await site.world.request()).open
    assert site.world.runs.started == []


async def form(site: Site, link: str) -> dict[str, str]:
    """What the page's form would send."""
    token = re.search(r'name="token" value="([^"]+)"', (await site.browser.get(link)).text)
    assert token
    return {"token": token[1], "choice": "yes"}


async def test_an_edited_signature(site: Site) -> None:
    link = await site.asked()
    for edited in (
        link[:-1] + ("A" if link[-1] != "A" else "B"),
        f"{site.base}/decide/x",
        link + ".",
    ):
        assert (await site.browser.get(edited)).status_code == 404
    before = site.counted("forged")
    sent = await site.browser.post(f"{site.base}/decide/x.y", data=await form(site, link))
    assert sent.status_code == 404
    assert site.counted("forged") == before + 1 == 4
    assert "not one of ours" in words(sent)
    assert (await site.world.request()).open


async def test_a_link_counts_once(site: Site) -> None:
    link = await site.asked()
    first = await form(site, link)
    assert "Your answer counted" in words(await site.answer(link))
    again = await site.browser.post(link, data={**first, "choice": "no"})
    assert again.status_code == 409
    assert "Approved by U0Ana" in words(again)
    assert len(await site.events(e.DecisionMade)) == 1
    assert site.counted("used") == 1


async def test_two_answers_at_once_by_one_link_are_one(site: Site) -> None:
    link = await site.asked()
    sent = await form(site, link)
    site.world.desk.arrived = never_arrived  # type: ignore[method-assign]
    answers = await asyncio.gather(*(site.browser.post(link, data=sent) for _ in range(2)))
    taken, refused = sorted(answers, key=lambda answer: answer.status_code)
    assert (taken.status_code, refused.status_code) == (303, 409)
    assert taken.headers["Location"] == link
    await site.ended()
    assert len(await site.events(e.DecisionMade)) == 1


async def never_arrived(_place: str) -> bool:
    return False


async def test_the_link_of_somebody_who_may_not_decide(site: Site) -> None:
    await site.asked()
    done = await site.answer(await site.link_of("U0ELI"))
    assert "Your answer did not count and nothing changed" in words(done)
    assert "not among those who may decide" in words(done)
    (refused,) = await site.events(e.DecisionRefused)
    assert refused.refusal.person == "U0ELI"
    assert (await site.world.request()).open


async def test_a_link_to_what_has_changed_since(site: Site) -> None:
    await site.asked()
    link = await site.link_of("U0ANA", digest="sha256:" + "0" * 64)
    page = await site.browser.get(link)
    assert "is not what would run any more" in words(page)
    assert "<form" not in page.text
    sent = await site.browser.post(link, data=await form(site, await site.link_of("U0ANA")))
    await nothing(site, sent, "was not sent by the page", "no_token")


async def test_a_link_to_a_void_request(site: Site) -> None:
    link = await site.asked()
    sent = await form(site, link)
    incident = await site.world.incident()
    request = (await site.world.request()).request.id
    await site.world.context.commit(incident, e.RequestVoided(request_id=request, why="v1 → v2"))
    answer = await site.browser.post(link, data=sent)
    assert answer.status_code == 409
    assert "No longer valid: v1 → v2" in words(answer)
    assert "look for the newer request" in words(answer)
    assert await site.events(e.DecisionMade) == []


async def test_a_link_whose_request_has_expired(site: Site) -> None:
    link = await site.asked()
    incident = await site.world.incident()
    request = (await site.world.request()).request.id
    await site.world.context.commit(incident, e.RequestExpired(request_id=request))
    page = await site.browser.get(link)
    assert "Nobody decided in time: that is a no" in words(page)
    assert "<form" not in page.text


async def test_a_link_to_another_incident(site: Site) -> None:
    await site.asked()
    page = await site.browser.get(await site.link_of("U0ANA", incident="DW-99"))
    assert "is not known any more" in words(page)


async def test_a_post_without_the_token_of_the_page(site: Site) -> None:
    link = await site.asked()
    await site.browser.get(link)
    await nothing(
        site, await site.browser.post(link, data={"choice": "yes"}), "was not sent by", "no_token"
    )


async def test_a_post_from_another_browser(site: Site) -> None:
    link = await site.asked()
    sent = await form(site, link)
    async with httpx.AsyncClient(trust_env=False) as other:
        await nothing(site, await other.post(link, data=sent), "was not sent by", "no_token")


async def test_a_page_that_lay_open_too_long(site: Site) -> None:
    link = await site.asked()
    sent = await form(site, link)
    site.world.clock.advance(hours=1.1)
    late = await site.browser.post(link, data=sent)
    assert late.status_code == 403
    assert "more than an hour ago" in words(late)
    assert await site.events(e.DecisionMade) == []


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example.com"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "null"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
async def test_a_post_from_another_site(site: Site, headers: dict[str, str]) -> None:
    link = await site.asked()
    sent = await site.browser.post(link, data=await form(site, link), headers=headers)
    assert sent.status_code == 403
    await nothing(site, sent, "was sent from another site", "cross_site")


async def test_a_post_of_another_shape(site: Site) -> None:
    link = await site.asked()
    sent = await form(site, link)
    odd = await site.browser.post(link, json=sent)
    await nothing(site, odd, "was not sent by the page", "no_token")


async def test_a_note_of_one_kind_is_none_of_another(site: Site) -> None:
    seals = site.office._seals
    note = seals.note("form", "a", "b")
    assert seals.read_note("form", note, within=timedelta(hours=1)) == ["a", "b"]
    assert seals.read_note("who", note, within=timedelta(hours=1)) is None
    assert seals.read_link(note) is None
