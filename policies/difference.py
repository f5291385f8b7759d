"""What is not as it was shown any more, line by line: what it was, and what it is now."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from policies.plan import Step, details


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """One line. `step` is a step's title, or empty where the reach has changed; `was` and `now` may be."""

    step: str
    what: str
    was: str = ""
    now: str = ""


def differences(
    shown: Sequence[Step], now: Sequence[Step], reach: tuple[Iterable[str], Iterable[str]]
) -> tuple[Difference, ...]:
    """Between the steps as they were `shown` and as they are `now`, and the `reach` then and now.

    What is not shown to anybody (a title, a reason) is no difference.
    """
    return (*_steps(shown, now), *_reach(*reach))


def _steps(shown: Sequence[Step], now: Sequence[Step]) -> Iterator[Difference]:
    before, after = {s.id: s for s in shown}, {s.id: s for s in now}
    for key, step in before.items():
        if key not in after:
            yield Difference(step=step.title, what="is not in the plan any more")
    for key, step in after.items():
        if key not in before:
            yield Difference(step=step.title, what="is new")
            continue
        was, is_ = details(before[key]), details(step)
        for name in dict.fromkeys((*was, *is_)):
            if was.get(name) != is_.get(name):
                yield Difference(
                    step=step.title, what=name, was=was.get(name, "none"), now=is_.get(name, "none")
                )


def _reach(before: Iterable[str], after: Iterable[str]) -> Iterator[Difference]:
    was, is_ = set(before), set(after)
    for name in sorted(is_ - was):
        yield Difference(step="", what="also reaches", now=name)
    for name in sorted(was - is_):
        yield Difference(step="", what="does not reach any more", was=name)
