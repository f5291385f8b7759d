"""What is counted in the end: from the database, from outside and from Slack, and never from the bot's own words."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.sandbox.demo import seed
from bot.sandbox.workspace import Workspace
from bot.sandbox.workspace.wire.record import Delivery
from bot.store.store import SqlStore
from policies.incident import Incident
from tests.faults.campaign.crew import ENTITLED, slack_id
from tests.faults.campaign.outside import Outside

_MAY = {slack_id(name) for name in ENTITLED}


@dataclass(kw_only=True)
class Count:
    """All of it. What begins with `lost`, `doubled` or `unentitled` must be empty."""

    clicks: int = 0
    acked: int = 0
    requests: int = 0
    decided: int = 0
    runs: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    unentitled: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> list[str]:
        """Everything that must not be."""
        return [*self.lost, *self.doubled, *self.unentitled]


def key_of(delivery: Delivery) -> str:
    """The key under which a click is stored."""
    action = delivery.payload["actions"][0]
    return f"{action['action_ts']}:{delivery.payload['user']['id']}:{action['action_id']}"


def clicks(workspace: Workspace) -> list[Delivery]:
    """Every click that was sent to our app."""
    told = workspace.record.deliveries
    return [d for d in told if d.kind == "interactive" and d.app_id == seed.BOT_APP]


def incidents_of(count: int) -> Iterable[str]:
    """The names of so many incidents; numbers may be skipped by a crash, so more than there are."""
    return (f"DW-{number}" for number in range(1, count + 1))


async def count(workspace: Workspace, outside: Outside, store: SqlStore, jobs: int) -> Count:
    """Look at everything once nothing is due any more."""
    found = Count(runs=len(outside.keys))
    found.doubled += [f"run {key}" for key in outside.doubled()]
    await _count_clicks(found, workspace, store)
    opened: Counter[str] = Counter()
    for line in await store.incidents(open_only=False, limit=10 * jobs):
        incident = await store.load(line.id)
        assert incident is not None
        opened[str(incident.alert.job)] += 1
        _count_requests(found, incident, outside)
    found.doubled += [f"incident of {job}" for job, times in opened.items() if times > 1]
    found.lost += [f"alert of job_{n}" for n in range(jobs) if f"job_{n}" not in opened]
    found.doubled += [f"message {name}" for name in _doubled_messages(workspace)]
    return found


async def _count_clicks(found: Count, workspace: Workspace, store: SqlStore) -> None:
    for delivery in clicks(workspace):
        found.clicks += 1
        if delivery.state != "acked":
            continue
        found.acked += 1
        if await store.received(key_of(delivery)) is None:
            found.lost.append(f"click {key_of(delivery)}")


def _count_requests(found: Count, incident: Incident, outside: Outside) -> None:
    for name, state in incident.requests.items():
        found.requests += 1
        made = state.decisions
        found.decided += bool(made)
        if not made:
            found.lost.append(f"decision on {name}")
        if len(made) > 1:
            found.doubled.append(f"decision on {name}")
        found.unentitled += [f"{d.person} on {name}" for d in made if d.person not in _MAY]
    runs = [key for key in outside.keys if key.startswith(f"{incident.id}:")]
    approved = any(state.outcome == "approved" for state in incident.requests.values())
    if approved and not runs:
        found.lost.append(f"run of {incident.id}")
    if runs and not approved:
        found.unentitled.append(f"run of {incident.id}")


def _doubled_messages(workspace: Workspace) -> list[str]:
    rooms = workspace.core.state.conversations.values()
    said = [m for room in rooms for m in room.messages.values() if m.app_id == seed.BOT_APP]
    labels = [m.body.get("metadata") or {} for m in said]
    names = Counter(str(label.get("event_payload")) for label in labels if label)
    return [name for name, times in names.items() if times > 1]
