"""docs/bench.md from the figures: what, beside what, how many times, wanted what, on which machine."""

import os
import platform
from collections.abc import Sequence
from pathlib import Path

from tests.bench.figures import Figure

PAGE = Path(__file__).parents[2] / "docs/bench.md"
_HEAD = """\
<!-- Written by `make bench`. Run it again rather than change this page. -->
# Bench

Every figure stands beside a baseline that was run with it, in the same workspace or over the same database, and what
counts is the ratio: a busy machine slows both. Nothing here judges a change; `make check` has no timed test.
"""
_TABLE = "| figure | ours | baseline | ratio | goal | met |\n|---|---|---|---|---|---|"


def report(figures: Sequence[Figure], *, date: str, load: Sequence[tuple[float, ...]]) -> str:
    """The whole page. `load` is the load average when it began and when it ended."""
    rows = "\n".join(_row(figure) for figure in figures)
    return f"{_HEAD}\n{_machine(date, load)}\n\n{_TABLE}\n{rows}\n"


def _row(figure: Figure) -> str:
    met = "–" if figure.goal == "–" else ("yes" if figure.met else "**no**")
    parts = (
        figure.name,
        f"{_plain(figure.ours)} {figure.unit}",
        f"{_plain(figure.baseline)} {figure.unit} ({figure.beside})",
        f"{_ratio(figure.ratio)} ×",
        figure.goal,
        met,
    )
    return f"| {' | '.join(parts)} |"


def _machine(date: str, load: Sequence[tuple[float, ...]]) -> str:
    before, after = (f"{one[0]:.1f}" for one in load)
    return (
        f"Measured {date} on {platform.system()} {platform.machine()} with {os.cpu_count()} cores, "
        f"Python {platform.python_version()}. Load average {before} at the beginning and {after} at the "
        "end, the bench's own included."
    )


def _ratio(value: float) -> str:
    return f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


def _plain(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
