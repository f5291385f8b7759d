"""Fills the day in trouble into what dw.yml says a job is run with: `{partition}`, `{day_before}`."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from policies.evidence import Json
from policies.figures import day_of

_BLANKS = ("{partition}", "{day_before}")


def filled(config: Mapping[str, object], partition: str | None) -> dict[str, Json]:
    """The configuration with the day in its texts; what nobody knows stays as it is (see `open_blanks`)."""
    known = _known(partition)
    return {key: _filled(value, known) for key, value in config.items()}


def open_blanks(config: Mapping[str, Json]) -> bool:
    """True when a text still waits for a day."""
    return any(blank in text for text in _texts(config) for blank in _BLANKS)


def mentions(config: Mapping[str, Json], partition: str | None) -> bool:
    """True when the configuration itself says for which day a run is."""
    days = set(_known(partition).values())
    return any(day in text for text in _texts(config) for day in days)


def _known(partition: str | None) -> dict[str, str]:
    if partition is None:
        return {}
    day = day_of(partition)
    known = {"{partition}": partition}
    if day:
        before = datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=UTC) - timedelta(days=1)
        known["{day_before}"] = f"{before:%Y-%m-%d}"
    return known


def _filled(value: object, known: Mapping[str, str]) -> Json:
    if isinstance(value, str):
        for blank, day in known.items():
            value = value.replace(blank, day)
        return value
    if isinstance(value, Mapping):
        return {str(key): _filled(inner, known) for key, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, known) for inner in value]
    return value  # type: ignore[return-value]  # what YAML holds besides these is plain JSON


def _texts(value: object) -> list[str]:
    if isinstance(value, Mapping):
        return [text for inner in value.values() for text in _texts(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in _texts(inner)]
    return [value] if isinstance(value, str) else []
