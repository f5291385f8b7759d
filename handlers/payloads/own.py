"""Who we are in the workspace, and which messages are our own: those are never read again."""

from dataclasses import dataclass

from handlers.payloads.models import EventBody, Inner


@dataclass(frozen=True, kw_only=True, slots=True)
class Identity:
    """Our ids and the workspace's address, as Slack gave them at the start."""

    team: str
    user: str
    bot: str
    app: str | None = None
    enterprise: str | None = None
    scopes: frozenset[str] = frozenset()
    url: str = ""

    def wrote(self, body: EventBody) -> bool:
        """True for whatever we posted, by token or by a webhook of ours, and for its edits."""
        mine = {self.app, body.api_app_id} - {None}
        return any(self._by_me(part, mine) for part in (body.event, body.event.message) if part)

    def _by_me(self, part: Inner, apps: set[str | None]) -> bool:
        return part.user == self.user or part.bot_id == self.bot or part.app in apps
