"""Ten people, a hundred domains, as many jobs as are wanted, and the alerts about them."""

from dataclasses import replace
from typing import Any

from bot.sandbox.demo import seed
from bot.sandbox.workspace import Person, Timing, Workspace, WorkspaceSeed
from policies.rules import Rules
from tests.journeys.alerts import ORG, post
from tests.journeys.props import seeded
from tests.policies import night

DOMAINS = 100
#: who may decide, and who may not however often they tap
ENTITLED, OTHERS = ("p0", "p1", "p2", "p3"), ("p4", "p5", "p6", "p7", "p8", "p9")
EVERYBODY = (*ENTITLED, *OTHERS)
QUICK = Timing(
    redeliver_after=(0.0, 0.5, 1.0, 2.0, 4.0), refresh_grace=0.2, channel_rate=0, tiers={}
)


def slack_id(name: str) -> str:
    """Of one of the ten."""
    return f"U0{name.upper()}"


def workspace_seed() -> WorkspaceSeed:
    """The journeys' workspace with ten more people; four of them are on call."""
    known = seeded()
    people = tuple(
        Person(id=slack_id(n), name=n, real_name=n.upper(), email=f"{n}@example.com")
        for n in EVERYBODY
    )
    channels = tuple(
        replace(c, members=(*c.members, *(p.id for p in people))) if c.id == seed.ALERTS else c
        for c in known.channels
    )
    on_call = replace(known.usergroups[0], users=tuple(slack_id(name) for name in ENTITLED))
    return replace(known, people=(*known.people, *people), channels=channels, usergroups=(on_call,))


def rules(jobs: int) -> Rules:
    """Those on call decide about every job; a domain each, so that no alert waits for its neighbour."""
    told: dict[str, Any] = night.dw_yml()
    domains = {
        f"d{n}": night.growth(
            jobs=[f"job_{job}" for job in range(n, jobs, DOMAINS)],
            assets=[f"table_{n}"],
            checks=[],
            owners={},
            chain=[{"who": "@data-oncall", "within": "2h"}],
        )
        for n in range(min(DOMAINS, jobs))
    }
    dagster = {**told["connections"]["dagster"], "jobs": {f"job_{n}": {} for n in range(jobs)}}
    return night.rules(
        admins=["dee@example.com"],
        domains=domains,
        connections={"dagster": dagster},
        assets={},
        notes=[],
    )


def alert(workspace: Workspace, number: int) -> None:
    """Dagster+ tells that a job has failed."""
    run = f"{number:08x}-9b0a-4c1f-8a77-{number:012x}"
    head = f"Job job_{number} failed in deployment prod"
    words = f"*{head}*\n*Run:* <{ORG}/runs/{run}|{run[:8]}>"
    post(workspace, head, [{"type": "section", "text": {"type": "mrkdwn", "text": words}}])
