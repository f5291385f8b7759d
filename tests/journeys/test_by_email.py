"""A request goes out by email too; a yes on the page behind its link runs what was shown, and everybody sees it."""

import re
from html import unescape

import httpx
import pytest
from pydantic import SecretStr

from policies import events as e
from tests.handlers.mail.postbox import a_postbox
from tests.journeys.moves import asked, ended
from tests.journeys.props import rules
from tests.journeys.stage import a_stage
from tests.postgres_server import free_port

pytestmark = pytest.mark.loopback
KEY = SecretStr("planted-link-key-of-32-characters")


async def _approve(link: str) -> str:
    """Open the page and send its form; what the page says then."""
    async with httpx.AsyncClient(trust_env=False, timeout=20) as browser:
        page = await browser.get(link)
        token = re.search(r'name="token" value="([^"]+)"', page.text)
        assert token, page.text
        form = {"token": unescape(token[1]), "choice": "yes"}
        return (await browser.post(link, data=form, follow_redirects=True)).text


async def test_a_yes_by_email_runs_what_was_shown_and_every_copy_says_so(url: str) -> None:
    port = free_port()
    async with a_postbox() as box:
        mail = {"host": "127.0.0.1", "port": box.port, "tls": "none", "sender": "dw@example.com"}
        told = rules(mail=mail, public_url=f"http://127.0.0.1:{port}")
        async with a_stage(url, rules=told, mode={"port": port, "link_key": KEY}) as stage:
            dm = await asked(stage)
            stage.clock.advance(seconds=21)
            await stage.idle()
            (letter,) = box.letters
            assert letter["To"] == "ana@example.com"
            body = letter.get_body(("plain",))
            assert body is not None
            link = re.search(r"Look and decide: (\S+)", body.get_content())
            assert link
            page = await _approve(link[1])
            assert "Your answer counted" in page
            await stage.says(dm, "by email")
            await stage.card("repair under way")
            await stage.reply("*Approved* by <@U0ANA>")
            await ended(stage)
            receipt = await stage.reply("*Receipt 1*")
            assert ", by email" in stage.ana.text_of(receipt)
            (made,) = [
                x.event for x in await stage.journal() if isinstance(x.event, e.DecisionMade)
            ]
            assert made.decision.where == "email"
