"""Every stored message on its whole way, from Slack's payload to the incident: what opens one, and what never does."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bot.worker.intake import intake
from handlers.payloads import parse
from handlers.payloads.own import Identity
from policies.rules import AlertSender
from tests.bot.worker.world import World, a_world, sqlite_url
from tests.clock import FakeClock
from tests.policies.flat import PAYLOADS, sample
from tests.policies.test_recognise_monitors import SYSTEMS

CHANNEL, ELSEWHERE = "C0ALERTS1", "C0GENERAL"
ME = Identity(team="T0ACME001", user="U0DWBOT01", bot="B0DWBOT01", app="A0DWBOT01")
KNOWN = {
    **SYSTEMS,
    "A0AIRFLOW": "airflow",
    "A0ASTRO01": "astro",
    "A0DAGSTER": "dagster",
    "A0DAGPLUS": "dagsterplus",
    "A0PREFECT": "prefect",
    "A0DBTCLD1": "dbt_cloud",
}
SAMPLES = {path.stem: sample(path.stem) for path in PAYLOADS.glob("*.json")}
BAD = {name: one["event"] for name, one in SAMPLES.items() if one["expect"]["open_incident"]}
REST = {name: one["event"] for name, one in SAMPLES.items() if name not in BAD}


@dataclass
class Post:
    """Delivers events as Slack does, and takes up what is stored of them; nothing else is worked on."""

    world: World
    count: int = field(default=0)

    async def deliver(self, event: Mapping[str, Any], key: str = "") -> None:
        self.count += 1
        body = {"event_id": key or f"Ev{self.count}", "team_id": "T0ACME001", "event": event}
        item = parse.message(body, self.world.clock.now(), ME, frozenset({CHANNEL}))
        if item:
            await self.world.desk.receive(item)
        lease = self.world.context.pace.lease
        for due in await self.world.store.claim(self.world.clock.now(), limit=99, lease=lease):
            if due.kind == "intake":
                await intake(self.world.context, due)
        self.world.clock.advance(minutes=2)

    async def incidents(self) -> int:
        return len(await self.world.store.incidents(open_only=False, limit=999))


@pytest.fixture
async def post(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Post]:
    async with a_world(sqlite_url(tmp_path), clock) as world:
        senders = [
            AlertSender(app_id=app, system=system, connection="dagster")
            for app, system in KNOWN.items()
        ]
        world.use(rules=world.context.rules.model_copy(update={"senders": senders}))
        yield Post(world)


def again(event: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    return {**event, **changes}


async def test_what_is_no_trouble_opens_nothing(post: Post) -> None:
    assert len(REST) > 15
    for event in REST.values():
        await post.deliver(event)
    assert await post.incidents() == 0


async def test_every_trouble_opens_an_incident_or_joins_one(post: Post) -> None:
    assert len(BAD) > 20
    for name, event in BAD.items():
        await post.deliver(event, key=name)
    lines = await post.world.store.incidents(open_only=False, limit=999)
    found = [await post.world.incident(line.id) for line in lines]
    told = {alert.signal_key for incident in found for alert in incident.alerts}
    assert told == set(BAD)


async def test_the_same_words_of_an_unknown_bot_open_nothing(post: Post) -> None:
    profile = {"id": "B0NEW", "app_id": "A0NEW", "name": "Dagster"}
    for number, event in enumerate(BAD.values()):
        stranger = again(
            event, bot_id="B0NEW", app_id="A0NEW", bot_profile=profile, ts=f"{number}.0"
        )
        await post.deliver(stranger)
    assert await post.incidents() == 0


async def test_the_same_words_of_a_person_open_nothing(post: Post) -> None:
    by_bot = ("bot_id", "app_id", "bot_profile", "subtype", "username")
    for number, event in enumerate(BAD.values()):
        kept = {key: value for key, value in event.items() if key not in by_bot}
        await post.deliver(again(kept, user="U0ANN0001", ts=f"{number}.0"))
    assert await post.incidents() == 0


async def test_a_known_bot_in_another_channel_opens_nothing(post: Post) -> None:
    for event in BAD.values():
        await post.deliver(again(event, channel=ELSEWHERE))
    assert await post.incidents() == 0


@pytest.mark.parametrize(
    "change",
    [
        {"thread_ts": "1796004861.100037"},
        {"subtype": "thread_broadcast", "thread_ts": "1796004861.100037"},
        {"subtype": "message_changed"},
        {"subtype": "message_deleted"},
        {"subtype": "channel_join"},
    ],
)
async def test_what_is_not_a_new_message_in_the_channel_opens_nothing(
    post: Post, change: dict[str, str]
) -> None:
    for number, event in enumerate(BAD.values()):
        await post.deliver(again(event, ts=f"{number}.0", **change))
    assert await post.incidents() == 0


async def test_the_same_failure_twice_is_one_incident_and_a_redelivery_is_nothing(
    post: Post,
) -> None:
    event = BAD["airflow3_slack_notifier_task_failed"]
    await post.deliver(event, key="EvA")
    await post.deliver(event, key="EvA")
    assert len((await post.world.incident()).alerts) == 1
    await post.deliver(again(event, ts="1796009999.000100"), key="EvB")
    assert await post.incidents() == 1
    assert [a.signal_key for a in (await post.world.incident()).alerts] == ["EvA", "EvB"]


async def test_what_is_resolved_joins_what_it_resolves(post: Post) -> None:
    await post.deliver(BAD["grafana_firing"], key="EvA")
    await post.deliver(REST["grafana_resolved"], key="EvB")
    assert await post.incidents() == 1
    assert [a.kind for a in (await post.world.incident()).alerts] == ["check_failed", "resolved"]
