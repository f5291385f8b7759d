"""Plays Dagster+: posts the alerts of its policies through the Web API, with its own app's token."""

from typing import Any

import httpx

from bot.sandbox.demo import seed
from bot.sandbox.demo.errors import WentWrong

Block = dict[str, Any]


class AlertSender:
    """`api` is the workspace's Web API, `dagster` where the alert's links lead."""

    def __init__(self, api: str, dagster: str) -> None:
        self._dagster = dagster
        self._http = httpx.AsyncClient(
            base_url=api,
            headers={"Authorization": f"Bearer {seed.SENDER_TOKEN}"},
            timeout=10,
            trust_env=False,
        )

    async def close(self) -> None:
        """Let go of connections."""
        await self._http.aclose()

    async def job_failed(self, run_id: str, partition: str) -> str:
        """The policy on failed jobs; returns the message's ts."""
        url = f"{self._dagster}/runs/{run_id}"
        facts = (
            f"*Deployment:* prod\n*Run:* <{url}|{run_id[:8]}>\n*Partition:* {partition}\n"
            "*Schedule:* sessions_job_schedule"
        )
        error = (
            "```Step 'raw_sessions_raw_sessions_complete' failed: DagsterAssetCheckFailedError```"
        )
        return await self._post(
            "Job sessions_job failed",
            [
                {
                    "type": "header",
                    "text": {"type": "plain_text", "text": "Job sessions_job failed"},
                },
                _section(facts),
                _section(error),
                _link("View run", url),
            ],
        )

    async def freshness_missed(self, asset: str) -> str:
        """The policy on freshness; returns the message's ts."""
        text = f"Asset {asset} freshness failed"
        url = f"{self._dagster}/assets/{asset}"
        blocks = [_section(f"*{text}* in deployment `prod`"), _link("View asset", url)]
        return await self._post(text, blocks)

    async def _post(self, text: str, blocks: list[Block]) -> str:
        message = {"channel": seed.ALERTS, "text": text, "blocks": blocks}
        answer = (await self._http.post("chat.postMessage", json=message)).json()
        if not answer["ok"]:
            raise WentWrong(f"Dagster+'s alert was not posted: {answer['error']}")
        return str(answer["ts"])


def _section(text: str) -> Block:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


def _link(label: str, url: str) -> Block:
    button = {"type": "button", "text": {"type": "plain_text", "text": label}, "url": url}
    return {"type": "actions", "elements": [button]}
