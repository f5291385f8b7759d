"""What a promise needs to know of a system to be proven on it. To add a system: one module, and its row in conftest."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bot.sandbox.workspace.state import Message
from tests.journeys.stage import Stage
from tests.live.houses.wires import Asked

SENDER = "A0ORCHESTRATOR"


class System(ABC):
    """A real server with a failed run of `job` on it, which succeeds when it is run as dw.yml says."""

    name: ClassVar[str]
    kind: ClassVar[str]
    job: ClassVar[str]
    untold: ClassVar[str]
    """A job that fails whenever it is run, and that nobody posts about."""
    config: ClassVar[Mapping[str, Any]]
    secrets: ClassVar[Mapping[str, str]]
    """The narrowest credentials that are enough."""
    weak: ClassVar[Mapping[str, str]]
    """Credentials that may read, and not start anything."""
    weaker: ClassVar[Mapping[str, Any]] = {}
    """What dw.yml says of them."""
    refusal: ClassVar[str]
    """How that is said to people."""
    pinned: ClassVar[str]
    """What is said after a yes to what the bot may not do there."""
    url: str

    @property
    def read_only_url(self) -> str:
        """Where `weak` is tried."""
        return self.url

    @abstractmethod
    def tells(self, stage: Stage, url: str) -> Message:
        """What stands in Slack about the failed run."""

    @abstractmethod
    def starts(self, asked: Asked) -> bool:
        """Whether this would start a run."""

    @abstractmethod
    def looks(self, asked: Asked) -> bool:
        """Whether this asks for the run of a step."""

    @abstractmethod
    async def runs(self) -> Sequence[str]:
        """The keys, as the server shows them, of all runs of `job` that carry one of ours; twice when there are two."""

    @abstractmethod
    async def fails(self) -> str:
        """Let `untold` fail, as its own schedule would; the run's id as alerts give it."""

    def shown(self, key: str) -> str:
        """A step's key as `runs` gives it."""
        return key

    def entry(self, url: str, **changes: Any) -> dict[str, Any]:
        """Its connection in dw.yml, with the credentials' names where it has any."""
        return {"kind": self.kind, "url": url, **changes}

    def dw_yml(self, url: str, undo: str, **changes: Any) -> dict[str, Any]:
        """A dw.yml. `undo` tells tests apart: it is part of what is approved, and so of the run's key."""
        job = {"builds": ["fct_daily_usage"], "config": dict(self.config), "undo": undo}
        connection = self.entry(url, jobs={self.job: job, self.untold: {}}, **changes)
        billing = {
            "level": "L2",
            "channels": ["#data-alerts"],
            "assets": ["fct_*"],
            "jobs": [self.job, self.job.partition("/")[0], self.untold],
            "owners": {"fct_*": "ana@example.com"},
            "chain": [{"who": "owner", "within": "30m"}],
        }
        return {
            "version": 1,
            "admins": ["dee@example.com"],
            "alert_channels": ["#data-alerts"],
            "senders": [{"app_id": SENDER, "system": self.kind, "connection": self.kind}],
            "connections": {self.kind: connection},
            "domains": {"billing": billing},
        }
