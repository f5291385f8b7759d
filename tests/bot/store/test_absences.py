"""Who is away, by their last word, until the time they said; over both databases."""

from dataclasses import replace

from bot.store.store import SqlStore
from policies.people import Absence
from tests.bot.store.builders import NOW, later

ANA = Absence(person="U0ANA", until=later(3600), delegate="U0BO")


async def test_an_absence_ends_by_itself(store: SqlStore) -> None:
    await store.leave(ANA, NOW)
    assert await store.absences(later(3599)) == {"U0ANA": ANA}
    assert await store.absences(later(3600)) == {}


async def test_the_last_word_counts(store: SqlStore) -> None:
    await store.leave(ANA, NOW)
    alone = replace(ANA, until=later(60), delegate=None)
    await store.leave(alone, later(1))
    await store.leave(replace(ANA, person="U0BO", delegate=None), NOW)
    assert (await store.absences(NOW))["U0ANA"] == alone
    assert await store.come_back("U0ANA") is True
    assert await store.come_back("U0ANA") is False
    assert set(await store.absences(NOW)) == {"U0BO"}
