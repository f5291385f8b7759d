"""What all webhooks share: the delivery, and the shapes of names, ids and addresses that may come in one.

Whatever a sender signs is still data: names hold no control characters, addresses are pages, titles are
one line. What is not so is malformed, and the whole delivery is refused.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from policies.alert import Alert, Ignored

Found = Alert | Ignored
_LONGEST_PAGE = 1000
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f\s]+")
_UNFILLED = re.compile(r"\s*\{\{.*\}\}\s*")
_PAGE = re.compile(r"https?://[^\s<>|\"\x00-\x1f\x7f]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Hook:
    """A webhook of dw.yml: its name there, the kind of sender, and the connection it speaks of."""

    name: str
    system: str
    connection: str
    assets: Mapping[str, str] = field(default_factory=dict)

    def asset(self, table: str | None) -> str | None:
        """The asset that the sender calls so: as dw.yml says, else the table's own name, the last part."""
        if not table:
            return None
        return self.assets.get(table) or re.split(r"[.:/]", table)[-1] or None


@dataclass(frozen=True, kw_only=True, slots=True)
class Delivery:
    """One body that is proven to be the sender's. `digest` tells it from others that carry no id."""

    hook: Hook
    body: object
    digest: str

    def key(self, told: str | None = None) -> str:
        """What makes a second delivery of the same a no-op: the sender's own id, else the digest."""
        return f"hook:{self.hook.name}:{told or self.digest}"

    def ignored(self, reason: str) -> tuple[Ignored]:
        """Why there is no alert in it."""
        return (Ignored(signal_key=self.key(), reason=reason, system=self.hook.system),)


Reader = Callable[[Delivery], Sequence[Found]]
"""Total for what its model accepts; raises pydantic's `ValidationError` for anything else, and another `ValueError`
for a number that is too long to be an id."""


class Wire(BaseModel):
    """Base of what a sender sends: unknown fields are left alone, numbers may stand for ids."""

    model_config = ConfigDict(extra="ignore", frozen=True, coerce_numbers_to_str=True)


def _said(value: object) -> object:
    """Nothing, where a template left its token or an empty text."""
    empty = isinstance(value, str) and (not value.strip() or _UNFILLED.fullmatch(value))
    return None if empty else value


def _line(value: object, longest: int = 300) -> object:
    return _UNPRINTABLE.sub(" ", value[:longest]).strip() if isinstance(value, str) else value


def _words(value: object) -> object:
    return _line(value, 4000)


def _page(value: object) -> str | None:
    """The address of a page, or nothing: a bad link is no reason to lose an alert."""
    if not isinstance(value, str) or len(value) > _LONGEST_PAGE or not _PAGE.fullmatch(value):
        return None
    try:
        return value if urlsplit(value).hostname else None
    except ValueError:
        return None


Name = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=300, pattern=r"^[^\x00-\x1f\x7f]+$"
    ),
]
"""A job, run, task, asset, check or partition."""
MaybeName = Annotated[Name | None, BeforeValidator(_said)]
Line = Annotated[str, BeforeValidator(_line)]
"""Words for people, on one line."""
Words = Annotated[str, BeforeValidator(_words)]
"""A longer message, on one line too."""
Id = Annotated[str, StringConstraints(pattern=r"^[!-~]{1,200}$")]
"""What a sender knows a delivery by."""
Count = Annotated[int, Field(ge=-1, le=1_000_000)]
"""A try, or a place among mapped tasks."""
Page = Annotated[str | None, BeforeValidator(_page)]


def told(**facts: str | int | None) -> dict[str, str]:
    """Those that say something, as an alert's `extra` holds them."""
    return {name: str(value) for name, value in facts.items() if value not in (None, "")}
