"""The email says what the request says, escaped, with one link; what can't be delivered is told in the thread."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.ports import ASKED, REMINDER, Letter, RetryAfter, Undeliverable
from handlers.mail.letters import letter, message_id
from handlers.mail.links import Link
from handlers.mail.postman import SmtpPostman
from policies.batch import Member
from policies.incident import Incident, RequestState
from policies.mail import MailRule
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


def a_letter(*members: Member, **changes: object) -> Letter:
    known = {"person": a_person(), "members": members, "kind": ASKED, "name": "mail:1", **changes}
    return Letter(**known)  # type: ignore[arg-type]


def bodies(title: str = "raw_sessions failed") -> tuple[str, str, str]:
    incident, state = asked(title=title)
    message = letter(a_letter((incident, state)), link=LINK, at=NOW)
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
    message = letter(a_letter((incident, state), person=berlin), link=LINK, at=NOW)
    body = message.get_body(("plain",))
    assert body is not None
    assert "Until Tue 29 Sep 02:46 in Europe/Berlin (00:46 UTC)" in body.get_content()
    assert str(message["Subject"]).startswith("DW-3 needs your yes or no until 02:46: ")


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
    async with a_postbox(server) as box:
        sender = replace(postman(box, tls="starttls", user="dw"), trust=trusted)
        await sender.send(a_letter(asked()))
        assert "as dw" in await sender.hello()
        assert box.users == ["dw", "dw"]
        (came,) = box.letters
        assert came["Message-ID"] == message_id("mail:1", "dw@example.com")
        assert came["Auto-Submitted"] == "auto-generated"
        untrusting = replace(sender, trust=None)
        with pytest.raises(RetryAfter, match="certificate"):
            await untrusting.send(a_letter(asked()))
        assert len(box.letters) == 1


async def test_a_server_that_says_later_is_asked_again_and_one_that_says_never_is_not() -> None:
    async with a_postbox() as box:
        box.says = ["451 try later", "550 no such mailbox"]
        with pytest.raises(RetryAfter, match="451 try later"):
            await postman(box).send(a_letter(asked()))
        with pytest.raises(Undeliverable, match="550 no such mailbox"):
            await postman(box).send(a_letter(asked()))
        with pytest.raises(Undeliverable, match="the address"):
            await postman(box).send(a_letter(asked(), person=a_person(email="a b")))
        await postman(box).send(a_letter(asked()))
    assert len(box.letters) == 1
    with pytest.raises(RetryAfter):
        await postman(box).send(a_letter(asked()))


def test_a_link_is_the_same_decision_from_wherever_it_is_opened() -> None:
    link = Link(incident="DW-1", request="DW-1-R1", person="U0ANA", digest="sha256:1")
    assert link.key == replace(link, where="login page").key
    assert link.key != replace(link, person="U0BO").key
    assert link.key != replace(link, digest="sha256:2").key


def test_a_dangerous_step_says_so() -> None:
    incident, state = asked()
    danger = replace(state, shown=(a_step(dangerous=True),))
    body = letter(a_letter((incident, danger)), link=LINK, at=NOW).get_body(("plain",))
    assert body is not None
    assert "dangerous: says dw.yml" in body.get_content()


async def test_a_reminder_is_an_answer_in_the_thread_of_the_first_email() -> None:
    first, name = "DW-3 needs your yes or no until 00:46: raw_sessions", "dw@example.com"
    async with a_postbox() as box:
        assert (await postman(box).send(a_letter(asked()))).startswith("DW-3 needs your yes or no")
        later = a_letter(
            asked(), kind=REMINDER, name="mail:3", follows=("mail:1", "mail:2"), subject=first
        )
        assert await postman(box).send(later) == first
        _, reminder = box.letters
    assert reminder["Subject"] == f"Re: {first}"
    assert reminder["Message-ID"] == message_id("mail:3", name)
    assert reminder["In-Reply-To"] == message_id("mail:2", name)
    assert reminder["References"].split() == [message_id(x, name) for x in ("mail:1", "mail:2")]
    body = reminder.get_body(("plain",))
    assert body is not None
    assert body.get_content().startswith("Half of the time is gone: DW-3 needs your yes or no")


def test_whoever_is_the_last_to_be_asked_is_told_so_at_half_time() -> None:
    incident, state = asked()
    rule = replace(state.request.rule, chain=state.request.rule.chain[:1])
    last = replace(state, request=replace(state.request, rule=rule))
    message = letter(a_letter((incident, last), kind=REMINDER), link=LINK, at=NOW)
    for kind in ("plain", "html"):
        body = message.get_body((kind,))
        assert body is not None
        assert "Last call: DW-3 needs your yes or no" in body.get_content()
        assert "Nobody is asked after you: silence is a no." in body.get_content()


def test_an_email_names_people_and_shows_no_address_of_theirs() -> None:
    incident, state = asked(named=(("ana@example.com", "Ana Ortiz"), ("bo@example.com", "Bo")))
    for kind in ("plain", "html"):
        body = letter(a_letter((incident, state)), link=LINK, at=NOW).get_body((kind,))
        assert body is not None
        assert "Ana Ortiz (owner of raw_sessions, from dw.yml)" in body.get_content()
        assert "Ana Ortiz does this by hand" in body.get_content()
        assert "ana@example.com" not in body.get_content()
