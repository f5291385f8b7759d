"""Answers as a real Prefect 3.9 gave them, replayed over a transport that records what was asked."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from connectors.http import Patience
from connectors.prefect import PrefectActuator, PrefectReader
from connectors.prefect.api import Api
from policies.evidence import Json, Probe
from tests.building import NOW

ANSWERS = Path(__file__).parent / "answers"
URL = "http://prefect.example.com"
LOGIN = "dw:planted-secret"
JOBS = frozenset({"growth-rollups/prod", "growth-rollups/staging"})
BUILDS = {"growth-rollups/prod": ["agg_weekly_engagement"]}
QUICK = Patience(whole=0.5, connect=0.2, pause=0.01)
FLOW, DEPLOYMENT = "6ad09dfc-a3c5-4cb5-a8f3-ec6f1906ad0b", "061e732d-e074-4395-bbe7-1cbecaaae235"
STAGING = "4a813f22-817d-4039-b4d8-0daf547722c2"
FAILED_RUN = "a4fbc0a1-e64f-472a-a5e9-af54ba4ff41f"
NAMED = "/deployments/name/growth-rollups/prod"
CREATE = f"/deployments/{DEPLOYMENT}/create_flow_run"

Answer = str | int | Exception | Callable[[dict[str, Any]], Any]
NAMES: dict[str, Answer] = {
    "/flows/filter": lambda _: [{"id": FLOW, "name": "growth-rollups"}],
    "/deployments/filter": lambda _: [
        {"id": DEPLOYMENT, "name": "prod"},
        {"id": STAGING, "name": "staging"},
    ],
}


class FakePrefect(httpx.AsyncBaseTransport):
    """`answers` by path: a file's name, a status, an exception to raise, a function of the body, or a list
    of them to be used up in turn; the last one stays."""

    def __init__(self, answers: dict[str, Answer | list[Answer]]) -> None:
        every = {**NAMES, **answers}
        self.answers = {k: list(a) if isinstance(a, list) else [a] for k, a in every.items()}
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.headers: list[httpx.Headers] = []

    def bodies(self, path: str) -> list[dict[str, Any]]:
        return [body for asked, body in self.asked if asked == path]

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        content = await request.aread()
        path, body = request.url.path.removeprefix("/api"), json.loads(content or b"{}")
        self.asked.append((path, body))
        self.headers.append(request.headers)
        waiting = self.answers.get(path, ["run_unknown"])
        return self._response(waiting.pop(0) if len(waiting) > 1 else waiting[0], body)

    def _response(self, answer: Answer, body: dict[str, Any]) -> httpx.Response:
        match answer:
            case Exception():
                raise answer
            case int():
                return httpx.Response(answer, text="<html>no</html>")
            case str():
                said = recorded(answer)
                return httpx.Response(said["status"], json=said["body"])
            case _:
                return httpx.Response(200, json=answer(body))

    def reader(self, token: str | None = LOGIN) -> PrefectReader:
        return PrefectReader("prefect", URL, token, builds=BUILDS, transport=self, patience=QUICK)

    def actuator(self, token: str | None = LOGIN) -> PrefectActuator:
        return PrefectActuator("prefect", URL, token, JOBS, transport=self, patience=QUICK)

    def api(self, *, writes: bool = False) -> Api:
        return Api("prefect", URL, LOGIN, writes=writes, transport=self, patience=QUICK)


async def ask(fake: FakePrefect, name: str, **params: Json) -> dict[str, Any]:
    probe = Probe(connection="prefect", name=name, params=params)
    return dict((await fake.reader().read(probe, evidence_id="E1", now=NOW)).value)


def failing(**changes: Answer | list[Answer]) -> FakePrefect:
    """The server with the run that failed; `tasks` replaces its task runs."""
    tasks = changes.get("tasks", lambda _: recorded("task_runs")["body"][:1])
    run = changes.get("run", "run_failed")
    return FakePrefect(
        {f"/flow_runs/{FAILED_RUN}": run, "/task_runs/filter": tasks, "/logs/filter": "logs"}
    )


def recorded(name: str) -> dict[str, Any]:
    return json.loads((ANSWERS / f"{name}.json").read_text())


def a_run(number: int, **changes: object) -> dict[str, Any]:
    """A flow run as Prefect writes it; the higher the number, the later it ended."""
    known = {
        "id": f"{number:08x}-0000-4000-8000-000000000000",
        "name": f"run-{number}",
        "flow_id": FLOW,
        "deployment_id": DEPLOYMENT,
        "state_type": "FAILED",
        "state_name": "Failed",
        "created": moment(number),
        "expected_start_time": moment(number),
        "end_time": moment(number),
    }
    return {**known, **changes}


def moment(number: int) -> str:
    return f"2026-09-29T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}.000000Z"


class Creating:
    """A server that keeps the runs it created by their key, for a whole flow, as Prefect does."""

    def __init__(self, **deployment: object) -> None:
        self.runs: dict[str, dict[str, Any]] = {}
        self.deployment = {**recorded("deployment")["body"], **deployment}

    def create(self, body: dict[str, Any]) -> Any:
        known = {"state_type": "SCHEDULED", "state_name": "Scheduled", "end_time": None}
        told = {name: body[name] for name in ("tags", "parameters", "idempotency_key")}
        return self.runs.setdefault(
            body["idempotency_key"], a_run(len(self.runs) + 1, **known, **told)
        )

    def listed(self, body: dict[str, Any]) -> Any:
        keys = body["flow_runs"]["idempotency_key"]["any_"]
        return [self.runs[key] for key in keys if key in self.runs]

    def fake(self, **answers: Answer | list[Answer]) -> FakePrefect:
        """`create` and `listed` replace what this server does."""
        return FakePrefect(
            {
                NAMED: lambda _: self.deployment,
                CREATE: answers.get("create", self.create),
                "/flow_runs/filter": answers.get("listed", self.listed),
            }
        )
