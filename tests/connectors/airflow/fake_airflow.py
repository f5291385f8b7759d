"""Answers as a real Airflow 2.11 and 3.3 gave them, replayed over a transport that records what was asked."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import httpx

from connectors.airflow import AirflowActuator, AirflowReader, Known
from connectors.airflow.api import Api
from connectors.airflow.doors import Bearer, Door, Password
from connectors.http import Patience

ANSWERS = Path(__file__).parent / "answers"
URL = "https://airflow.example.com/prod"
SECRET = "planted-secret"
DAG = "usage_billing_daily"
RUN = f"{DAG}/story-1"
DAGS = frozenset({DAG, "masked_failure", "paused_export"})
KNOWN = Known(builds={DAG: ("fct_daily_usage",)})
QUICK = Patience(whole=0.5, connect=0.2, pause=0.01)

Answer = str | int | Exception | Callable[[httpx.Request], httpx.Response]
Major = Literal[2, 3]


class FakeAirflow(httpx.AsyncBaseTransport):
    """`answers` by `METHOD path` below the API: the name of a recorded one, a status, an exception to raise,
    a function, or a list of them to be used up in turn; the last one stays. All else is not found."""

    def __init__(self, major: Major, **answers: Answer | list[Answer]) -> None:
        self.major = major
        self.answers: dict[str, list[Answer]] = {}
        self.asked: list[httpx.Request] = []
        self.run: Answer = "run_unknown"
        self.on(**answers)

    def on(self, **answers: Answer | list[Answer]) -> "FakeAirflow":
        for name, answer in answers.items():
            self.answers[name] = list(answer) if isinstance(answer, list) else [answer]
        return self

    def gets(self, path: str, *answer: Answer) -> "FakeAirflow":
        return self.on(**{f"GET {path}": list(answer)})

    def posts(self, path: str, *answer: Answer) -> "FakeAirflow":
        return self.on(**{f"POST {path}": list(answer)})

    def count(self, method: str, path: str = "") -> int:
        return sum(1 for r in self.asked if r.method == method and r.url.path.endswith(path))

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        self.asked.append(request)
        version, _, path = request.url.path.removeprefix("/prod/api/v").partition("/")
        if request.url.path == "/prod/auth/token":
            return self._next(f"{request.method} /auth/token", "nowhere", request)
        if version != str(self.major - 1):
            return response(f"v{self.major - 1}_nowhere")
        default = {"version": "version"}.get(path, self.run)
        return self._next(f"{request.method} {path}", default, request)

    def _next(self, key: str, default: Answer, request: httpx.Request) -> httpx.Response:
        waiting = self.answers.get(key, [default])
        answer = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        match answer:
            case Exception():
                raise answer
            case int():
                return httpx.Response(answer, text="<html>no</html>")
            case str():
                return response(f"v{self.major - 1}_{answer}")
            case _:
                return answer(request)

    def door(self) -> Door:
        return Password("airflow", URL, "ana", SECRET) if self.major == 2 else Bearer(SECRET)

    def reader(self, door: Door | None = None) -> AirflowReader:
        door = door or self.door()
        return AirflowReader("airflow", URL, door, known=KNOWN, transport=self, patience=QUICK)

    def actuator(self, door: Door | None = None) -> AirflowActuator:
        door = door or self.door()
        return AirflowActuator("airflow", URL, door, DAGS, transport=self, patience=QUICK)

    def api(self, door: Door | None = None, dags: frozenset[str] = frozenset()) -> Api:
        return Api("airflow", URL, door or self.door(), dags=dags, transport=self, patience=QUICK)


def response(name: str, **changes: Any) -> httpx.Response:
    """A recorded answer; `changes` go over the fields of its body."""
    told = json.loads((ANSWERS / f"{name}.json").read_text())
    headers = {"content-type": told["type"]}
    if isinstance(told["body"], str):
        return httpx.Response(told["status"], text=told["body"], headers=headers)
    return httpx.Response(told["status"], json=told["body"] | changes)


def body(request: httpx.Request) -> dict[str, Any]:
    sent: dict[str, Any] = json.loads(request.content)
    return sent


class Queueing:
    """An Airflow 2 that keeps what was queued and refuses the same id, or the same logical date, twice."""

    def __init__(self) -> None:
        self.runs: dict[str, dict[str, Any]] = {}

    def queue(self, request: httpx.Request) -> httpx.Response:
        sent = body(request)
        taken = {run.get("logical_date") for run in self.runs.values()} - {None}
        if sent["dag_run_id"] in self.runs or sent.get("logical_date") in taken:
            return response("v1_conflict")
        dated = {k: v for k, v in sent.items() if k != "note"}
        self.runs[sent["dag_run_id"]] = dated
        return response("v1_queued", **dated)

    def look(self, request: httpx.Request) -> httpx.Response:
        run = self.runs.get(request.url.path.rpartition("/")[2])
        return response("v1_queued", **run) if run else response("v1_run_unknown")

    def fake(self) -> FakeAirflow:
        fake = FakeAirflow(2).gets(f"dags/{DAG}", "dag").posts(f"dags/{DAG}/dagRuns", self.queue)
        fake.run = self.look
        return fake
