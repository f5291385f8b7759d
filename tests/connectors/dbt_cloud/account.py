"""A stub of one dbt Cloud account: hosted only, there is no server to run. Its shapes are those published.

What it does is what is publicly known of the real one: slashes at the end, envelopes, pages of 100 at most,
artifacts that come some looks after the end, no idempotency key.
"""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs

import httpx

from connectors.dbt_cloud import DbtCloudActuator, DbtCloudReader
from connectors.http import Patience
from tests.connectors.dbt.handmade import ARTIFACTS

HOST, URL = "https://ab123.us1.dbt.com", "https://ab123.us1.dbt.com/accounts/1234"
ROOT = "/api/v2/accounts/1234"
TOKEN = "dbtc_planted"
DAILY, HOURLY, TWIN = 11, 12, 13
NAMES = {DAILY: "Daily build", HOURLY: "Hourly build", TWIN: "Twin", 14: "Twin"}
JOBS = frozenset({"Daily build", "Twin"})
QUICK = Patience(whole=0.5, connect=0.2, pause=0.01)
START = datetime(2026, 9, 29, tzinfo=UTC)
MANIFEST = (ARTIFACTS / "manifest_1.11.json").read_bytes()
RESULTS = (ARTIFACTS / "run_results_1.11.json").read_bytes()

Reply = tuple[int, Any]


class Account(httpx.AsyncBaseTransport):
    """`trouble` by path replaces an answer: a status, an exception, or a function that returns a reply."""

    def __init__(self) -> None:
        self.runs: list[dict[str, Any]] = []
        self.files: dict[str, bytes] = {"run_results.json": RESULTS, "manifest.json": MANIFEST}
        self.not_yet = 0
        self.tells_triggers = True
        self.narrows = True
        self.trouble: dict[str, int | Exception | Callable[[], Reply]] = {}
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self.headers: list[httpx.Headers] = []

    def ran(self, status: int, job: int = DAILY, **changes: Any) -> dict[str, Any]:
        """One more run; each ends a minute after the one before."""
        run = a_run(len(self.runs) + 1, status, job) | changes
        self.runs.append(run)
        return run

    def count(self, ending: str) -> int:
        return sum(1 for _, path, _ in self.asked if path.endswith(ending))

    def reader(self, token: str | None = TOKEN) -> DbtCloudReader:
        return DbtCloudReader("dbt", URL, token, waits=(0.01, 0.01), transport=self, patience=QUICK)

    def actuator(self, token: str | None = TOKEN) -> DbtCloudActuator:
        return DbtCloudActuator("dbt", URL, token, JOBS, transport=self, patience=QUICK)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        content = await request.aread()
        query = {k: v[0] for k, v in parse_qs(request.url.query.decode()).items()}
        self.headers.append(request.headers)
        status, body = self.answer(
            request.method, request.url.path, query, json.loads(content or b"{}")
        )
        if isinstance(body, bytes):
            return httpx.Response(status, content=body)
        return httpx.Response(status, json=body, headers={"Retry-After": "7"})

    def answer(
        self, method: str, path: str, query: Mapping[str, str], body: Mapping[str, Any]
    ) -> Reply:
        """As the account would answer a request that it lets in."""
        self.asked.append((method, path, dict(query)))
        trouble = self.trouble.get(path)
        if isinstance(trouble, Exception):
            raise trouble
        if isinstance(trouble, int):
            return trouble, envelope(None, trouble)
        if trouble is not None:
            return trouble()
        if not path.endswith("/") and "/artifacts/" not in path:
            return 405, envelope(None, 405)
        return self._routed(method, path.removeprefix(ROOT).strip("/").split("/"), query, body)

    def _routed(
        self, method: str, parts: list[str], query: Mapping[str, str], body: Mapping[str, Any]
    ) -> Reply:
        match (method, parts):
            case ("GET", [""]):
                return 200, envelope({"id": 1234, "name": "Acme"})
            case ("GET", ["runs"]):
                return self._listed(query)
            case ("GET", ["runs", number]):
                return self._one(int(number), query)
            case ("GET", ["runs", _, "artifacts", name]):
                return self._file(name)
            case ("GET", ["jobs"]):
                wanted = query.get("name__icontains", "").lower()
                return 200, envelope([a_job(j) for j, n in NAMES.items() if wanted in n.lower()])
            case ("GET", ["jobs", number]) if int(number) in NAMES:
                return 200, envelope(a_job(int(number)))
            case ("POST", ["jobs", number, "run"]) if body.get("cause"):
                run = self.ran(1, int(number), trigger={"cause": body["cause"]}, finished_at=None)
                return 200, envelope(self._told(run, '["trigger"]'))
            case _:
                return 404, envelope(None, 404)

    def _listed(self, query: Mapping[str, str]) -> Reply:
        order = query.get("order_by", "id")
        field = order.removeprefix("-")
        unread = set() if self.narrows else {"finished_at__range"}
        runs = [
            run for run in self.runs if _fits(run, {k: query[k] for k in query.keys() - unread})
        ]
        runs.sort(key=lambda run: (run[field] is None, run[field]), reverse=order[0] == "-")
        start, limit = int(query.get("offset", 0)), min(int(query.get("limit", 100)), 100)
        related = query.get("include_related", "[]")
        return 200, envelope([self._told(run, related) for run in runs[start : start + limit]])

    def _one(self, number: int, query: Mapping[str, str]) -> Reply:
        found = next((run for run in self.runs if run["id"] == number), None)
        if found is None:
            return 404, envelope(None, 404)
        return 200, envelope(self._told(found, query.get("include_related", "[]")))

    def _told(self, run: dict[str, Any], related: str) -> dict[str, Any]:
        wanted = json.loads(related) if self.tells_triggers else []
        return run | {k: None for k in ("trigger", "job", "run_steps") if k not in wanted}

    def _file(self, name: str) -> Reply:
        self.not_yet -= 1
        if self.not_yet >= 0 or name not in self.files:
            return 404, envelope(None, 404)
        return 200, self.files[name]


