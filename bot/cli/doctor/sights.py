"""The doctor at the looks: which connections are seen, and which only seem quiet because nobody sees them."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from bot.cli.house import House
from bot.health import Finding, Producer
from bot.settings import Settings
from policies.kinds import runs
from policies.rules import Rules
from policies.sight import Sight

_FILE = "sqlite+aiosqlite:///"
_OVERDUE = 3


def producers(house: House, settings: Settings, rules: Rules) -> Mapping[str, Producer]:
    """One that reads how the looks of the running bot went; none where it does not look by itself."""
    if rules.poll_every is None:
        return {}
    url = settings.database_url.get_secret_value()
    return {"looks": partial(_looks, house, url, rules)}


async def _looks(house: House, url: str, rules: Rules) -> Sequence[Finding]:
    if url.startswith(_FILE) and not Path(url.removeprefix(_FILE)).exists():  # noqa: ASYNC240 - one look at a local file, in a command
        return []
    have, want = await house.schema(url)
    if have != want:
        return []
    database = house.open(url)
    try:
        seen = await database.sights()
    finally:
        await database.close()
    names = [name for name, connection in rules.connections.items() if runs(connection.kind)]
    return [looked(name, seen.get(name), rules, house.clock.now()) for name in names]


def looked(name: str, sight: Sight | None, rules: Rules, now: datetime) -> Finding:
    """How the looks at one connection went."""
    label = f"looks at {name}"
    if sight is None or sight.looked_at is None:
        return Finding(name=label, ok=None, says="none yet → is `dw run` running?")
    if sight.behind:
        return Finding(name=label, ok=None, says=f"still catching up: {sight.problem}")
    since = f"{sight.blind_from:%Y-%m-%d %H:%M} UTC"
    if sight.problem or sight.failures > 1:
        why = sight.problem or "its looks do not end"
        says = f"{sight.failures} failed in a row, nothing seen since {since}: {why}"
        return Finding(
            name=label, ok=None if not sight.blind(now, rules.blind_after) else False, says=says
        )
    if now - sight.looked_at > _OVERDUE * (rules.poll_every or timedelta()):
        says = f"the last was at {sight.looked_at:%Y-%m-%d %H:%M} UTC → is `dw run` running?"
        return Finding(name=label, ok=None, says=says)
    says = f"well; failures read up to {sight.since:%Y-%m-%d %H:%M} UTC"
    missing = f"; {'; '.join(sight.remarks)}" if sight.remarks else ""
    return Finding(name=label, ok=True, says=says + missing)
