"""After an outage: failed runs are read a piece at a time, however many there are."""

from datetime import timedelta

import pytest

from connectors.errors import TooMany
from tests.connectors.dbt_cloud.account import START, Account

MINUTE = timedelta(minutes=1)


def stormy(count: int) -> Account:
    account = Account()
    for _ in range(count):
        account.ran(20)
    return account


async def test_more_than_are_wanted_are_told_after_the_page_that_shows_it() -> None:
    account = stormy(450)
    with pytest.raises(TooMany):
        await account.reader().failed_between(START, most=150)
    assert account.count("/runs/") == 2


async def test_a_piece_far_back_is_asked_for_by_its_times_in_one_page() -> None:
    account = stormy(450)
    runs = await account.reader().failed_between(START, START + 50 * MINUTE, most=150)
    assert len(runs) == 49
    assert [run.id for run in runs] == sorted(run.id for run in runs)
    assert account.count("/runs/") == 1


async def test_a_server_that_leaves_the_times_unread_is_read_to_the_same_end() -> None:
    account = stormy(250)
    account.narrows = False
    runs = await account.reader().failed_between(START + 20 * MINUTE, START + 50 * MINUTE, most=150)
    assert [run.ended_at for run in runs] == sorted(run.ended_at for run in runs if run.ended_at)
    assert len(runs) == 30


async def test_a_link_that_is_none_gives_way_to_the_page_of_the_run() -> None:
    account = Account()
    run = account.ran(20, href="/deploy/1234/runs/1/")
    [found] = await account.reader().failed_between(START)
    assert found.url == f"https://ab123.us1.dbt.com/deploy/1234/projects/5678/runs/{run['id']}"


async def test_what_a_status_says_is_told_without_secrets() -> None:
    account = Account()
    account.ran(20, status_message="could not connect with password=planted")
    [run] = await account.reader().failed_between(START)
    assert run.says.startswith("could not connect")
    assert "planted" not in run.says
