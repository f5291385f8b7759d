"""`/dw connections` and the message about a blind one: readable on a phone, and nothing foreign gets through."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.estate import ConnectionLine
from bot.ports import Notice, Stop
from handlers.views import connections, notice
from policies.sight import Sight
from tests.building import NOW
from tests.handlers.room import Room

SIGHT = Sight(connection="dagster", began=NOW, since=NOW, looked_at=NOW, seen_at=NOW)
LINE = ConnectionLine(
    name="dagster",
    kind="dagster",
    reads="runs, checks",
    read_only=False,
    jobs=("growth_rollups_job",),
    why_not=None,
    polled=True,
    blind=False,
    sight=SIGHT,
    stop=None,
)
BLIND = replace(
    LINE, name="billing", blind=True, sight=replace(SIGHT, failures=4, problem="<!here> down")
)
SAID = Notice(connection="dagster", channel="#data-alerts", blind_from=NOW, problem="<!here> down")


def test_the_blind_one_comes_first_and_is_named_in_the_first_line() -> None:
    words = connections([LINE, BLIND]).words().splitlines()
    assert words[0] == "*2 connections*, *1 blind*: `billing`"
    assert words[1].startswith("*`billing`* dagster: *blind since <!date")
    assert words[3].startswith("4 failed looks in a row, last <!date")
    assert "&lt;!here&gt; down" in words[3]


def test_what_may_be_run_why_nothing_may_and_who_stopped_it_is_said() -> None:
    pinned = replace(
        LINE, name="b", read_only=True, why_not="dw.yml pins this connection read-only"
    )
    stop = Stop(by="U0DEE", at=NOW, reason="drill", scope="connection:b")
    words = connections([LINE, replace(pinned, stop=stop)]).words()
    assert "May run, after a yes: `growth_rollups_job`." in words
    assert "*Pinned read-only.* Changes nothing: dw.yml pins" in words
    assert "*Stopped* by <@U0DEE> since" in words


def test_silence_never_looks_like_health() -> None:
    told = {
        "not looked at by itself, only asked when needed": replace(LINE, polled=False),
        "not looked at yet": replace(LINE, sight=None),
        "never answered yet": replace(LINE, sight=replace(SIGHT, seen_at=None, failures=1)),
    }
    for words, line in told.items():
        assert words in connections([line]).words()


def test_runs_that_never_came_and_paused_ones_are_shown() -> None:
    remarks = tuple(f"job_{n}: it is paused; no run is expected" for n in range(9))
    words = connections([replace(LINE, sight=replace(SIGHT, remarks=remarks))]).words()
    assert "• job_0: it is paused" in words


def test_a_blind_one_is_said_with_its_reason_and_what_it_means() -> None:
    words = notice(SAID).words()
    assert "I am blind at `dagster`" in words
    assert "Silence does not mean that all is well" in words
    assert "&lt;!here&gt; down" in words
    assert "Looks at it do not end." in notice(replace(SAID, problem="")).words()


@pytest.mark.loopback
async def test_it_is_one_message_that_changes_and_one_that_was_deleted_is_posted_anew(
    quiet_room: Room,
) -> None:
    channel, ts = await quiet_room.slack.announcer.notice(SAID)
    again = await quiet_room.slack.announcer.notice(SAID)
    assert again == (channel, ts) == ("C0ALERTS", ts)
    seen = replace(SAID, ts=ts, channel=channel, seen_at=NOW + timedelta(hours=1))
    assert await quiet_room.slack.announcer.notice(seen) == (channel, ts)
    assert [text for text in quiet_room.texts() if "I see `dagster` again" in text]
    assert len(quiet_room.texts()) == 1


@pytest.mark.loopback
async def test_the_command_answers_from_our_own_database(quiet_room: Room) -> None:
    await quiet_room.store.saw(replace(SIGHT, failures=2, problem="it is down"))
    words = (await quiet_room.slack.answerer.say("connections", "U0ELI")).words()
    assert words.startswith("*4 connections*")
    assert "2 failed looks in a row" in words
