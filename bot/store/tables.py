"""The tables, in SQLAlchemy Core. `migrations/` must add up to exactly these; a test holds them together.

Nothing here is searched by what JSON says, and nothing is ever updated in `journal` or `receipt`.
"""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    text,
)

from bot.store.types import AsciiJson, RowId, UtcDateTime
from policies.incident import Phase

_PHASES = ", ".join(f"'{phase.value}'" for phase in Phase)

METADATA = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)

counter = Table(
    "counter",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", Integer, nullable=False),
)

inbox = Table(
    "inbox",
    METADATA,
    Column("key", Text, primary_key=True),
    Column("at", UtcDateTime, nullable=False),
    Column("name", Text, nullable=False),
    Column("body", AsciiJson, nullable=False),
    Column("raw", AsciiJson, nullable=False),
    Column("place", Text),
    Index("uq_inbox_place", "place", unique=True),
)

# `row` tells which of two incidents of the same moment is the newer one; ids are not made to be sorted.
incident = Table(
    "incident",
    METADATA,
    Column("row", RowId, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("version", Integer, nullable=False),
    Column("phase", Text, nullable=False),
    Column("title", AsciiJson, nullable=False),
    Column("domain", Text, nullable=False),
    Column("channel", Text, nullable=False),
    Column("opened_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    CheckConstraint(f"phase IN ({_PHASES})", name="phase"),
    Index("ix_incident_opened_at", "opened_at", "row"),
)

journal = Table(
    "journal",
    METADATA,
    Column("incident_id", Text, ForeignKey("incident.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("at", UtcDateTime, nullable=False),
    Column("name", Text, nullable=False),
    Column("body", AsciiJson, nullable=False),
    Index("ix_journal_name", "name", "at"),
)

# Rows of open incidents only: that is what makes a key unique among them.
incident_key = Table(
    "incident_key",
    METADATA,
    Column("key", Text, primary_key=True),
    Column("incident_id", Text, ForeignKey("incident.id"), nullable=False, index=True),
)

# `again_at` is a wish that came while somebody worked on the row; `claim` is the name of who does.
due = Table(
    "due",
    METADATA,
    Column("id", RowId, primary_key=True),
    Column("key", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("again_at", UtcDateTime),
    Column("lane", Integer, nullable=False),
    Column("incident_id", Text),
    Column("payload", AsciiJson, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("claimed_until", UtcDateTime),
    Column("claim", Text),
    Column("poisoned", Boolean, nullable=False),
    Column("error", AsciiJson),
    Index("ix_due_lane", "lane", "at"),
    Index("ix_due_incident_id", "incident_id", "kind"),
    sqlite_autoincrement=True,  # an id is never given twice: a late claimer must not hit a new row
)

copy = Table(
    "copy",
    METADATA,
    Column("incident_id", Text, ForeignKey("incident.id"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("channel", Text, nullable=False),
    Column("ts", Text, nullable=False),
    Column("thread_ts", Text),
    Column("shown", Text, nullable=False),
    Index("ix_copy_channel", "channel", "ts"),
)

# What a receipt is about is an incident, or a level that was changed.
receipt = Table(
    "receipt",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("incident_id", Text, nullable=False),
    Column("previous", Text, nullable=False, unique=True),
    Column("body", AsciiJson, nullable=False),
    Column("hash", Text, nullable=False, unique=True),
)

_IN_FORCE = text("lifted_at IS NULL")

stop = Table(
    "stop",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("scope", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("reason", AsciiJson, nullable=False),
    Column("lifted_by", Text),
    Column("lifted_at", UtcDateTime),
    Column("lift_asked_by", Text),
    Index(
        "uq_stop_scope", "scope", unique=True, sqlite_where=_IN_FORCE, postgresql_where=_IN_FORCE
    ),
)

occasion = Table(
    "occasion",
    METADATA,
    Column("error", Text, primary_key=True),
    Column("occasion", Text, primary_key=True),
    Column("incident_id", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Index("ix_occasion_error", "error", "at"),
)

# One row for each request in each email; the subject is foreign words in part.
mailed = Table(
    "mailed",
    METADATA,
    Column("person", Text, primary_key=True),
    Column("request", Text, primary_key=True),
    Column("turn", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("letter", Text, nullable=False),
    Column("thread", Text, nullable=False),
    Column("subject", AsciiJson, nullable=False),
    Column("at", UtcDateTime, nullable=False),
)

absence = Table(
    "absence",
    METADATA,
    Column("person", Text, primary_key=True),
    Column("until", UtcDateTime, nullable=False),
    Column("delegate", Text),
    Column("said_at", UtcDateTime, nullable=False),
)

# One row for each connection that is looked at; the `note_` columns belong to the message about it.
sight = Table(
    "sight",
    METADATA,
    Column("connection", Text, primary_key=True),
    Column("began", UtcDateTime, nullable=False),
    Column("since", UtcDateTime, nullable=False),
    Column("looked_at", UtcDateTime),
    Column("seen_at", UtcDateTime),
    Column("failures", Integer, nullable=False),
    Column("problem", AsciiJson),
    Column("missing", AsciiJson, nullable=False),
    Column("remarks", AsciiJson, nullable=False),
    Column("note_channel", Text),
    Column("note_ts", Text),
    Column("note_from", UtcDateTime),
)

# Numbered one after the other: of two that were decided on the same state, one is stored.
level = Table(
    "level",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("domain", Text, nullable=False),
    Column("change_class", Text, nullable=False),
    Column("level", Text, nullable=False),
    Column("by", AsciiJson, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("reason", AsciiJson, nullable=False),
    Column("receipt", Integer, ForeignKey("receipt.number")),
)

# Numbered like levels; the last word on a sender counts, and no system means that it is bound no more.
binding = Table(
    "binding",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("sender", Text, nullable=False),
    Column("bot_id", Text),
    Column("app_id", Text),
    Column("system", Text),
    Column("connection", Text),
    Column("by", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
)

# One row a sender, however much it posts; a bounded number of senders.
sighting = Table(
    "sighting",
    METADATA,
    Column("sender", Text, primary_key=True),
    Column("bot_id", Text),
    Column("app_id", Text),
    Column("name", AsciiJson, nullable=False),
    Column("understood", Integer, nullable=False),
    Column("unread", Integer, nullable=False),
    Column("ignored", Integer, nullable=False),
    Column("unknown", Integer, nullable=False),
    Column("last_at", UtcDateTime, nullable=False),
    Column("place", Text),
    Column("odd_place", Text),
    Column("reads_like", AsciiJson, nullable=False),
)

# One row for each run that was started without a fresh yes; its number is how much of the day is spent.
spent = Table(
    "spent",
    METADATA,
    Column("domain", Text, primary_key=True),
    Column("day", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("what", Text, nullable=False),
    Column("cost", Float, nullable=False, server_default="0"),
)

# One row: the oldest schema whose code may still work on this database. See `schema`.
compatible = Table(
    "compatible",
    METADATA,
    Column("since", Text, primary_key=True),
)

# One row for each webhook and outcome, however many deliveries there were.
hook_count = Table(
    "hook_count",
    METADATA,
    Column("hook", Text, primary_key=True),
    Column("outcome", Text, primary_key=True),
    Column("count", Integer, nullable=False),
    Column("last_at", UtcDateTime, nullable=False),
    Column("says", AsciiJson, nullable=False),
)
