"""Speaks Slack: payload to command on the way in, incident to blocks on the way out."""

from slack_bolt.async_app import AsyncApp

from handlers import (
    alerts,
    commands,
    decisions,
    elsewhere,
    errors,
    halting,
    home,
    lists,
    mentions,
    questions,
    receipts,
    rejections,
    second_looks,
    shortcuts,
    strays,
)
from handlers.wiring import Wiring


def register(app: AsyncApp, wiring: Wiring) -> None:
    """Every listener, in the order in which they are asked: what must be quick first, `strays` last."""
    elsewhere.register(app, wiring)
    decisions.register(app, wiring)
    halting.register(app, wiring)
    alerts.register(app, wiring)
    mentions.register(app, wiring)
    questions.register(app, wiring)
    rejections.register(app, wiring)
    lists.register(app, wiring)
    second_looks.register(app, wiring)
    receipts.register(app, wiring)
    commands.register(app, wiring)
    shortcuts.register(app, wiring)
    home.register(app, wiring)
    strays.register(app, wiring)
    errors.register(app, wiring)
