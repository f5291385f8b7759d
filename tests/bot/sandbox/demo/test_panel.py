"""What the page is told, and which buttons it may press when."""

import asyncio

from bot.sandbox.demo import night


def states(panel: night.Panel) -> dict[str, str]:
    return {step["time"]: step["state"] for step in panel.state()["steps"]}


def test_a_line_is_later_then_now_then_done_with_what_really_came_out() -> None:
    panel = night.panel()
    assert set(states(panel).values()) == {"later"}
    panel.begin("lag", "now")
    assert (states(panel)["Mon 22:40"], panel.state()["clock"]) == ("now", "Mon 22:40")
    panel.done("lag", "28,300 rows")
    assert panel.state()["steps"][0] == {
        "time": "Mon 22:40",
        "text": "28,300 rows",
        "state": "done",
    }


def test_where_the_night_stops_is_shown() -> None:
    panel = night.panel()
    panel.begin("load", "now")
    panel.failed("Dagster is gone")
    assert states(panel)["Tue 00:30"] == "failed"
    assert panel.state()["note"] == "Dagster is gone"


def test_a_button_that_is_not_enabled_says_why_and_does_nothing() -> None:
    panel = night.panel()
    assert "Once the request is approved" in (panel.press("backfill", "ana") or "")
    assert not panel.was_pressed("backfill")


def test_a_button_is_for_the_person_it_names() -> None:
    panel = night.panel()
    panel.enable("backfill")
    assert panel.press("backfill", "eli") == "This is for ana to press."
    assert panel.press("backfill", "ana") is None
    assert panel.was_pressed("backfill")


async def test_a_button_can_be_pressed_again() -> None:
    panel = night.panel()
    panel.enable("kill")
    for _ in range(2):
        assert panel.press("kill", "dee") is None
        await asyncio.wait_for(panel.wait_for("kill"), 1)


def test_an_unknown_button_is_refused() -> None:
    assert night.panel().press("launch", "ana") == "There is no such button."
