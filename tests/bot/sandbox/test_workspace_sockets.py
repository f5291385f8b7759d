import pytest

pytestmark = pytest.mark.loopback


async def test_a_message_typed_by_a_person_reaches_an_unmodified_bolt_app(workspace, bolt):
    got = []

    def listen(app):
        @app.event("message")
        async def on_message(event, say):
            if not event.get("bot_id"):
                got.append(event)
                await say("hello <@U0ANA>", thread_ts=event["ts"])

    async with bolt(workspace, listen):
        ana = workspace.people["ana"]
        await ana.post("data-alerts", "is R&D <ok>, @ben?")
        answer = await ana.wait_for_message("hello")

    assert got[0]["text"] == "is R&amp;D &lt;ok&gt;, <@U0BEN>?"
    assert answer.thread_ts == got[0]["ts"]
