"""Who is asked or reminded gets one email of what waits, in one thread; what can't be delivered is told in Slack."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.ports import Letter, Mailed, NewDue, RetryAfter, StoreUnavailable, Undeliverable
from bot.worker.mailing import APART, TRIES
from policies import events as e
from tests.bot.worker.letterbox import Letterbox
from tests.bot.worker.test_together import forty, opens
from tests.bot.worker.world import World


def reaches(world: World, *says: Exception | None) -> Letterbox:
    box = Letterbox(*says)
    world.use(postman=box)
    return box


async def mailed(world: World) -> None:
    """Let an email wait for others of its kind."""
    await world.later(seconds=21)


async def facts(world: World) -> list[e.MailRefused]:
    entries = await world.store.entries("DW-1")
    return [entry.event for entry in entries if isinstance(entry.event, e.MailRefused)]


def parts(letter: Letter) -> tuple[str, str, str]:
    """Kind, request and hop, and person of an email's name."""
    _, kind, request, hop, *_, person = letter.name.split(":")
    return kind, f"{request}:{hop}", person


async def test_each_who_is_asked_gets_an_email_and_at_half_time_one_more_in_its_thread(
    world: World,
) -> None:
    box = reaches(world)
    await world.alert()
    await mailed(world)
    await world.later(minutes=2, seconds=20)
    await mailed(world)
    await world.later(minutes=3)
    await mailed(world)
    asked, reminder, next_one = box.letters
    assert parts(asked) == ("asked", "DW-1-R1:0", "U0ANA")
    assert parts(reminder) == ("reminder", "DW-1-R1:0", "U0ANA")
    assert parts(next_one) == ("asked", "DW-1-R1:1", "U0CLEO")
    assert (asked.follows, asked.subject) == ((), "")
    assert (reminder.follows, reminder.subject) == ((asked.name,), f"about {asked.name}")
    assert next_one.follows == (), "another person, another thread"


async def test_whoever_decides_before_half_time_is_not_reminded_by_email(world: World) -> None:
    box = reaches(world)
    await world.alert()
    await mailed(world)
    await world.later(minutes=2, seconds=10)
    assert await world.store.pending("mail", "DW-1")
    await world.approve()
    await mailed(world)
    assert [letter.kind for letter in box.letters] == ["asked"]


async def test_without_mail_no_row_is_written(world: World) -> None:
    await world.alert()
    assert not await world.store.pending("mail", "DW-1")


async def test_forty_of_a_kind_are_one_email_that_lists_each(world: World) -> None:
    box = reaches(world)
    await forty(world)
    assert [len(listed) for listed in box.listed()] == [40]
    assert box.listed()[0][:2] == ["DW-1-R1", "DW-2-R1"]


async def test_what_comes_later_is_one_more_in_the_same_thread_and_not_at_once(
    world: World,
) -> None:
    box = reaches(world)
    await forty(world, 3)
    await opens(world, 98)
    await mailed(world)
    assert len(box.letters) == 1, f"less than {APART} after the first"
    await opens(world, 99)
    await world.later(seconds=60)
    first, second = box.letters
    assert [state.request.id for _, state in second.members][-2:] == ["DW-4-R1", "DW-5-R1"]
    assert second.follows == (first.name,)
    await world.later(minutes=10)
    assert len(box.letters) == 2


async def test_more_than_forty_are_told_in_as_many_emails_as_it_takes(world: World) -> None:
    box = reaches(world)
    await forty(world, 43)
    await world.later(minutes=2)
    assert [len(listed) for listed in box.listed()] == [40, 3]


class Forgetful:
    """The store, that dies once between an email and the note that it went out."""

    def __init__(self, world: World) -> None:
        self._store, self.dies = world.store, True

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    async def keep_mailed(self, kept: Sequence[Mailed]) -> None:
        if self.dies:
            self.dies = False
            raise StoreUnavailable("gone for a moment")
        await self._store.keep_mailed(kept)


async def test_after_a_crash_right_after_sending_it_is_the_same_email_and_no_third(
    world: World,
) -> None:
    box = reaches(world)
    world.use(store=Forgetful(world))
    await forty(world, 3)
    await world.later(minutes=2)
    await world.later(minutes=2)
    first, again = box.letters
    assert first.name == again.name, "mail programs show it once"


async def test_what_came_between_a_crash_and_the_second_try_is_an_email_of_its_own(
    world: World,
) -> None:
    box = reaches(world, RetryAfter(30, "451 later"))
    await forty(world, 3)
    await opens(world, 99)
    await world.later(minutes=2)
    tried, sent = box.letters
    assert tried.name != sent.name, "mail programs must not take it for the first"
    assert box.listed()[1] == ["DW-1-R1", "DW-2-R1", "DW-3-R1", "DW-4-R1"]


async def test_whoever_is_asked_once_more_gets_an_email_of_its_own_in_the_thread(
    world: World,
) -> None:
    box = reaches(world)
    await world.alert()
    await mailed(world)
    incident, state = await world.incident(), await world.request()
    world.clock.advance(minutes=1)
    again = world.clock.now().replace(hour=23)
    made = replace(state.request, deadline=again)
    assert state.request.until is not None
    until = replace(state.request.until, began=world.clock.now(), at=made.deadline)
    asked = e.PeopleAsked(request_id=made.id, hop=0, people=("U0ANA",), until=until)
    await world.context.commit(incident, asked)
    await mailed(world)
    first, second = box.letters
    assert first.name != second.name
    assert second.follows == (first.name,)


async def test_what_is_refused_for_good_is_told_in_the_thread_and_slack_goes_on(
    world: World,
) -> None:
    reaches(world, Undeliverable("550 no such mailbox"))
    await world.alert()
    await mailed(world)
    (refused,) = await facts(world)
    assert (refused.person, refused.why) == ("U0ANA", "550 no such mailbox")
    assert (await world.request()).open
    assert not await world.store.pending("mail", "DW-1")


async def test_a_server_that_never_takes_it_is_given_up_and_told(world: World) -> None:
    reaches(world, *(RetryAfter(1, "451 later") for _ in range(TRIES)))
    await world.alert()
    for _ in range(TRIES + 2):
        await world.later(seconds=12)
    (refused,) = await facts(world)
    assert "451 later" in refused.why


async def test_somebody_without_an_address_is_told_of(world: World) -> None:
    world.people.people["U0ANA"] = replace(world.people.people["U0ANA"], email=None)
    reaches(world)
    await world.alert()
    await mailed(world)
    (refused,) = await facts(world)
    assert "no email address" in refused.why


@pytest.mark.parametrize("tries", [0, 1])
async def test_what_is_decided_already_is_not_mailed(world: World, tries: int) -> None:
    box = reaches(world, RetryAfter(30, "451 later"))
    await world.alert()
    await world.later(seconds=21 * tries)
    await world.approve()
    await world.later(minutes=1)
    assert len(box.letters) == tries


async def test_a_row_that_an_older_version_wrote_is_an_email_all_the_same(world: World) -> None:
    await world.alert()
    box, state = reaches(world), await world.request()
    row = NewDue(
        kind="mail",
        key=f"mail:{state.request.id}:0:U0ANA",
        at=world.clock.now(),
        incident_id="DW-1",
        payload={"request": state.request.id, "person": "U0ANA"},
    )
    await world.store.add((row,))
    await world.later(seconds=1)
    assert box.listed() == [["DW-1-R1"]]
