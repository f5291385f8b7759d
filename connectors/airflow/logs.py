"""The end of a task's log: bounded, without secrets, and the exception in it.

Airflow 2 gives text, Airflow 3 one JSON object a line. Logs can be of any length and neither gives only
the end of one, so the rest is read past and dropped.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from connectors.airflow.api import Api, segment
from connectors.airflow.params import TaskLog
from connectors.airflow.runs import instances, path_of
from connectors.airflow.wire import TaskInstance
from connectors.errors import Malformed
from connectors.http import Answer

_KEEP, _MOST = 64_000, 50_000_000
_TEXT, _LINES = "text/plain", "application/x-ndjson"
_WIDEST, _LONGEST_ERROR = 400, 1000
_RAISED = re.compile(
    r"^(?P<error>(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Warning|Failed|Fault|Timeout)\b.*)$"
)
_HEADED = re.compile(r"^\[\d{4}-\d\d-\d\dT[^\]]*\]")
_MODULES = re.compile(r"^(?:\w+\.)+(?=\w+(?::|$))")
_GROUPS = ("::group::", "::endgroup::")
_ANY = ("failed", "success", "up_for_retry", "running", "skipped", "upstream_failed")


@dataclass(frozen=True, kw_only=True, slots=True)
class Log:
    """The last lines, and the exception where one was raised."""

    lines: tuple[str, ...]
    error: str | None


async def task_log(api: Api, params: TaskLog) -> dict[str, JsonValue]:
    """The value of the probe `task_log`."""
    number = params.try_number
    if number is None:
        number = await _last_try(api, params)
    log = await read(api, params.id, params.task, number, params.map_index)
    return {
        "task": params.task,
        "try_number": number,
        "map_index": params.map_index,
        "tail": [*log.lines[-params.lines :]],
        "error": log.error,
    }


async def read(api: Api, run_id: str, task: str, number: int, map_index: int | None = None) -> Log:
    """The end of the log of one try."""
    version = await api.version()
    path = f"{path_of(run_id)}/taskInstances/{segment(task)}/logs/{number}"
    query = {"map_index": map_index} if map_index is not None else {}
    old = version.major == 2  # noqa: PLR2004 - Airflow 2
    answer = await api.ending(path, query, accept=_TEXT if old else _LINES, keep=_KEEP, most=_MOST)
    lines, error = _of_text(answer) if old else _of_events(answer)
    clean = api.hidden("\n".join(lines)).splitlines()  # whole, for a key may span lines
    return Log(
        lines=tuple(line[:_WIDEST] for line in clean),
        error=api.clean(error)[:_LONGEST_ERROR] if error else None,
    )


async def of_instance(api: Api, run_id: str, one: TaskInstance) -> Log:
    """The log of the last try of a task instance."""
    return await read(api, run_id, one.task, one.tries, one.map_index if one.mapped else None)


async def _last_try(api: Api, params: TaskLog) -> int:
    wanted = params.map_index if params.map_index is not None else -1
    for one in await instances(api, params.id, _ANY, most=500):
        if (one.task, one.map_index) == (params.task, wanted):
            return one.tries
    says = f"{params.task} has not run in {params.id}, or is mapped and needs its map_index"
    raise Malformed(says, connection=api.connection)


def _of_text(answer: Answer) -> tuple[list[str], str | None]:
    lines = [
        line for line in answer.response.text.splitlines() if not any(g in line for g in _GROUPS)
    ]
    return lines, _raised(lines)


def _raised(lines: Sequence[str]) -> str | None:
    """The last exception with what follows it, up to the next line that Airflow itself wrote."""
    last = max((i for i, line in enumerate(lines) if _RAISED.match(line)), default=None)
    if last is None:
        return None
    told = [lines[last]]
    for line in lines[last + 1 :]:
        if _HEADED.match(line):
            break
        told.append(line)
    return _MODULES.sub("", "\n".join(told).strip())


def _of_events(answer: Answer) -> tuple[list[str], str | None]:
    """One event a line; the first may be cut off."""
    lines: list[str] = []
    error: str | None = None
    for raw in answer.response.text.splitlines():
        for event in _events(raw):
            said = str(event.get("event") or "")
            if not any(group in said for group in _GROUPS):
                lines.append(said)
            detail = event.get("error_detail")
            if isinstance(detail, list) and detail:
                error = _exception(detail)
                lines += [error] if error else []
    return lines, error


def _events(raw: str) -> Iterable[dict[str, JsonValue]]:
    """A line may be one event or, where the line format is not spoken, all of them at once."""
    try:
        found = json.loads(raw)
    except ValueError:
        return ()
    content = found.get("content", [found]) if isinstance(found, dict) else []
    return (
        [e if isinstance(e, dict) else {"event": e} for e in content]
        if isinstance(content, list)
        else ()
    )


def _exception(detail: list[JsonValue]) -> str | None:
    """Outermost first, as Airflow tells it; what caused it comes after."""
    told = [each for each in detail if isinstance(each, dict)]
    words = [f"{each.get('exc_type')}: {each.get('exc_value')}" for each in told]
    if not words:
        return None
    return words[0] + (f" (caused by {words[-1]})" if words[-1] != words[0] else "")
