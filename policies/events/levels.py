"""How much the bot may do by itself: what was only watched, and which class lost its good record."""

from dataclasses import dataclass

from policies.run import Run


@dataclass(frozen=True, kw_only=True, slots=True)
class Observed:
    """At this level nobody was asked. `would`: step id and what it would have needed; L0 looks at nothing."""

    level: str
    owner: str
    would: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class ShadowSeen:
    """Later it was looked whether a person made the run that would have been queued; None: nobody did."""

    step_id: str
    change_class: str
    run: Run | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class LevelLowered:
    """A change class ended badly, so from now on it is asked for again. Nobody is needed to lower."""

    change_class: str
    was: str
    level: str
    why: str
