"""Where a person sees the same: addresses of Airflow's own pages, and what to press there."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from pydantic import JsonValue

from connectors.airflow.answers import Version
from connectors.airflow.api import segment
from connectors.airflow.params import CanRun

_OLD = 2
_LONGEST = 2000
"""Characters of an address that every browser, proxy and Slack itself still take."""
_ITS_OWN = frozenset({"conf", "run_id", "execution_date", "origin", "unpause", "dag_id"})
"""What the form of Airflow 2 calls its own fields."""
_FILLED = "The form opens filled in: compare it with the configuration here, then press Trigger."
_EMPTY = "The form opens: put the configuration in, then press Trigger."
_BEHIND = (
    "The DAG opens: press Trigger at the top right (a phone shows it when held sideways), open Advanced "
    "Options, put the configuration in as Configuration JSON, press Trigger."
)
_OTHER_DAY = (
    "Run the command: it says for which interval. A run that is started on the page, as its form opens, "
    "would be for another one."
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Start:
    """Where a person starts a run: the page that comes nearest to its form, and what to press there."""

    link: str
    press: str


def dag_page(base: str, version: Version, dag: str) -> str:
    """A DAG."""
    return f"{base}/dags/{segment(dag)}" + ("/grid" if version.major == _OLD else "")


def run_page(base: str, version: Version, run_id: str) -> str:
    """A run, by `dag/run id`."""
    dag, _, run = run_id.partition("/")
    if version.major == _OLD:
        return f"{dag_page(base, version, dag)}?{urlencode({'dag_run_id': run})}"
    return f"{dag_page(base, version, dag)}/runs/{segment(run)}"


def start(base: str, version: Version, params: CanRun) -> Start:
    """Airflow 2 has a form with an address of its own; in Airflow 3 it is behind a button of the DAG's page.

    No Airflow 3 up to 3.4.0b2 reads anything for its form from the address. Which interval a run is for
    only the API can be told, so no form is offered for that.
    """
    page = dag_page(base, version, params.job)
    if params.interval is not None:
        return Start(link=page, press=_OTHER_DAY)
    if version.major != _OLD:
        return Start(link=page, press=_BEHIND)
    form, known = _form(base, version, params.job)
    filled = _with(form, known | _fields(params.config))
    sure = filled is not None and (not version.since(2, 6) or version.since(2, 9))
    return Start(link=filled or _with(form, known) or form, press=_FILLED if sure else _EMPTY)


def _form(base: str, version: Version, dag: str) -> tuple[str, dict[str, str]]:
    """Its address, and what must be asked of it: until 2.6 it was one page for all DAGs."""
    if version.since(2, 7):
        return f"{base}/dags/{segment(dag)}/trigger", {}
    return f"{base}/trigger", {"dag_id": dag}


def _fields(config: Mapping[str, JsonValue]) -> dict[str, str]:
    """`conf`, and each parameter by its name: fields, where the DAG has any, overwrite `conf`.

    Until 2.5 there are none; from 2.9 on, at the latest, they are read from the address.
    """
    named = {key: _shown(value) for key, value in config.items() if key not in _ITS_OWN}
    return {"conf": json.dumps(config), **named}


def _shown(value: JsonValue) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def _with(page: str, query: Mapping[str, str]) -> str | None:
    """The page with what it is told; None where that would be too long for an address."""
    address = f"{page}?{urlencode(query)}" if query else page
    return address if len(address) <= _LONGEST else None
