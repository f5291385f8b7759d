"""Two troubles turned out to have one cause: which joined which, or why both go on."""

from dataclasses import dataclass

from policies.alert import Alert


@dataclass(frozen=True, kw_only=True, slots=True)
class Joined:
    """From now on this is part of the trouble `into`, by its id; nothing more happens here."""

    into: str
    because: str


@dataclass(frozen=True, kw_only=True, slots=True)
class TookIn:
    """The trouble `incident` joined this one, with all that was told of it."""

    incident: str
    alerts: tuple[Alert, ...]
    because: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Linked:
    """The trouble `incident` has the same cause, but a repair had begun: both go on, each on its own."""

    incident: str
    because: str
