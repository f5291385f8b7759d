"""One DAG at a time: may a run of it be offered, what code would it use, which files are broken."""

import hashlib
import json
import shlex
from collections.abc import Mapping
from datetime import datetime, timedelta

from jsonschema import Draft7Validator
from pydantic import JsonValue

from connectors.airflow.answers import Version
from connectors.airflow.api import Api, Query, runs_of, segment
from connectors.airflow.pages import start
from connectors.airflow.params import CanRun, ImportErrors
from connectors.airflow.wire import Dag, DagVersion, Wire, iso
from connectors.errors import Forbidden, NoSuch
from connectors.masking import holds_secret
from connectors.schemas import misfit

_OLD = 2
_NEWEST: Query = {"order_by": "-version_number", "limit": 1}
_MOST_ERRORS = 20
_TOO_OLD = (
    "Airflow {0} can't be told for which interval a new run is (2.10 and later can), "
    "and a plain run would be for another one"
)
_UNSHOWN = "its configuration holds what looks like a secret, which is not passed through here"


class _Versions(Wire):
    dag_versions: list[DagVersion]


class _Source(Wire):
    content: str


class _Broken(Wire):
    filename: str | None = None
    timestamp: str | None = None
    stack_trace: str = ""


class _BrokenFiles(Wire):
    import_errors: list[_Broken]


async def can_run(api: Api, params: CanRun) -> dict[str, JsonValue]:
    """The value of the probe `can_run`: `may`, and `why` not; where and how a person would start it."""
    version = await api.version()
    try:
        dag = api.model(Dag, await api.get(f"dags/{segment(params.job)}/details"))
    except NoSuch:
        return {"may": False, "why": f"it knows no DAG {params.job}", "airflow": version.text}
    why = dag.trouble() or _unfit(api, version, dag, params)
    by_hand = start(api.base, version, params)
    return {
        "may": why is None,
        "why": why,
        "airflow": version.text,
        "paused": dag.paused,
        "defaults": _short(dag.defaults()),
        "link": by_hand.link,
        "press": by_hand.press,
        "command": command(api.base, version, params),
    }


async def code_version(api: Api, dag: str) -> str | None:
    """The newest version of a DAG (Airflow 3), or a hash of its source (Airflow 2); None where untold."""
    version = await api.version()
    try:
        if version.major == _OLD:
            return await _source(api, dag)
        answer = await api.get(f"dags/{segment(dag)}/dagVersions", _NEWEST)
    except Forbidden:
        return None
    found = api.model(_Versions, answer).dag_versions
    return str(found[0]) if found else None


async def import_errors(api: Api, _params: ImportErrors) -> dict[str, JsonValue]:
    """The value of the probe `import_errors`: the newest, each with the last line of its trace."""
    answer = await api.get("importErrors", {"order_by": "-timestamp", "limit": _MOST_ERRORS})
    files = api.model(_BrokenFiles, answer).import_errors
    return {
        "files": [
            {"file": one.filename, "at": one.timestamp, "error": api.clean(_last(one.stack_trace))}
            for one in files
        ]
    }


def command(base: str, version: Version, params: CanRun) -> str:
    """What a person types. Only the API can say for which interval a run is."""
    conf = json.dumps(params.config, ensure_ascii=False)
    if params.interval is None:
        return f"airflow dags trigger {shlex.quote(params.job)} --conf {shlex.quote(conf)}"
    body = json.dumps({**dated(params.interval, params.logical_date, 1), "conf": params.config})
    who = (
        '-u "$AIRFLOW_USER"'
        if version.major == _OLD
        else '-H "Authorization: Bearer $AIRFLOW_TOKEN"'
    )
    url = shlex.quote(f"{base}{version.prefix}/{runs_of(params.job)}")
    return f"curl -X POST {url} {who} -H 'Content-Type: application/json' -d {shlex.quote(body)}"


def dated(interval: str, logical: datetime | None, microseconds: int) -> dict[str, str]:
    """What makes a new run one of this interval: its two ends, and a logical date beside the first one's.

    The same logical date is refused, since the failed run holds it; some microseconds later it is not, and
    `ds` stays the same.
    """
    start, _, end = interval.partition("/")
    at = logical or datetime.fromisoformat(start)
    shifted = at.replace(microsecond=0) + timedelta(microseconds=microseconds + at.microsecond)
    return {"logical_date": iso(shifted), "data_interval_start": start, "data_interval_end": end}


def _unfit(api: Api, version: Version, dag: Dag, params: CanRun) -> str | None:
    if holds_secret(params.config):
        return _UNSHOWN
    if params.interval and not version.since(2, 10):
        return _TOO_OLD.format(version.text)
    for name, schema in dag.schemas().items():
        value = params.config.get(name, dag.defaults().get(name))
        wrong = misfit(schema, value, Draft7Validator, formats=True)
        if wrong:
            return api.clean(f"its parameter {name} does not fit: {wrong[1]}")
    return None


def _short(defaults: Mapping[str, JsonValue]) -> dict[str, JsonValue] | None:
    """Defaults as far as they can be shown in a request; None when they can't, or must not."""
    text = json.dumps(defaults, ensure_ascii=False)
    return None if len(text) > 300 or holds_secret(dict(defaults)) else dict(defaults)  # noqa: PLR2004 - what a request can show


async def _source(api: Api, dag: str) -> str | None:
    known = api.model(Dag, await api.get(f"dags/{segment(dag)}"))
    if not known.file_token:
        return None
    source = api.model(_Source, await api.get(f"dagSources/{segment(known.file_token)}"))
    return f"source {hashlib.sha256(source.content.encode()).hexdigest()[:12]}"


def _last(trace: str) -> str:
    lines = [line for line in trace.strip().splitlines() if line.strip()]
    return lines[-1] if lines else "no reason is told"
