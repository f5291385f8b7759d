"""Rotas and bans in dw.yml: what is wrong is told with its line and what to write."""

import pytest

from bot.settings import ConfigError, read_rules
from tests.bot.settings.typos import GOOD

ROTA = """
rotas:
  nights:
    people: [ana@example.com, bo@example.com]
    handoffs: ["monday 09:00"]
    starts: 2026-09-28
    tz: Europe/Berlin
"""


def test_a_rota_is_read_with_its_dates() -> None:
    rota = read_rules(GOOD + ROTA).rotas["nights"].rota()
    assert (rota.people[1], rota.handoffs, rota.starts.isoformat()) == (
        *("bo@example.com", ("monday 09:00",)),
        "2026-09-28",
    )


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("monday 09:00", "mondays", 'write it as "monday 09:00"'),
        ("Europe/Berlin", "Berlin", "no time zone → write it as Europe/Berlin"),
        ("[ana@example.com, bo@example.com]", "[]", "people: is empty"),
        ("2026-09-28", "soon", "rotas.nights.starts:"),
        ("starts:", "start:", "did you mean starts?"),
        ("people: [ana", "people: [ana, ana", "'ana' names nobody"),
    ],
)
def test_a_mistake_in_a_rota_is_told(old: str, new: str, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_rules(GOOD + ROTA.replace(old, new))
    assert says in str(caught.value)
    assert "dw.yml:" in str(caught.value)
