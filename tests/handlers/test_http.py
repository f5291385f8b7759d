"""Over HTTP only what Slack signed is taken, and the same promises hold."""

from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer

from handlers import app as building
from handlers.entrance import enter
from tests.handlers.room import QUICK, Room, a_room

pytestmark = pytest.mark.loopback


async def serve(room: Room) -> tuple[TestServer, ClientSession]:
    access = replace(room.access, signing_secret="planted-secret")
    session = building.open_session(access)
    slack = await enter(access, session, room.desk, room.desk._clock, QUICK)
    site = web.Application()
    site.router.add_post("/slack/events", building.http_endpoint(slack.app))
    server = TestServer(site)
    await server.start_server()
    return server, session


async def test_signed_requests_are_stored_and_answered(tmp_path: Path) -> None:
    async with a_room(tmp_path, sockets=0) as room:
        server, session = await serve(room)
        await room.workspace.use_http("A0DWBOT", str(server.make_url("/slack/events")))
        room.workspace.alert("A0DAGPLUS", "C0ALERTS", text="Op failed")
        await room.workspace.settled()
        assert room.desk.received == 1
        said = (await room.people["ana"].command("C0ALERTS", "/dw help")).answer
        assert "What I can do" in said["text"]
        await server.close()
        await session.close()


async def test_what_is_not_signed_is_refused(tmp_path: Path) -> None:
    async with a_room(tmp_path, sockets=0) as room:
        server, session = await serve(room)
        url = server.make_url("/slack/events")
        forged = {"X-Slack-Signature": "v0=00", "X-Slack-Request-Timestamp": "1"}
        for headers in ({}, forged):
            async with session.post(
                url, json={"type": "event_callback"}, headers=headers
            ) as answer:
                assert answer.status == 401
        assert room.desk.received == 0
        await server.close()
        await session.close()
