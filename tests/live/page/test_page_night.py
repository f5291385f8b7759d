"""The bar at the top that tells a demo's story, where a demo serves one."""

from typing import Any

import pytest
from aiohttp import web
from playwright.async_api import expect

from tests.live.page.conftest import Open

pytestmark = [pytest.mark.live, pytest.mark.asyncio(loop_scope="session")]


class Story:
    """A demo's two routes, with one step to take."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []

    async def state(self, _request: web.Request) -> web.Response:
        launched = bool(self.asked)
        steps = [
            {"time": "00:41", "text": "The check fails", "state": "done"},
            {"time": "07:15", "text": "Ana launches", "state": "done" if launched else "now"},
            {"time": "07:38", "text": "The check passes", "state": "now" if launched else "todo"},
        ]
        action = {
            "id": "launch",
            "label": "Ana: launch the backfill in Dagster",
            "as": "U_ANA",
            "hint": "Acts as the owner, through Dagster's own API.",
            "style": "primary",
            "enabled": not launched,
        }
        told = {"title": "Monday night.", "clock": "07:15", "note": "<b>Ana</b> is awake"}
        scale = {"scale_note": "A minute takes a second here."}
        return web.json_response({**told, **scale, "steps": steps, "actions": [action]})

    async def act(self, request: web.Request) -> web.Response:
        self.asked.append(await request.json())
        return web.json_response({"ok": True})


STORY = Story()
ROUTES = (web.get("/demo/state", STORY.state), web.post("/demo/action", STORY.act))


@pytest.mark.parametrize("workspace", [ROUTES], indirect=True)
@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
async def test_the_bar_tells_the_story_and_lets_one_act_as_its_people(
    visit: Open, *, phone: bool
) -> None:
    STORY.asked.clear()
    page = await visit(phone=phone)
    bar = page.locator("#night")
    await expect(bar.locator(".night-clock")).to_have_text("07:15")
    await expect(bar.locator(".night-note")).to_have_text("Monday night. <b>Ana</b> is awake")
    launch = bar.get_by_role("button", name="Ana: launch the backfill in Dagster")
    await expect(launch).to_have_accessible_description(
        "Acts as the owner, through Dagster's own API."
    )
    await launch.click()
    await expect(launch).to_be_disabled()
    assert STORY.asked == [{"id": "launch", "as": "U_ANA"}]
    await bar.get_by_role("button", name="The story, 2 of 3 steps done").click()
    await expect(bar.locator("li[aria-current=step]")).to_contain_text("The check passes")
    await expect(bar).to_contain_text("A minute takes a second here.")
    await page.keyboard.press("Escape")
    await expect(bar.locator("ol")).to_be_hidden()
    height = await launch.evaluate("n => n.getBoundingClientRect().height")
    assert height >= (43.9 if phone else 30)
