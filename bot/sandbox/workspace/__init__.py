"""A Slack workspace on this machine: enough of Slack that an unmodified Bolt app runs against it, and as strict as Slack.

It is the demo's workspace, with people in a browser, and the double every journey test runs against. It knows nothing of our bot.
api.md describes what people and tests may do under `/sandbox/`.
"""

from bot.sandbox.workspace.errors import SlackError
from bot.sandbox.workspace.person.driver import PersonDriver, until
from bot.sandbox.workspace.seed import (
    USUAL_EVENTS,
    USUAL_SCOPES,
    App,
    Channel,
    Completion,
    IncomingWebhook,
    Person,
    Shortcut,
    SlashCommand,
    Team,
    UserGroup,
    WorkspaceSeed,
)
from bot.sandbox.workspace.server import Workspace
from bot.sandbox.workspace.timing import Timing

__all__ = [
    "USUAL_EVENTS",
    "USUAL_SCOPES",
    "App",
    "Channel",
    "Completion",
    "IncomingWebhook",
    "Person",
    "PersonDriver",
    "Shortcut",
    "SlackError",
    "SlashCommand",
    "Team",
    "Timing",
    "UserGroup",
    "Workspace",
    "WorkspaceSeed",
    "until",
]
