"""The email says what the request says, escaped, with one link; what can't be delivered is told in the thread."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.ports import RetryAfter, Undeliverable
from bot.worker.mailing import TRIES
from handlers.mail.letters import letter, message_id
from handlers.mail.links import Link
from handlers.mail.postman import SmtpPostman
from policies import events as e
from policies.incident import Incident, RequestState
from policies.mail import MailRule
from tests.bot.worker.world import World
from tests.building import NOW, a_person, a_step
from tests.clock import FakeClock
from tests.handlers import story
from tests.handlers.mail.postbox import PASSWORD, Postbox, a_certificate, a_postbox

pytestmark = pytest.mark.loopback
LINK = "https://dw.example.com/decide/abc"
EVIL = "<img src=x onerror=alert(1)> & <a href='https://evil.example.com'>tap</a>"


def asked(**changes: object) -> tuple[Incident, RequestState]:
    incident = story.asked_stage().incident
    state = next(iter(incident.requests.values()))
    return replace(incident, **changes), state  # type: ignore[arg-type]


def bodies(title: str = "raw_sessions failed") -> tuple[str, str, str]:
    incident, state = asked(title=title)
    message = letter(incident, state, a_person(), link=LINK, at=NOW)
    text, html = message.get_body(("plain",)), message.get_body(("html",))
    assert text is not None
    assert html is not None
    return str(message["Subject"]), text.get_content(), html.get_content()


def test_text_and_html_say_the_same_and_have_one_link() -> None:
    subject, text, html = bodies()
    assert "needs your yes or no until" in subject
    for body in (text, html):
        assert body.count(LINK) == 1
        for part in ("undo", "risk", "Then: ", "sha256:", "raw_sessions", "decides nothing"):
            assert part in body, (part, body)


def test_what_an_alert_says_is_data_in_the_html_and_in_the_headers() -> None:
    subject, _, html = bodies(f"{EVIL}\r\nBcc: eli@example.com")
    assert "<img" not in html
    assert "&lt;img src=x" in html
    assert html.count("<a ") == 1
    assert "\n" not in subject
    assert "\r" not in subject


def test_times_are_shown_in_the_readers_zone_too() -> None:
    incident, state = asked()
    berlin = a_person(tz="Europe/Berlin")
    body = letter(incident, state, berlin, link=LINK, at=NOW).get_body(("plain",))
    assert body is not None
    assert "in Europe/Berlin)" in body.get_content()


def test_the_same_row_is_the_same_email() -> None:
    first, second = (message_id("mail:DW-1-R1:0:U0ANA", "dw@example.com") for _ in range(2))
    assert first == second
    assert first != message_id("mail:DW-1-R1:1:U0ANA", "dw@example.com")
    assert first.endswith("@example.com>")


def postman(box: Postbox, **changes: object) -> SmtpPostman:
    rule = {"host": "127.0.0.1", "port": box.port, "tls": "none", "sender": "dw@example.com"}
    return SmtpPostman(
        rule=MailRule.model_validate({**rule, **changes}),
        password=PASSWORD,
        address=lambda link: f"https://dw.example.com/decide/{link.key}",
        clock=FakeClock(),
    )


async def test_a_letter_arrives_once_encrypted_and_after_a_login(tmp_path: Path) -> None:
    server, trusted = a_certificate(tmp_path)
    incident, state = asked()
    async with a_postbox(server) as box:
        sender = replace(postman(box, tls="starttls", user="dw"), trust=trusted)
        await sender.send(incident, state, a_person(), key="mail:1")
        assert "as dw" in await sender.hello()
        assert box.users == ["dw", "dw"]
        (came,) = box.letters
        assert came["Message-ID"] == message_id("mail:1", "dw@example.com")
        assert came["Auto-Submitted"] == "auto-generated"
        untrusting = replace(sender, trust=None)
        with pytest.raises(RetryAfter, match="certificate"):
            await untrusting.send(incident, state, a_person(), key="mail:2")
        assert len(box.letters) == 1


async def test_a_server_that_says_later_is_asked_again_and_one_that_says_never_is_not() -> None:
    incident, state = asked()
    async with a_postbox() as box:
        box.says = ["451 try later", "550 no such mailbox"]
        with pytest.raises(RetryAfter, match="451 try later"):
            await postman(box).send(incident, state, a_person(), key="k")
        with pytest.raises(Undeliverable, match="550 no such mailbox"):
            await postman(box).send(incident, state, a_person(), key="k")
        with pytest.raises(Undeliverable, match="the address"):
            await postman(box).send(incident, state, replace(a_person(), email="a b"), key="k")
        await postman(box).send(incident, state, a_person(), key="k")
    assert len(box.letters) == 1
    with pytest.raises(RetryAfter):
        await postman(box).send(incident, state, a_person(), key="k")


def test_a_link_is_the_same_decision_from_wherever_it_is_opened() -> None:
    link = Link(incident="DW-1", request="DW-1-R1", person="U0ANA", digest="sha256:1")
    assert link.key == replace(link, where="login page").key
    assert link.key != replace(link, person="U0BO").key
    assert link.key != replace(link, digest="sha256:2").key


class Letterbox:
    """A postman who says what a test tells him to."""

    def __init__(self, *says: Exception | None) -> None:
        self.says, self.keys = list(says), []  # type: ignore[var-annotated]

    async def send(self, _incident: object, _state: object, _person: object, *, key: str) -> None:
        self.keys.append(key)
        problem = self.says.pop(0) if self.says else None
        if problem:
            raise problem


async def test_each_who_is_asked_gets_one_email_a_turn(world: World) -> None:
    box = Letterbox()
    world.use(postman=box)
    await world.alert()
    await world.later(minutes=6)
    assert box.keys == ["mail:DW-1-R1:0:U0ANA", "mail:DW-1-R1:1:U0CLEO"]


async def test_without_mail_no_row_is_written(world: World) -> None:
    await world.alert()
    assert not await world.store.pending("mail", "DW-1")


async def test_what_is_refused_for_good_is_told_in_the_thread_and_slack_goes_on(
    world: World,
) -> None:
    world.use(postman=Letterbox(Undeliverable("550 no such mailbox")))
    await world.alert()
    (refused,) = await facts(world)
    assert (refused.person, refused.why) == ("U0ANA", "550 no such mailbox")
    assert (await world.request()).open
    assert not await world.store.pending("mail", "DW-1")


async def test_a_server_that_never_takes_it_is_given_up_and_told(world: World) -> None:
    world.use(postman=Letterbox(*(RetryAfter(1, "451 later") for _ in range(TRIES))))
    await world.alert()
    for _ in range(TRIES):
        await world.later(seconds=10)
    (refused,) = await facts(world)
    assert "451 later" in refused.why


async def test_somebody_without_an_address_is_told_of(world: World) -> None:
    world.people.people["U0ANA"] = replace(world.people.people["U0ANA"], email=None)
    world.use(postman=Letterbox())
    await world.alert()
    (refused,) = await facts(world)
    assert "no email address" in refused.why


async def test_what_is_decided_already_is_not_mailed(world: World) -> None:
    box = Letterbox(RetryAfter(30, "451 later"))
    world.use(postman=box)
    await world.alert()
    await world.approve()
    await world.later(minutes=1)
    assert len(box.keys) == 1


async def facts(world: World) -> list[e.MailRefused]:
    entries = await world.store.entries("DW-1")
    return [entry.event for entry in entries if isinstance(entry.event, e.MailRefused)]


def test_a_dangerous_step_says_so() -> None:
    incident, state = asked()
    danger = replace(state, shown=(a_step(dangerous=True),))
    body = letter(incident, danger, a_person(), link=LINK, at=NOW).get_body(("plain",))
    assert body is not None
    assert "dangerous: says dw.yml" in body.get_content()
