"""docs/sources.md and the recognisers say the same: each module has its row and its samples, and vice versa."""

import importlib
from dataclasses import dataclass
from pathlib import Path

import pytest

import policies.recognise
from policies.alert import Alert
from policies.recognise import SYSTEMS, VENDORS, recognise
from policies.rules import AlertSender
from policies.signal import Sender
from tests.policies.flat import PAYLOADS, sample, signal_of

PAGE = Path(__file__).parents[2] / "docs/sources.md"
FOLDER = Path(policies.recognise.__file__).parent


@dataclass(frozen=True)
class Row:
    system: str
    module: str
    ids: str
    opens: str
    samples: tuple[str, ...]


def rows() -> list[Row]:
    lines = [
        line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")
    ]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [
        Row(one[0].strip("`"), one[1], one[4], one[5], tuple(one[6].split(", "))) for one in cells
    ]


def modules() -> set[str]:
    """Those that recognise something; the others take addresses apart."""
    names = {path.stem for path in FOLDER.glob("*.py")} - {"__init__"}
    loaded = {name: importlib.import_module(f"policies.recognise.{name}") for name in names}
    return {name for name, module in loaded.items() if hasattr(module, "RECOGNISERS")}


def test_every_recogniser_has_its_row_and_every_row_its_recogniser() -> None:
    assert sorted(row.module for row in rows()) == sorted(modules())


def test_every_system_has_a_row_with_the_recognisers_that_serve_it() -> None:
    served: dict[str, set[object]] = {system: set() for system in SYSTEMS}
    for row in rows():
        module = importlib.import_module(f"policies.recognise.{row.module}")
        served[row.system] |= set(module.RECOGNISERS)
    assert served == {system: set(readers) for system, readers in SYSTEMS.items()}


def test_every_sample_stands_in_one_row() -> None:
    named = [name for row in rows() for name in row.samples]
    assert sorted(named) == sorted(
        path.stem for path in PAYLOADS.glob("*.json") if not path.stem.startswith("neg_")
    )


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.module)
def test_the_samples_are_read_by_the_module_and_open_as_the_row_says(row: Row) -> None:
    module = importlib.import_module(f"policies.recognise.{row.module}")
    sender = AlertSender(app_id="A0X", system=row.system, connection="c")
    for name in row.samples:
        event = {**sample(name)["event"], "app_id": "A0X", "bot_id": None}
        signal = signal_of(event)
        alert = recognise(signal, (sender,), Sender())
        assert isinstance(alert, Alert), name
        assert any(read(signal, sender) for read in module.RECOGNISERS), name
        assert alert.kind.opens() is sample(name)["expect"]["open_incident"]
        assert alert.kind.opens() or "not " in row.opens


def test_hosts_of_vendors_are_named() -> None:
    for system, hosts in VENDORS.items():
        told = " ".join(row.ids for row in rows() if row.system == system)
        assert any(host in told for host in hosts), system
