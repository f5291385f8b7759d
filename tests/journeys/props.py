"""What the stage is set with: the settings and rules of the house, the people and limits of the workspace.

Slack's limits are on, ten times as fast as Slack's for both sides.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml
from pydantic import SecretStr

from bot.main import Means
from bot.sandbox.demo import seed
from bot.sandbox.workspace import Timing, WorkspaceSeed
from bot.sandbox.workspace.timing import TIERS
from bot.settings import Settings
from bot.worker.context import Pace
from policies.rules import Rules
from tests.journeys.clock import RunningClock
from tests.journeys.stack import Stack
from tests.policies import night

FASTER = 10
PATIENCE = 20.0
"""Seconds until something that never comes is given up; a busy machine is not a defect."""
SECRET = "planted-signing-secret"
MANIFEST = Path(__file__).parents[2] / "manifest.yml"
QUICK = Pace(gate=0.2, look_up=0.2, look_ups=3)
CHAIN = [
    {"who": "owner", "within": "5m"},
    {"who": "@data-oncall", "within": "3m"},
    {"who": "dee@example.com", "within": "3m"},
]
TIMING = Timing(
    redeliver_after=(0.0, 0.1, 0.2, 0.4),
    refresh_grace=0.2,
    channel_rate=FASTER,
    tiers={method: calls * FASTER for method, calls in TIERS.items()},
)


def rules(**changes: Any) -> Rules:
    """The dw.yml of the night, with the whole chain and one admin."""
    known = {
        "admins": ["dee@example.com"],
        "domains": {"growth": night.growth(chain=CHAIN)},
    }
    return night.rules(**{**known, **changes})


def means(clock: RunningClock, stack: Stack, faster: float = FASTER) -> Means:
    """What every house of the journeys is built with."""
    return Means(build=stack.build, clock=clock, pace=QUICK, posts=faster, updates=0.8 * faster)


def settings(url: str, slack: str, **changes: Any) -> Settings:
    """The settings of a house over this database and this Slack; `environment` holds further secrets."""
    environment = changes.pop("environment", {})
    known = {
        "slack_bot_token": SecretStr(seed.BOT_TOKEN),
        "slack_app_token": SecretStr(seed.APP_TOKEN),
        "slack_signing_secret": SecretStr(SECRET),
        "slack_base_url": slack,
        "database_url": SecretStr(url),
        "port": 0,
        "follow_seconds": 0.2,
        "watch_seconds": 0.2,
    }
    made = Settings(**{**known, **changes})
    made._environment = environment
    return made


def seeded() -> WorkspaceSeed:
    """The demo's workspace, where our app has the rights and events of `manifest.yml` and no others."""
    manifest = yaml.safe_load(MANIFEST.read_text())
    known = seed.workspace_seed()
    apps = tuple(
        replace(
            app,
            signing_secret=SECRET,
            scopes=frozenset(manifest["oauth_config"]["scopes"]["bot"]),
            events=frozenset(manifest["settings"]["event_subscriptions"]["bot_events"]),
        )
        if app.app_id == seed.BOT_APP
        else app
        for app in known.apps
    )
    return replace(known, apps=apps)