def a_run(number: int, status: int, job: int) -> dict[str, Any]:
    at = START + timedelta(minutes=number)
    steps = [
        {"index": 3, "name": "Invoke dbt with `dbt deps`", "status": 10, "logs": "ok"},
        {
            "index": 4,
            "name": "Invoke dbt with `dbt build`",
            "status": status,
            "logs": "Running\npassword=planted-secret\nDatabase Error: gone\n",
        },
    ]
    return {
        "id": 70403110000 + number,
        "account_id": 1234,
        "project_id": 5678,
        "job_definition_id": job,
        "job_id": job,
        "status": status,
        "status_message": None,
        "git_sha": f"{number:040x}",
        "created_at": f"{at:%Y-%m-%d %H:%M:%S}.000000+00:00",
        "updated_at": f"{at:%Y-%m-%d %H:%M:%S}.000000+00:00",
        "started_at": f"{at:%Y-%m-%d %H:%M:%S}.500000+00:00",
        "finished_at": f"{at:%Y-%m-%d %H:%M:%S}.900000+00:00",
        "artifacts_saved": False,
        "href": f"{HOST}/deploy/1234/projects/5678/runs/{70403110000 + number}/",
        "trigger": {"cause": "Scheduled"},
        "job": {"name": NAMES[job], "project_id": 5678, "state": 1},
        "run_steps": steps,
    }


def a_job(number: int) -> dict[str, Any]:
    return {"id": number, "name": NAMES[number], "project_id": 5678, "state": 1}


def envelope(data: Any, code: int = 200) -> dict[str, Any]:
    said = {200: "Success!", 401: "Invalid token.", 404: "Not found."}.get(code, "Refused.")
    status = {"code": code, "is_success": code == 200, "user_message": said}
    return {"status": status | {"developer_message": ""}, "data": data}


def _fits(run: Mapping[str, Any], query: Mapping[str, str]) -> bool:
    wanted = {key: query[key] for key in ("status", "job_definition_id") if key in query}
    if any(str(run[key]) != value for key, value in wanted.items()):
        return False
    if "finished_at__range" not in query:
        return True
    first, last = (datetime.fromisoformat(at) for at in json.loads(query["finished_at__range"]))
    ended = run["finished_at"]
    return ended is not None and first <= datetime.fromisoformat(ended) <= last
