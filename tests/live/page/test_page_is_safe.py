"""What a message says is data: it is shown, it never runs, it never becomes a place to go."""

from typing import Any

import pytest
from playwright.async_api import Page, expect

from bot.sandbox.workspace import Workspace
from tests.live.page.conftest import Open
from tests.live.page.stage import words

pytestmark = [pytest.mark.live, pytest.mark.asyncio(loop_scope="session")]

PLANTS = [
    "<script>alert(1)</script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "<img src=x onerror=alert(1)>",
    "<javascript:alert(1)|Click here>",
    "<JaVaScRiPt:alert(1)>",
    "[Click](javascript:alert(1))",
    '<https://ok.example/?a=1&amp;b=2|"><img src=x onerror=alert(1)>>',
    "<data:text/html,<script>alert(1)</script>|data>",
    "```<svg onload=alert(1)>```",
    "`<svg onload=alert(1)>`",
    "<!date^1790642460^{time}^javascript:alert(1)|then>",
    "<!subteam^S_GROWTH|<img src=x onerror=alert(1)>>",
]
LOOK = """() => ({
  ran: window.ran ?? null,
  made: document.querySelectorAll(".log :is(script, img, iframe, object, embed, svg[onload])").length,
  places: [...document.querySelectorAll(".log a")].map((a) => new URL(a.href).protocol),
})"""


def blocks(text: str) -> list[dict[str, Any]]:
    return [
        {"type": "section", "text": {"type": "mrkdwn", "text": text}, "fields": [words(text)]},
        {"type": "header", "text": words(text)},
        {"type": "markdown", "text": text},
        {
            "type": "image",
            "image_url": "https://pictures.example/x.png",
            "alt_text": text,
            "title": words(text),
        },
        {
            "type": "rich_text",
            "elements": [
                {
                    "type": "rich_text_section",
                    "elements": [
                        {"type": "text", "text": text},
                        {"type": "link", "url": "https://ok.example/", "text": text},
                    ],
                }
            ],
        },
    ]


def attachment(text: str) -> dict[str, Any]:
    return {
        "title": text,
        "text": text,
        "pretext": text,
        "color": "red;background:url(https://pictures.example/x)",
        "footer": text,
        "fields": [{"title": text, "value": text, "short": True}],
    }


async def trapped(page: Page) -> list[str]:
    rung: list[str] = []

    async def hear(dialog: Any) -> None:
        rung.append(dialog.message)
        await dialog.dismiss()

    page.on("dialog", hear)
    return rung


async def test_planted_markup_is_shown_as_text_and_does_nothing(
    visit: Open, workspace: Workspace
) -> None:
    page = await visit()  # its fixture also fails on any request that leaves this machine
    rung = await trapped(page)
    for text in PLANTS:
        workspace.alert("A_DAG", "C_ALERTS", text=text)
        workspace.alert(
            "A_DAG", "C_ALERTS", text=text, blocks=blocks(text), attachments=[attachment(text)]
        )
    await expect(page.locator(".msg")).to_have_count(2 * len(PLANTS))
    await expect(page.locator(".msg-text").first).to_have_text(PLANTS[0])
    seen = await page.evaluate(LOOK)
    assert seen["made"] == 0
    assert set(seen["places"]) <= {"https:"}
    assert rung == []


async def test_an_address_that_is_not_the_webs_is_never_opened(visit: Open) -> None:
    page = await visit()  # the workspace refuses such blocks, so they are drawn here directly
    rung = await trapped(page)
    drawn = """async () => {
      const { blocks, attachments } = await import("/js/blocks.js");
      const evil = "javascript:alert(1)";
      const scope = { names: {}, form: { register() {}, kept() {} }, act: async () => true };
      const text = { type: "plain_text", text: "Open" };
      const link = { type: "rich_text_section", elements: [{ type: "link", url: evil, text: "x" }] };
      let opened = 0;
      window.open = () => (opened += 1);
      document.querySelector(".log").append(blocks([
        { type: "rich_text", elements: [link] },
        { type: "image", image_url: evil, alt_text: "x" },
        { type: "actions", elements: [{ type: "button", action_id: "a", text, url: evil }] },
      ], scope), ...attachments([{ title: "x", title_link: evil }], scope).flat().filter(Boolean));
      document.querySelector("[data-action=a]").click();
      return [opened, document.querySelectorAll(".log :is(a, img)").length];
    }"""
    assert await page.evaluate(drawn) == [0, 0]
    assert rung == []


async def test_the_page_itself_forbids_what_it_did_not_bring(visit: Open) -> None:
    page = await visit()
    tried = """() => new Promise((done) => {
      document.addEventListener("securitypolicyviolation", (e) => done(e.effectiveDirective));
      document.body.append(Object.assign(document.createElement("script"), {textContent: "window.ran = 1"}));
    })"""
    assert await page.evaluate(tried) == "script-src-elem"
    assert await page.evaluate("window.ran ?? null") is None


MEANT = {
    "*bold* _it_ ~no~": "<b>bold</b> <em>it</em> <s>no</s>",
    "*a*b and dag_run_id and _tmp_x": "*a*b and dag_run_id and _tmp_x",
    "`_tmp_` *`x_y`*": '<code class="short">_tmp_</code> <b><code class="short">x_y</code></b>',
    "1 &lt; 2 &amp;&amp; &amp;lt;": "1 &lt; 2 &amp;&amp; &amp;lt;",
    "&gt; said\nanswered": "<blockquote>said</blockquote>answered",
    "<!here> <@U_BEN>": '<span class="mention loud">@here</span> <span class="mention">@Ben</span>',
    ":tada: :no_such: 10:30:00": "🎉 :no_such: 10:30:00",
}


async def test_mrkdwn_reads_as_in_slack(visit: Open) -> None:
    page = await visit()
    script = """async (texts) => {
      const { mrkdwn } = await import("/js/mrkdwn.js");
      const names = { person: () => ({ name: "Ben" }) };
      return texts.map((text) => {
        const box = document.createElement("div");
        box.append(mrkdwn(text, names));
        return [text, box.innerHTML];
      });
    }"""
    assert dict(await page.evaluate(script, list(MEANT))) == MEANT
