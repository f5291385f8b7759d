"""A figure is worth nothing alone: each stands beside a baseline that was run with it, and is their ratio."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """Ours, what a baseline `beside` it needs, and whether the goal was met on this machine."""

    name: str
    unit: str
    ours: float
    baseline: float
    beside: str
    goal: str
    met: bool

    @property
    def ratio(self) -> float:
        """Ours over the baseline."""
        return self.ours / self.baseline if self.baseline else float("inf")


def p99(times: Sequence[float]) -> float:
    """The time that 99 of 100 stay below; of few times, the slowest."""
    ranked = sorted(times)
    return ranked[min(len(ranked) - 1, int(len(ranked) * 0.99))]


def p50(times: Sequence[float]) -> float:
    """The middle."""
    return median(times)


def milliseconds(seconds: float) -> float:
    """For people."""
    return seconds * 1000
