"""What the use cases need from the world, as small interfaces with a fake behind each in the tests."""

from bot.ports.database import (
    Absences,
    Anchor,
    Copies,
    DueTable,
    Inbox,
    Journal,
    Levels,
    Receipts,
    Stops,
    Store,
)
from bot.ports.errors import (
    RetryAfter,
    StaleIncident,
    StoreUnavailable,
    Undeliverable,
)
from bot.ports.people import (
    Announcer,
    Answerer,
    Directory,
    History,
    Showing,
)
from bot.ports.sources import Sources
from bot.ports.values import (
    Change,
    Copy,
    Due,
    DueStats,
    IncidentLine,
    Lane,
    Lift,
    NewDue,
    Spend,
    Stop,
)

__all__ = [
    "Absences",
    "Anchor",
    "Announcer",
    "Answerer",
    "Change",
    "Copies",
    "Copy",
    "Directory",
    "Due",
    "DueStats",
    "DueTable",
    "History",
    "Inbox",
    "IncidentLine",
    "Journal",
    "Lane",
    "Levels",
    "Lift",
    "NewDue",
    "Receipts",
    "RetryAfter",
    "Showing",
    "Sources",
    "Spend",
    "StaleIncident",
    "Stop",
    "Stops",
    "Store",
    "StoreUnavailable",
    "Undeliverable",
]
