"""The words and shapes of emails and pages. What is put into HTML is escaped, always."""

from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

_SHAPES: Final = Environment(
    loader=PackageLoader("handlers.mail"),
    autoescape=select_autoescape(("html",)),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def rendered(shape: str, **words: Any) -> str:
    """One template with these words in it."""
    return _SHAPES.get_template(shape).render(**words)
