"""What the apps around us post into #data-alerts."""

from typing import Any

from bot.sandbox.demo import seed
from bot.sandbox.workspace import Workspace
from bot.sandbox.workspace.state import Message
from tests.policies import night

ORG = "https://acme.dagster.cloud/prod"
RUN = f"{ORG}/runs/{night.RUN}"


def check_failed(workspace: Workspace, note: str = "23,100 rows against 28,400") -> Message:
    """Dagster+ tells that the check on raw_sessions failed; `note` is what somebody wrote into it."""
    head = "Asset check raw_sessions_complete failed on raw_sessions"
    facts = f"*Deployment:* prod\n*Run:* <{RUN}|{night.RUN[:8]}>\n*Partition:* {night.DAY}"
    page = f"{ORG}/assets/raw_sessions?view=checks"
    blocks = [_section(f"*{head}*"), _section(facts), _section(note), _link("View check", page)]
    return post(workspace, head, blocks)


def freshness_missed(workspace: Workspace, asset: str = "fct_daily_active_users") -> Message:
    """Dagster+ tells hours later that a table downstream is stale."""
    head = f"Asset {asset} freshness failed"
    blocks = [
        _section(f"*{head}* in deployment `prod`"),
        _link("View asset", f"{ORG}/assets/{asset}"),
    ]
    return post(workspace, head, blocks)


def post(workspace: Workspace, text: str, blocks: list[dict[str, Any]] | None = None) -> Message:
    """Dagster+ posts something."""
    said = {"text": text, **({"blocks": blocks} if blocks else {})}
    return workspace.alert(seed.SENDER_APP, seed.ALERTS, **said)


def _section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}}


def _link(label: str, url: str) -> dict[str, Any]:
    button = {"type": "button", "text": {"type": "plain_text", "text": label}, "url": url}
    return {"type": "actions", "elements": [button]}
