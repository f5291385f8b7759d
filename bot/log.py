"""The log: one event a line, to stderr, without a secret in it.

Our own events have a fixed name (`step_started`) and carry the rest as keys; what libraries say goes
the same way. Secrets are masked last, just before a line is written, whoever wrote it.
"""

import json
import logging
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Literal, TextIO
from urllib.parse import quote

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

MASK = "[secret]"
_NAMED = r"(?:password|passwd|secret|token|api[_-]?key)"
_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\b(?:xox[a-z]|xapp)-[A-Za-z0-9-]+", re.I), MASK),
    (re.compile(r"\b(bearer|basic)\s+[\w.~+/=-]{6,}", re.I), rf"\1 {MASK}"),
    (re.compile(r"(://[^\s/:@]*):[^\s/@]+@"), rf"\1:{MASK}@"),
    (re.compile(rf"({_NAMED}(?:=|[\"']\s*[:=]\s*[\"']))[^\s\"',;&)}}]+", re.I), rf"\1{MASK}"),
    (re.compile(r"hooks\.slack\.com/[^\s\"'<>]+"), f"hooks.slack.com/{MASK}"),
)
QUIET = ("slack_bolt", "slack_sdk", "aiohttp.access", "httpx", "httpcore", "aiosqlite", "alembic")
"""Libraries of which only warnings are worth a line."""


class Redactor:
    """Takes every secret out of whatever is about to be shown: the known ones, and what looks like one."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        forms = {form for secret in secrets if secret for form in _forms(secret)}
        longest_first = sorted(forms, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, longest_first))) if forms else None

    def text(self, text: str) -> str:
        """The text without secrets."""
        if self._known is not None:
            text = self._known.sub(MASK, text)
        for pattern, instead in _PATTERNS:
            text = pattern.sub(instead, text)
        return text

    def value(self, value: object) -> Any:
        """The value without secrets, whatever it is made of; what is not plain JSON becomes text."""
        if value is None or isinstance(value, bool | int | float):
            return value
        if isinstance(value, Mapping):
            return {self.text(str(k)): self.value(v) for k, v in value.items()}
        if isinstance(value, list | tuple | set | frozenset):
            return [self.value(item) for item in value]
        return self.text(value if isinstance(value, str) else str(value))

    def __call__(self, _: WrappedLogger, __: str, event: EventDict) -> EventDict:
        """A structlog processor."""
        return {key: self._kept(key, value) for key, value in event.items()}

    def _kept(self, key: str, value: object) -> Any:
        return value if key in ("_record", "_from_structlog") else self.value(value)


def configure(
    form: Literal["json", "console"],
    *,
    level: str = "INFO",
    redactor: Redactor | None = None,
    stream: TextIO | None = None,
) -> None:
    """Set up structlog and the standard library's logging; an uncaught error is a line as well."""
    redactor, stream = redactor or Redactor(), stream or sys.stderr
    before: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.ExtraAdder(), *before],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                redactor,
                *_last(form, tty=stream.isatty()),
            ],
        )
    )
    structlog.configure(
        processors=[*before, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    root = logging.getLogger()
    logging.disable(logging.NOTSET)  # whatever a library has set: our lines are not its business
    root.handlers[:] = [handler]
    root.setLevel(level)
    handler.addFilter(_worth_a_line)
    sys.excepthook = _crashed


def about(**ids: str) -> AbstractContextManager[None]:
    """Every line inside carries these: `with about(incident="DW-17", request="r1"):`."""
    return structlog.contextvars.bound_contextvars(**ids)


def _last(form: str, *, tty: bool) -> list[Processor]:
    if form == "console":
        return [structlog.dev.ConsoleRenderer(colors=tty)]
    return [structlog.processors.JSONRenderer(serializer=_json)]


def _worth_a_line(record: logging.LogRecord) -> bool:
    """Asked here, not set on the loggers: some libraries set the level of their own again."""
    quiet = any(record.name == name or record.name.startswith(f"{name}.") for name in QUIET)
    return not quiet or record.levelno >= logging.WARNING


def _json(value: object, **kwargs: Any) -> str:
    return json.dumps(value, ensure_ascii=False, **kwargs)


def _crashed(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    structlog.get_logger("dw").critical("crashed", exc_info=(kind, error, trace))


def _forms(secret: str) -> tuple[str, ...]:
    """A secret as it is, and as it looks inside a URL, a repr or JSON."""
    quoted: list[Callable[[str], str]] = [
        lambda s: s,
        lambda s: quote(s, safe=""),
        quote,
        lambda s: repr(s)[1:-1],
        lambda s: json.dumps(s)[1:-1],
        lambda s: json.dumps(s, ensure_ascii=False)[1:-1],
    ]
    return tuple(form(secret) for form in quoted)
