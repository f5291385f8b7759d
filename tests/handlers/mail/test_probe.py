"""What the doctor says of mail and login, at real servers; nothing is sent."""

import aiohttp
import pytest

from handlers.mail import Keys, Office, check_office
from tests.clock import FakeClock
from tests.handlers.mail.postbox import a_postbox
from tests.handlers.mail.provider import a_provider
from tests.handlers.mail.site import KEY
from tests.policies import night

pytestmark = pytest.mark.loopback


async def test_both_are_asked_and_a_fault_says_what_to_look_at(clock: FakeClock) -> None:
    async with (
        a_provider(clock) as provider,
        a_postbox() as box,
        aiohttp.ClientSession() as session,
    ):
        mail = {"host": "127.0.0.1", "port": box.port, "tls": "none", "sender": "dw@example.com"}
        oidc = {"issuer": provider.issuer, "client_id": "dw"}
        rules = night.rules(public_url="http://127.0.0.1:1", mail=mail, oidc=oidc)
        office = Office(rules, Keys(link=KEY), session, clock)
        well = await check_office(office)
        assert [(f.name, f.ok) for f in well] == [("mail", True), ("login", True)]
        assert box.letters == []
        provider.names = "https://another.example.com"
        office = Office(rules, Keys(link=KEY), session, clock)
        assert "look at oidc.issuer" in (await check_office(office))[1].says
    async with aiohttp.ClientSession() as session:
        gone = await check_office(Office(rules, Keys(link=KEY), session, clock))
        assert [finding.ok for finding in gone] == [False, False]
        assert "look at mail in dw.yml" in gone[0].says
