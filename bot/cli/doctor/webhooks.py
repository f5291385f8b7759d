"""The doctor at the webhooks: each has its secret, is heard, and refuses what it should."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial

from bot.cli.doctor.database import absent
from bot.cli.house import House
from bot.cli.speaking import many
from bot.health import Finding, Producer
from bot.ports import HookCount, refusing
from bot.settings import ConfigError, Settings
from policies.rules import Rules


def producers(house: House, settings: Settings, rules: Rules) -> Mapping[str, Producer]:
    """One that looks at every webhook of dw.yml, and at those who knock elsewhere."""
    return {"webhooks": partial(_webhooks, house, settings, rules)}


async def _webhooks(house: House, settings: Settings, rules: Rules) -> Sequence[Finding]:
    counts = await _counts(house, settings) if rules.webhooks else ()
    found = [_found(name, settings, counts) for name in rules.webhooks]
    return [*found, *_strangers(counts, rules)]


async def _counts(house: House, settings: Settings) -> Sequence[HookCount]:
    url = settings.database_url.get_secret_value()
    if absent(url):
        return ()
    have, want = await house.schema(url)
    if have != want:
        return ()
    database = house.open(url)
    try:
        return await database.hook_counts()
    finally:
        await database.close()


def _found(name: str, settings: Settings, counts: Sequence[HookCount]) -> Finding:
    label = f"webhook {name}"
    try:
        settings.hook_secrets([name])
    except ConfigError as error:
        return Finding(name=label, ok=False, says=str(error))
    mine = [count for count in counts if count.hook == name]
    taken = [count for count in mine if count.taken]
    refused = [count for count in mine if not count.taken]
    if not mine:
        return Finding(name=label, ok=None, says=f"never heard → send one to /hooks/{name}")
    says = f"{_heard(taken)}; {_refused(refused)}"
    return Finding(name=label, ok=None if refusing(mine) else True, says=says)


def _strangers(counts: Sequence[HookCount], rules: Rules) -> Sequence[Finding]:
    """Deliveries for webhooks that dw.yml does not name (any more)."""
    lost = [count for count in counts if count.outcome == "unknown"]
    says = "{} to addresses that are no webhook, the last at {}"
    return [
        Finding(
            name="webhooks",
            ok=None,
            says=says.format(many(one.count, "delivery", "deliveries"), _at(one.last_at)),
        )
        for one in lost
        if rules.webhooks
    ]


def _heard(taken: Sequence[HookCount]) -> str:
    if not taken:
        return "nothing was taken yet"
    each = ", ".join(f"{one.count} {one.outcome}" for one in taken)
    return f"{each}, the last at {_at(max(one.last_at for one in taken))}"


def _refused(refused: Sequence[HookCount]) -> str:
    if not refused:
        return "nothing refused"
    last = max(refused, key=lambda one: one.last_at)
    each = ", ".join(f"{one.count} {one.outcome}" for one in refused)
    return f"refused: {each}, the last at {_at(last.last_at)}: {last.says}"


def _at(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"
