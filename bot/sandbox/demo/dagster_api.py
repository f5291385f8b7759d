"""Dagster's own GraphQL API, used as a person in front of its pages would.

This is the demo's hand, not the bot's: the bot's connector knows nothing of it and cannot backfill.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from bot.sandbox.demo.errors import WentWrong

Answer = dict[str, Any]

LOCATION = "growth"
REPOSITORY = "__repository__"

_LAUNCH = """
mutation Launch($p: ExecutionParams!) { launchRun(executionParams: $p) {
  __typename
  ... on LaunchRunSuccess { run { runId } }
  ... on RunConfigValidationInvalid { errors { message } }
  ... on Error { message }
} }
"""
_BACKFILL = """
mutation Backfill($p: LaunchBackfillParams!) { launchPartitionBackfill(backfillParams: $p) {
  __typename
  ... on LaunchBackfillSuccess { backfillId }
  ... on RunConfigValidationInvalid { errors { message } }
  ... on Error { message }
} }
"""
_RUN = "query Run($id: ID!) { runOrError(runId: $id) { ... on Run { status } } }"
_BACKFILL_STATE = """
query Backfill($id: String!) { partitionBackfillOrError(backfillId: $id) {
  ... on PartitionBackfill { status runs(limit: 20) { runId status } error { message } }
} }
"""
_CHECK = """
query Check($asset: [String!]!, $check: String!, $partition: String!) {
  assetCheckExecutions(
    assetKey: {path: $asset}, checkName: $check, partition: $partition, limit: 1
  ) { evaluation { success description } }
}
"""
_RUNS = """
query Runs($job: String!) { runsOrError(filter: {pipelineName: $job}, limit: 50) {
  ... on Runs { results { runId status } }
} }
"""
_JOBS = "{ repositoriesOrError { ... on RepositoryConnection { nodes { jobs { name } } } } }"


@dataclass(frozen=True, kw_only=True, slots=True)
class Backfill:
    """A backfill as Dagster tells it: REQUESTED, then COMPLETED_SUCCESS or another end."""

    status: str
    runs: Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What an asset check found."""

    passed: bool
    says: str


class DagsterPages:
    """What a person can do in Dagster's pages."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._http = httpx.AsyncClient(base_url=url, timeout=30, trust_env=False)

    async def close(self) -> None:
        """Let go of connections."""
        await self._http.aclose()

    async def is_ready(self) -> bool:
        """True when the code location is loaded, which is later than when the server answers."""
        try:
            answer = await self._ask(_JOBS, {})
        except (httpx.TransportError, httpx.HTTPStatusError):
            return False
        nodes = answer["repositoriesOrError"].get("nodes", [])
        return any(job["name"] == "sessions_job" for node in nodes for job in node["jobs"])

    async def launch_run(
        self, job: str, *, partition: str | None = None, tags: Mapping[str, str] | None = None
    ) -> str:
        """Launch a job, for one partition if given; returns the run id."""
        all_tags = dict(tags or {})
        if partition is not None:
            all_tags["dagster/partition"] = partition
        selector = {
            "jobName": job,
            "repositoryName": REPOSITORY,
            "repositoryLocationName": LOCATION,
        }
        params = {"selector": selector, "executionMetadata": {"tags": _pairs(all_tags)}}
        answer = await self._change(_LAUNCH, "launchRun", params)
        return str(answer["run"]["runId"])

    async def launch_backfill(
        self, assets: Sequence[str], partition: str, *, title: str = ""
    ) -> str:
        """Launch an asset backfill of one partition; returns the backfill id."""
        params = {
            "assetSelection": [{"path": asset.split("/")} for asset in assets],
            "partitionNames": [partition],
            "tags": [],
            "title": title or None,
        }
        answer = await self._change(_BACKFILL, "launchPartitionBackfill", params)
        return str(answer["backfillId"])

    async def state(self, run_id: str) -> str:
        """Status of a run, in Dagster's word: QUEUED, STARTED, SUCCESS, FAILURE, …"""
        answer = await self._ask(_RUN, {"id": run_id})
        return str(answer["runOrError"].get("status", "unknown"))

    async def backfill(self, backfill_id: str) -> Backfill:
        """A backfill and the runs it has launched so far."""
        answer = (await self._ask(_BACKFILL_STATE, {"id": backfill_id}))["partitionBackfillOrError"]
        if "status" not in answer:
            raise WentWrong(f"Dagster knows no backfill {backfill_id}")
        runs = {run["runId"]: run["status"] for run in answer["runs"]}
        return Backfill(status=str(answer["status"]), runs=runs)

    async def check(self, asset: str, check: str, partition: str) -> Verdict | None:
        """What the check said last of this partition; None when it has not looked yet."""
        variables = {"asset": asset.split("/"), "check": check, "partition": partition}
        found = (await self._ask(_CHECK, variables))["assetCheckExecutions"]
        said = found[0]["evaluation"] if found else None
        return said and Verdict(passed=bool(said["success"]), says=str(said["description"]))

    async def runs_of(self, job: str) -> dict[str, str]:
        """The latest runs of a job and how they stand, the newest first."""
        answer = await self._ask(_RUNS, {"job": job})
        return {run["runId"]: run["status"] for run in answer["runsOrError"]["results"]}

    async def _change(self, mutation: str, field: str, params: object) -> Answer:
        answer: Answer = (await self._ask(mutation, {"p": params}))[field]
        if not answer["__typename"].endswith("Success"):
            said = answer.get("message") or answer.get("errors")
            raise WentWrong(f"Dagster refused {field}: {answer['__typename']}: {said}")
        return answer

    async def _ask(self, query: str, variables: Mapping[str, object]) -> Answer:
        answer = await self._http.post("/graphql", json={"query": query, "variables": variables})
        answer.raise_for_status()
        data: Answer = answer.json()["data"]
        return data


def _pairs(tags: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"key": key, "value": value} for key, value in tags.items()]
