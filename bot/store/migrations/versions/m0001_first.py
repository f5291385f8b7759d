"""The first tables: inbox, incidents and their journal, due rows, copies, receipts, stops.

A step is written out in full and never edited again: what `tables` says tomorrow is not what was made.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)
_ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make them."""
    _counter()
    _due()
    _inbox()
    _incident()
    _stop()
    _copy()
    _incident_key()
    _journal()
    _receipt()


def _counter() -> None:
    op.create_table(
        "counter",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_counter"),
    )


def _due() -> None:
    op.create_table(
        "due",
        sa.Column("id", _ROW_ID, nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("again_at", _MOMENT, nullable=True),
        sa.Column("lane", sa.Integer(), nullable=False),
        sa.Column("incident_id", sa.Text(), nullable=True),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("claimed_until", _MOMENT, nullable=True),
        sa.Column("poisoned", sa.Boolean(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_due"),
        sa.UniqueConstraint("key", name="uq_due_key"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_due_lane", "due", ["lane", "at"], unique=False)


def _inbox() -> None:
    op.create_table(
        "inbox",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("raw", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_inbox"),
    )


def _incident() -> None:
    op.create_table(
        "incident",
        sa.Column("row", _ROW_ID, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("opened_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        sa.CheckConstraint(
            "phase IN ('open', 'diagnosed', 'planned', 'repairing', 'verifying', 'resolved', 'handed_over', 'dismissed')",
            name="ck_incident_phase",
        ),
        sa.PrimaryKeyConstraint("row", name="pk_incident"),
        sa.UniqueConstraint("id", name="uq_incident_id"),
    )
    op.create_index("ix_incident_opened_at", "incident", ["opened_at", "row"], unique=False)


def _stop() -> None:
    op.create_table(
        "stop",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("lifted_by", sa.Text(), nullable=True),
        sa.Column("lifted_at", _MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_stop"),
    )
    op.create_index(
        "uq_stop_scope",
        "stop",
        ["scope"],
        unique=True,
        sqlite_where=sa.text("lifted_at IS NULL"),
        postgresql_where=sa.text("lifted_at IS NULL"),
    )


def _copy() -> None:
    op.create_table(
        "copy",
        sa.Column("incident_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("ts", sa.Text(), nullable=False),
        sa.Column("thread_ts", sa.Text(), nullable=True),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["incident_id"], ["incident.id"], name="fk_copy_incident_id"),
        sa.PrimaryKeyConstraint("incident_id", "name", name="pk_copy"),
    )
    op.create_index("ix_copy_channel", "copy", ["channel", "ts"], unique=False)


def _incident_key() -> None:
    op.create_table(
        "incident_key",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("incident_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["incident_id"], ["incident.id"], name="fk_incident_key_incident_id"
        ),
        sa.PrimaryKeyConstraint("key", name="pk_incident_key"),
    )
    op.create_index("ix_incident_key_incident_id", "incident_key", ["incident_id"], unique=False)


def _journal() -> None:
    op.create_table(
        "journal",
        sa.Column("incident_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["incident_id"], ["incident.id"], name="fk_journal_incident_id"),
        sa.PrimaryKeyConstraint("incident_id", "seq", name="pk_journal"),
    )


def _receipt() -> None:
    op.create_table(
        "receipt",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("incident_id", sa.Text(), nullable=False),
        sa.Column("previous", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["incident_id"], ["incident.id"], name="fk_receipt_incident_id"),
        sa.PrimaryKeyConstraint("number", name="pk_receipt"),
        sa.UniqueConstraint("hash", name="uq_receipt_hash"),
        sa.UniqueConstraint("previous", name="uq_receipt_previous"),
    )
