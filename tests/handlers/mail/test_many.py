"""Requests of one kind are one email and one page: decided together or one by one, each once, as they were shown."""

import asyncio
import re
from html import unescape

import httpx
import pytest

from bot.commands import Received
from handlers.mail.links import Link, ListLink
from policies import events as e
from policies.batch import digest_of
from tests.bot.worker.test_together import opens
from tests.handlers.mail.site import Site, words

pytestmark = pytest.mark.loopback


async def listed(site: Site, count: int = 3) -> str:
    """So many troubles of one cause; the link in the one email about them."""
    for number in range(count):
        await opens(site.world, number)
    await site.mailed()
    assert len(site.postbox.letters) == 1
    return site.link_in_mail()


async def outcomes(site: Site, count: int = 3) -> list[str | None]:
    found = [await site.world.incident(f"DW-{number + 1}") for number in range(count)]
    return [next(iter(incident.requests.values())).outcome for incident in found]


async def became(site: Site, *expected: str | None) -> bool:
    """Wait until that is what became of them; a busy machine is not a defect."""
    async with asyncio.timeout(20):
        while await outcomes(site, len(expected)) != list(expected):  # noqa: ASYNC110 - a database wakes nobody
            await asyncio.sleep(0.05)
    return True


async def reads(site: Site, link: str, text: str, times: int = 1) -> bool:
    """Wait until the page says it so often."""
    async with asyncio.timeout(20):
        while words(await site.browser.get(link)).count(text) != times:  # noqa: ASYNC110 - a page wakes nobody
            await asyncio.sleep(0.05)
    return True


def field(page: httpx.Response, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page.text)
    assert found, words(page)
    return unescape(found[1])


async def form(site: Site, link: str, choice: str = "yes", **more: str) -> dict[str, str]:
    """What the page's form would send."""
    page = await site.browser.get(link)
    return {"token": field(page, "token"), "shown": field(page, "shown"), "choice": choice, **more}


async def send(site: Site, link: str, sent: dict[str, str]) -> httpx.Response:
    return await site.browser.post(link, data=sent, follow_redirects=True)


async def made(site: Site, name: str) -> list[e.DecisionMade]:
    entries = await site.world.store.entries(name)
    return [x.event for x in entries if isinstance(x.event, e.DecisionMade)]


async def test_one_email_lists_each_and_the_page_shows_what_is_the_same_once(site: Site) -> None:
    link = await listed(site)
    letter = site.postbox.letters[0]
    assert str(letter["Subject"]).startswith("3 requests need your yes or no until")
    text, html = letter.get_body(("plain",)), letter.get_body(("html",))
    assert text is not None
    assert html is not None
    for body in (text.get_content(), html.get_content()):
        assert all(f"part-{number}" in body for number in range(3))
        assert body.count("/decide/") == 1
    page = await site.browser.get(link)
    assert "3 requests need your yes or no" in words(page)
    assert "Approve all 3" in words(page)
    assert words(page).count("undo") == 1
    assert "<script" not in page.text


async def test_a_yes_to_all_is_a_decision_in_each_journal_by_email(site: Site) -> None:
    link = await listed(site)
    await send(site, link, await form(site, link, reason="the replica has caught up"))
    assert await became(site, "approved", "approved", "approved")
    for number in (1, 2, 3):
        (one,) = await made(site, f"DW-{number}")
        state = (await site.world.incident(f"DW-{number}")).requests[f"DW-{number}-R1"]
        assert (one.decision.where, one.decision.person) == ("email", "U0ANA")
        assert one.decision.digest == state.request.digest
        assert one.decision.reason == "the replica has caught up"
    assert await reads(site, link, "Your answer counted.", 3)
    assert "None of these waits for you any more" in words(await site.browser.get(link))
    again = await send(site, link, {**await posted(site, link), "choice": "no"})
    assert again.status_code == 409
    assert await became(site, "approved", "approved", "approved")


async def posted(site: Site, link: str) -> dict[str, str]:
    """A form that lay open in another window."""
    token, _ = site.office._seals, link
    read = token.read_link(link.rpartition("/")[2])
    assert read is not None
    cookie = site.browser.cookies.get("dw_form") or ""
    return {"token": token.note("form", read.key, "U0ANA ", cookie), "shown": "sha256:0"}


async def test_a_no_to_all_ends_them_and_a_get_ends_nothing(site: Site) -> None:
    link = await listed(site)
    for _ in range(20):
        assert (await site.browser.get(f"{link}?choice=yes")).status_code == 200
    assert await outcomes(site) == [None] * 3
    await send(site, link, await form(site, link, "no"))
    assert await became(site, "refused", "refused", "refused")


