"""The Friday on real Airflows: the real house over the local workspace, and nothing of the stack imagined."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from bot.main import Means
from bot.sandbox.demo import seed
from bot.sandbox.workspace import App, WorkspaceSeed
from bot.sandbox.workspace.state import Message
from policies.rules import Rules
from policies.run import Run
from tests.journeys.clock import RunningClock
from tests.journeys.props import QUICK, seeded
from tests.journeys.stage import Stage, a_stage
from tests.live.airflow.server import Major

BILLING = "usage_billing_daily"
FAILED = "stg_usage_events"
SLOW = 90.0
"""Seconds for what real tasks have to do first, also on a busy machine."""
_SENDER = App(
    app_id="A0AIRFLOW",
    bot_id="B0AIRFLOW",
    user_id="U0AIRFLOW",
    name="airflow",
    bot_token="xoxb-planted-airflow",
)
_USERS = {2: {"user": "reader", "act_user": "queuer"}, 3: {"user": "viewer", "act_user": "admin"}}


class Night(Stage):
    """A stage whose house builds the real connectors."""

    def means(self) -> Means:
        """Ours but for the speed."""
        faster = self.faster
        return Means(clock=self.clock, pace=QUICK, posts=faster, updates=0.8 * faster)


@asynccontextmanager
async def a_night(url: str, major: Major, airflow: str, undo: str) -> AsyncIterator[Stage]:
    """The open house over this Airflow. `undo` is what its dw.yml says of taking the run back."""
    users = _USERS[major]
    environment = {"DW_AIRFLOW_PASSWORD": users["user"], "DW_AIRFLOW_ACT_TOKEN": users["act_user"]}
    async with a_stage(
        url,
        kind=Night,
        clock=RunningClock(ahead=0),  # the servers' own time
        seed=_workspace(),
        rules=rules(major, airflow, undo),
        mode={"environment": environment, "follow_seconds": 1, "watch_seconds": 1},
    ) as stage:
        yield stage


def rules(major: Major, url: str, undo: str) -> Rules:
    """The dw.yml of the billing team."""
    job = {
        "builds": ["fct_daily_usage"],
        "config": {"duplicates": False, "usage_date": "{partition}"},
        "undo": undo,
        "risk": "pushes the day's usage to Stripe",
    }
    airflow: dict[str, Any] = {"kind": "airflow", "url": url, "version": major, **_USERS[major]}
    billing = {
        "level": "L2",
        "channels": ["#data-alerts"],
        "assets": ["fct_*"],
        "jobs": [BILLING],
        "owners": {"fct_*": "ana@example.com"},
        "chain": [{"who": "owner", "within": "30m"}],
    }
    return Rules.model_validate(
        {
            "version": 1,
            "admins": ["dee@example.com"],
            "alert_channels": ["#data-alerts"],
            "senders": [{"app_id": _SENDER.app_id, "system": "airflow", "connection": "airflow"}],
            "connections": {"airflow": {**airflow, "jobs": {BILLING: job}}},
            "domains": {"billing": billing},
        }
    )


def told_by_callback(stage: Stage, failed: Run, airflow: str) -> Message:
    """What the usual `on_failure_callback` of Airflow 2 posts."""
    return _post(stage, callback_words(failed, airflow))


def callback_words(failed: Run, airflow: str) -> str:
    """The same, in words."""
    dag, run = parts(failed)
    page = f"{airflow}/dags/{dag}/grid?dag_run_id={run}&amp;task_id={FAILED}&amp;map_index=-1&amp;tab=logs"
    facts = f"*Task*: {FAILED}  \n*Dag*: {dag} \n*Execution Time*: {failed.tags['logical_date']}"
    return f":red_circle: Task Failed. \n{facts}  \n*Log Url*: <{page}> "


def told_by_notifier(stage: Stage, failed: Run, airflow: str) -> Message:
    """What Airflow 3's own notifier posts."""
    return _post(stage, notifier_words(failed, airflow))


def notifier_words(failed: Run, airflow: str) -> str:
    """The same, in words."""
    dag, run = parts(failed)
    page = f"{airflow}/dags/{dag}/runs/{run}/tasks/{FAILED}?try_number=2"
    name = failed.id.partition("/")[2]
    head = f"Task `{dag}.{FAILED}` failed on try 2 in run `{name}`"
    return f"{head}\n<{page}|logs>"


def parts(failed: Run) -> tuple[str, str]:
    dag, _, run = failed.id.partition("/")
    return dag, quote(run, safe="")


def _post(stage: Stage, text: str) -> Message:
    return stage.workspace.alert(_SENDER.app_id, seed.ALERTS, text=text, username="airflow")


def _workspace() -> WorkspaceSeed:
    """The usual one, and an app of that name in the channel of alerts."""
    known = seeded()
    channels = tuple(
        replace(room, members=(*room.members, _SENDER.user_id)) if room.id == seed.ALERTS else room
        for room in known.channels
    )
    return replace(known, apps=(*known.apps, _SENDER), channels=channels)
