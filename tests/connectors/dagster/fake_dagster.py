"""Answers as a real Dagster 1.13 gave them, replayed over a transport that records what was asked."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import httpx

from connectors.dagster import DagsterActuator, DagsterReader
from connectors.dagster.graphql import GraphQL
from connectors.http import Patience

ANSWERS = Path(__file__).parent / "answers"
URL = "http://dagster.example.com/prod"
TOKEN = "user:planted-secret"
JOBS = frozenset({"growth_rollups_job", "sessions_job", "strict_config_job", "rest_job"})
QUICK = Patience(whole=0.5, connect=0.2, pause=0.01)

Answer = str | int | Exception | Callable[[Mapping[str, Any]], Any]


class FakeDagster(httpx.AsyncBaseTransport):
    """`answers` by operation (`DwRun`): a file's name, a status, an exception to raise, a function of the
    variables, or a list of them to be used up in turn; the last one stays."""

    def __init__(self, **answers: Answer | list[Answer]) -> None:
        self.answers = {
            name: list(a) if isinstance(a, list) else [a] for name, a in answers.items()
        }
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.headers: list[httpx.Headers] = []

    def count(self, operation: str) -> int:
        return sum(1 for name, _ in self.asked if name == operation)

    def variables(self, operation: str) -> list[dict[str, Any]]:
        return [variables for name, variables in self.asked if name == operation]

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        body = json.loads(await request.aread())
        operation = body["query"].split()[1].split("(")[0]
        self.asked.append((operation, body["variables"]))
        self.headers.append(request.headers)
        waiting = self.answers[operation]
        answer = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        return self._response(answer, body["variables"])

    def _response(self, answer: Answer, variables: Mapping[str, Any]) -> httpx.Response:
        match answer:
            case Exception():
                raise answer
            case int():
                return httpx.Response(answer, text="<html>no</html>")
            case str():
                said = recorded(answer)
                return httpx.Response(said["status"], json=said["body"])
            case _:
                return httpx.Response(200, json={"data": answer(variables)})

    def reader(self, token: str | None = TOKEN) -> DagsterReader:
        return DagsterReader("dagster", URL, token, transport=self, patience=QUICK)

    def actuator(self, token: str | None = TOKEN) -> DagsterActuator:
        return DagsterActuator("dagster", URL, token, JOBS, transport=self, patience=QUICK)

    def graphql(self, *, writes: bool = False) -> GraphQL:
        return GraphQL("dagster", URL, TOKEN, writes=writes, transport=self, patience=QUICK)


def recorded(name: str) -> dict[str, Any]:
    return json.loads((ANSWERS / f"{name}.json").read_text())


def a_run(number: int, **changes: object) -> dict[str, Any]:
    """A run as Dagster writes it; the higher the number, the newer."""
    known = {
        "runId": f"{number:08x}-0000-4000-8000-000000000000",
        "jobName": "sessions_job",
        "status": "FAILURE",
        "creationTime": 1_790_000_000.0 + number,
        "startTime": None,
        "endTime": None,
        "parentRunId": None,
        "tags": [],
        "assets": [],
    }
    return {**known, **changes}


def runs(*found: dict[str, Any], count: int | None = None) -> dict[str, Any]:
    total = len(found) if count is None else count
    return {"runsOrError": {"__typename": "Runs", "count": total, "results": list(found)}}


class Launching:
    """A server that lists what it launched."""

    def __init__(self) -> None:
        self.runs: list[dict[str, Any]] = []

    def launch(self, variables: Mapping[str, Any]) -> Any:
        tags = variables["params"]["executionMetadata"]["tags"]
        self.runs.append(a_run(len(self.runs) + 1, status="QUEUED", tags=tags))
        return {"launchRun": {"__typename": "LaunchRunSuccess", "run": self.runs[-1]}}

    def listed(self, variables: Mapping[str, Any]) -> Any:
        [wanted] = variables["filter"]["tags"]
        return runs(*(run for run in self.runs if wanted in run["tags"]))

    def fake(self) -> FakeDagster:
        return FakeDagster(DwRuns=self.listed, DwWorkspace="workspace", DwLaunch=self.launch)