async def test_one_is_decided_alone_and_the_rest_together(site: Site) -> None:
    link = await listed(site)
    page = await site.browser.get(link)
    alone = [unescape(found) for found in re.findall(r'href="(http[^"]+)"', page.text)]
    assert len(alone) == 3
    old = {"token": field(page, "token"), "shown": field(page, "shown"), "choice": "yes"}
    await site.answer(alone[1], "no")
    assert await became(site, None, "refused", None)
    late = await send(site, link, old)
    assert late.status_code == 409
    assert "The list is not the one you saw any more" in words(late)
    assert "DW-2 Your answer counted. Rejected by" in words(late)
    done = await send(site, link, await form(site, link))
    assert await became(site, "approved", "refused", "approved")
    assert "used" not in words(done)
    assert await reads(site, alone[0], "Your answer counted"), "the list was its link too"
    assert "<form" not in (await site.browser.get(alone[0])).text


async def test_a_link_and_its_list_are_one_answer(site: Site) -> None:
    """Stored and not weighed yet, it can't be given once more by the other way."""
    link = await listed(site)
    page = await site.browser.get(link)
    alone = unescape(re.findall(r'href="(http[^"]+)"', page.text)[0])
    single = field(await site.browser.get(alone), "token")
    await send(site, link, await form(site, link))
    again = await site.browser.post(alone, data={"token": single, "choice": "no"})
    assert again.status_code == 409
    for number in (1, 2, 3):
        (item,) = await arrived(site, f"DW-{number}")
        assert item.key.startswith("link:")
    assert await became(site, "approved", "approved", "approved")


async def arrived(site: Site, name: str) -> list[Received]:
    """What came in by this request's own link."""
    request = (await site.world.incident(name)).requests[f"{name}-R1"].request
    own = Link(incident=name, request=request.id, person="U0ANA", digest=request.digest)
    found = await site.world.store.received(own.key)
    return [found] if found else []


async def test_a_list_is_bound_to_its_person_and_to_what_it_showed(site: Site) -> None:
    await listed(site)
    names = tuple((f"DW-{n}", f"DW-{n}-R1") for n in (1, 2, 3))
    found = [await site.world.incident(name) for name, _ in names]
    digest = digest_of([(one, next(iter(one.requests.values()))) for one in found])
    for wrong, says in (
        (
            ListLink(requests=names, person="U0ANA", digest="sha256:0"),
            "not what would run any more",
        ),
        (
            ListLink(requests=names[:2], person="U0ANA", digest=digest),
            "not what would run any more",
        ),
        (
            ListLink(requests=(*names, ("DW-9", "DW-9-R1")), person="U0ANA", digest=digest),
            "is not known any more",
        ),
    ):
        page = await site.browser.get(site.office.address(wrong))
        assert page.status_code == 409
        assert says in words(page)
    elis = site.office.address(ListLink(requests=names, person="U0ELI", digest=digest))
    await send(site, elis, await form(site, elis))
    assert await reads(site, elis, "Your answer did not count and nothing changed", 3)
    assert await outcomes(site) == [None] * 3


async def test_a_list_needs_its_own_form_in_its_own_browser(site: Site) -> None:
    link = await listed(site)
    sent = await form(site, link)
    bare = await site.browser.post(link, data={k: v for k, v in sent.items() if k != "token"})
    assert "was not sent by the page" in words(bare)
    elsewhere = await site.browser.post(link, data=sent, headers={"Origin": "https://evil.test"})
    assert "was sent from another site" in words(elsewhere)
    forged = await site.browser.get(link[:-1] + ("A" if link[-1] != "A" else "B"))
    assert forged.status_code == 404
    assert (await site.browser.post(link, data={**sent, "choice": "maybe"})).status_code == 422
    assert await outcomes(site) == [None] * 3


async def test_a_plan_that_changed_meanwhile_does_not_count_and_the_others_do(site: Site) -> None:
    link = await listed(site)
    sent = await form(site, link)
    incident = await site.world.incident("DW-2")
    voided = e.RequestVoided(request_id="DW-2-R1", why="the reach has grown")
    await site.world.context.commit(incident, voided)
    late = await send(site, link, sent)
    assert late.status_code == 409
    assert "DW-2 No longer valid: the reach has grown" in words(late)
    await send(site, link, await form(site, link))
    assert await became(site, "approved", "void", "approved")


async def test_forty_are_one_page_with_all_of_them(site: Site) -> None:
    link = await listed(site, 40)
    page = await site.browser.get(link)
    assert len(link) < 1500, "an address that every mail program takes whole"
    assert "Approve all 40" in words(page)
    assert all(f"part-{number} " in words(page) for number in range(40))
