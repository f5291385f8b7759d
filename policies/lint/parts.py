"""What the checks of dw.yml share: a mistake, and ways to walk data that may be malformed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

Path = tuple[str | int, ...]
Data = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Mistake:
    """One mistake: where, what is wrong, and what to write instead."""

    path: Path
    what: str
    instead: str

    def __str__(self) -> str:
        """`domains.growth.chain: what is wrong → what to write instead`."""
        return f"{dotted(self.path)}: {self.what} → {self.instead}"


def dotted(path: Path) -> str:
    """`("chain", 0, "who")` → `chain[0].who`; the whole file is `dw.yml` itself."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def mapping(value: object) -> Data:
    """The mapping, or an empty one when it is something else."""
    return value if isinstance(value, Mapping) else {}


def items(value: object) -> Sequence[Any]:
    """The list, or an empty one when it is something else."""
    return value if isinstance(value, list | tuple) else ()


def texts(value: object) -> list[tuple[int, str]]:
    """The texts of a list with their places, passing over what is none."""
    return [(i, item) for i, item in enumerate(items(value)) if isinstance(item, str)]


def described(data: Data, key: str) -> Iterator[tuple[str, Data]]:
    """The named entries of a mapping such as `domains`, each as a mapping."""
    for name, value in mapping(data.get(key)).items():
        yield str(name), mapping(value)


def pick(name: str, known: Mapping[str, Any] | Sequence[str]) -> str:
    """What to write instead of a name that is not known."""
    close = get_close_matches(name, list(known), n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]}?"
    return "one of " + ", ".join(sorted(known)) if known else "describe it first"
