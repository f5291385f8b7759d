"""A stand-in for a large Airflow 2 or 3: many DAGs, some failed runs, pages as the real ones cut them.

It counts what it is asked, and can be put behind a real socket.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import httpx

from connectors.airflow import AirflowReader, Known
from connectors.airflow.doors import Bearer, Door, Password
from tests.connectors.airflow.fake_airflow import QUICK, Major

NOW = datetime(2026, 11, 30, 21, tzinfo=UTC)
_PAGE = 100


class Estate(httpx.AsyncBaseTransport):
    """`dags` DAGs of which the first `failed` have one failed run each, a second apart."""

    def __init__(self, major: Major, *, dags: int, failed: int) -> None:
        self.major, self.asked = major, 0
        self.dags = [f"dag_{number:04}" for number in range(dags)]
        self.runs = [self._run(number) for number in range(failed)]

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        status, body = self.answer(str(request.url))
        return httpx.Response(status, json=body)

    def answer(self, url: str) -> tuple[int, Any]:
        """Status and JSON for this address."""
        self.asked += 1
        parts = urlsplit(url)
        version, _, path = parts.path.removeprefix("/api/v").partition("/")
        if version != str(self.major - 1):
            return 404, {"error": "no such API"}
        if path == "version":
            return 200, {"version": {2: "2.11.2", 3: "3.3.2"}[self.major]}
        query = {key: values[0] for key, values in parse_qs(parts.query).items()}
        return 200, self._listed(path.split("/"), query)

    def _listed(self, path: Sequence[str], query: dict[str, str]) -> dict[str, Any]:
        offset, limit = int(query.get("offset", 0)), min(int(query.get("limit", _PAGE)), _PAGE)
        if len(path) == 1:
            page = [{"dag_id": dag} for dag in self.dags[offset : offset + limit]]
            return {"dags": page, "total_entries": len(self.dags)}
        dag = unquote(path[1])
        since = query.get("end_date_gte", "")
        fitting = [r for r in self.runs if dag in ("~", r["dag_id"]) and r["end_date"] >= since]
        return {"dag_runs": fitting[offset : offset + limit], "total_entries": len(fitting)}

    def _run(self, number: int) -> dict[str, Any]:
        ended = f"{NOW - timedelta(hours=1) + timedelta(seconds=number):%Y-%m-%dT%H:%M:%SZ}"
        ids = {"dag_id": self.dags[number], "dag_run_id": f"scheduled__{number}"}
        return {**ids, "state": "failed", "end_date": ended, "queued_at": ended}

    def reader(self, url: str = "http://airflow.example.com") -> AirflowReader:
        door: Door = Password("airflow", url, "ana", "x") if self.major == 2 else Bearer("x")
        more = {"transport": self} if url.endswith("example.com") else {}
        return AirflowReader("airflow", url, door, known=Known(), patience=QUICK, **more)  # type: ignore[arg-type]
