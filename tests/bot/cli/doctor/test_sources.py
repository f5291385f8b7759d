"""`dw doctor` at the alert channels."""

from dataclasses import replace

from bot.cli.doctor.sources import posters
from policies.sources import Sighting
from tests.bot.cli.doctor.examined import examined
from tests.bot.cli.fakes import FakeDatabase
from tests.clock import NIGHT

HEARD = Sighting(
    sender="B0GRAF",
    bot_id="B0GRAF",
    app_id=None,
    name="Grafana",
    understood=4,
    unread=0,
    ignored=1,
    unknown=0,
    last_at=NIGHT,
    place="C0ALERTS:1.0",
    odd_place=None,
    reads_like=(),
)


def test_what_a_known_sender_said_and_nobody_understood_wants_a_look() -> None:
    database = FakeDatabase(heard=[replace(HEARD, unread=3)])
    result, found = examined(open=lambda _url: database)
    assert result.exit_code == 0
    ok, says = found["sources"]
    assert ok is None
    assert says.startswith("3 messages of Grafana (B0GRAF) not understood")


def test_an_unknown_sender_wants_a_look_only_when_it_reads_like_alerts() -> None:
    unknown = replace(HEARD, unknown=2, understood=0)
    (quiet,) = posters([unknown])
    (loud,) = posters([replace(unknown, reads_like=("grafana",), name="a\x1b[31m")])
    assert quiet.ok is True
    assert loud.ok is None
    assert loud.says.startswith("B0GRAF posts what reads like grafana")
