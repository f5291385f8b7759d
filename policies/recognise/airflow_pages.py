"""Addresses of Airflow's pages, old and new: DAG, run, task, try, and the logical date of old ones."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from urllib.parse import parse_qs, unquote, urlsplit

from policies.recognise.reading import links
from policies.run import within
from policies.signal import Signal

_NAME = re.compile(r"[\w.\-~:+]{1,250}")
_RUN = re.compile(r"[^\x00-\x1f\x7f/]{1,250}")


@dataclass(frozen=True, kw_only=True, slots=True)
class RunPage:
    """A page of one DAG: which run, task and try it is about, where the address says so."""

    dag: str
    url: str
    run: str | None = None
    task: str | None = None
    extra: Mapping[str, str]

    @property
    def run_id(self) -> str | None:
        """The run's id, unique in its Airflow."""
        return within(self.dag, self.run) if self.run else None


def run_page(signal: Signal, dag: str | None = None) -> RunPage | None:
    """The first link to a page of a DAG, buttons before text; with `dag`, only one of that DAG."""
    found = (_page(link.url) for link in links(signal))
    return next((page for page in found if page and dag in (None, page.dag)), None)


def moment_text(words: str | None) -> str | None:
    """A time as ISO 8601, however it was printed; None when it names no zone, for then it is nobody's."""
    try:
        at = datetime.fromisoformat(words) if words else None
    except ValueError:
        return None
    return at.isoformat() if at and at.tzinfo else None


def _page(url: str) -> RunPage | None:
    try:
        address = urlsplit(url)
    except ValueError:
        return None
    parts = [unquote(part) for part in address.path.split("/") if part]
    told = {name: values[0] for name, values in parse_qs(address.query).items()}
    named = dict(pairwise(parts))
    dag = told.get("dag_id") or named.get("dags")
    if dag is None or not _NAME.fullmatch(dag):
        return None
    told |= {"map_index": named["mapped"]} if "mapped" in named else {}
    return RunPage(
        dag=dag,
        url=url,
        run=_fitting(_RUN, told.get("dag_run_id") or named.get("runs")),
        task=_fitting(_NAME, told.get("task_id") or named.get("tasks")),
        extra=_extra(told),
    )


def _fitting(pattern: re.Pattern[str], text: str | None) -> str | None:
    return text if text and pattern.fullmatch(text) else None


def _extra(told: Mapping[str, str]) -> dict[str, str]:
    """`map_index` -1 means that the task is not mapped."""
    found = {
        "map_index": told.get("map_index"),
        "try_number": told.get("try_number"),
        "logical_date": moment_text(told.get("execution_date")),
    }
    return {name: text for name, text in found.items() if text and text != "-1"}
