"""Which emails went out: each request once a turn and kind, by person; over both databases."""

from dataclasses import replace

from bot.ports import ASKED, REMINDER, Mailed
from bot.store.store import SqlStore
from tests.bot.store.builders import NOW, later

FIRST = Mailed(
    person="U0ANA",
    request="DW-1-R1",
    turn="0:20260929T004100",
    kind=ASKED,
    letter="mail:1",
    thread="mail:1",
    subject="DW-1 needs your yes or no: \udcff \0 ½",
    at=NOW,
)


async def test_what_was_mailed_is_known_by_person_and_request_oldest_first(store: SqlStore) -> None:
    second = replace(FIRST, kind=REMINDER, letter="mail:2", at=later(1))
    await store.keep_mailed([second, FIRST, replace(FIRST, request="DW-2-R1")])
    await store.keep_mailed([])
    assert await store.mailed("U0ANA", ["DW-1-R1", "DW-9-R1"]) == [FIRST, second]
    assert await store.mailed("U0BO", ["DW-1-R1"]) == []


async def test_the_first_email_about_a_turn_is_the_one_that_is_kept(store: SqlStore) -> None:
    await store.keep_mailed([FIRST])
    await store.keep_mailed([replace(FIRST, letter="mail:2"), replace(FIRST, turn="1:x")])
    assert [x.letter for x in await store.mailed("U0ANA", ["DW-1-R1"])] == ["mail:1", "mail:1"]
