"""From the text of dw.yml to `Rules`: every mistake at once, each with its line."""

from collections.abc import Iterator, Sequence
from pathlib import Path as FilePath
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from bot.settings.errors import ConfigError
from bot.settings.shape import fields_at
from bot.settings.wording import did_you_mean, reworded
from bot.settings.yaml_lines import parse
from policies.lint import Mistake, lint
from policies.rules import Rules

EXAMPLE = "docs/dw.example.yml"


def load_rules(path: FilePath) -> Rules:
    """The rules in this file. Raises `ConfigError` with a line for every mistake in it."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path.name}: is not UTF-8 text (byte {error.start}) → save it as UTF-8"
        ) from error
    except OSError as error:
        raise ConfigError(
            f"{path}: could not be read ({error.strerror})"
            f" → copy {EXAMPLE} there, or set DW_CONFIG to where it is"
        ) from error
    return read_rules(text, path.name)


def read_rules(text: str, name: str = "dw.yml") -> Rules:
    """The same from its text; `name` is what the errors call it."""
    document = parse(text, name)
    rules, misshapen = _validated(document.data)
    mistakes = _without_echoes(misshapen, list(lint(document.data)))
    placed = [*document.doubled, *((document.line_of(m.path), m) for m in mistakes)]
    if placed or rules is None:
        raise ConfigError(*_told(placed, name))
    return rules


def _validated(data: dict[str, Any]) -> tuple[Rules | None, list[Mistake]]:
    try:
        return Rules.model_validate(data), []
    except ValidationError as error:
        details = error.errors(include_url=False)
        return None, [_mistake(detail) for detail in details if detail["loc"]]


def _mistake(detail: ErrorDetails) -> Mistake:
    path = tuple(part for part in detail["loc"] if part != "[key]")
    if detail["type"] == "missing":
        what, instead = "is missing", f"add `{path[-1]}: …`"
    elif detail["type"] == "extra_forbidden":
        known = fields_at(Rules, path[:-1])
        what = f"there is no key {path[-1]!r} here"
        instead = did_you_mean(str(path[-1]), known) or "one of " + ", ".join(sorted(known))
    else:
        what, instead = reworded(detail)
    return Mistake(path=path, what=what, instead=instead)


def _without_echoes(shape: Sequence[Mistake], meaning: Sequence[Mistake]) -> Iterator[Mistake]:
    """A key that is a secret is also an unknown one: say it once, the more useful way."""
    said = {mistake.path for mistake in meaning}
    yield from meaning
    yield from (mistake for mistake in shape if mistake.path not in said)


def _told(placed: Sequence[tuple[int, Mistake]], name: str) -> list[str]:
    ordered = sorted((line, str(mistake)) for line, mistake in placed)
    return list(dict.fromkeys(f"{name}:{line}: {text}" for line, text in ordered))
