"""Every deadline and pace of the workspace in one place, so a test can make an hour last a blink."""

from collections.abc import Callable
from dataclasses import dataclass, field

#: Epoch seconds.
Clock = Callable[[], float]

#: Calls a minute that each method takes from one app. Figures are Slack's published tiers; methods not listed are not limited here.
TIERS = {
    "chat.delete": 50,
    "chat.postEphemeral": 100,
    "chat.update": 50,
    "conversations.history": 50,
    "conversations.info": 50,
    "conversations.list": 20,
    "conversations.members": 100,
    "conversations.open": 50,
    "conversations.replies": 50,
    "reactions.add": 50,
    "team.info": 50,
    "usergroups.list": 20,
    "usergroups.users.list": 20,
    "users.info": 100,
    "users.list": 20,
    "users.lookupByEmail": 50,
    "views.open": 100,
    "views.publish": 100,
    "views.push": 100,
    "views.update": 100,
}


@dataclass(frozen=True, slots=True)
class Timing:
    """All in seconds but for the counts. The defaults are Slack's own figures.

    `redeliver_after` holds the pause before each further try of an unacked event; clicks and commands are never tried again.
    `channel_rate` (messages a second into one channel by one app) of 0 switches pacing off, and so does an empty `tiers`.
    """

    ack_deadline: float = 3.0
    redeliver_after: tuple[float, ...] = (0.0, 60.0, 300.0)
    trigger_life: float = 3.0
    response_life: float = 1800.0
    response_uses: int = 5
    ticket_life: float = 30.0
    refresh_grace: float = 2.0
    channel_rate: float = 1.0
    channel_burst: int = 5
    tiers: dict[str, int] = field(default_factory=lambda: dict(TIERS))
    max_connections: int = 10
