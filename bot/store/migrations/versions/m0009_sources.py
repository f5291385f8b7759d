"""Who posts alerts: bindings of senders to systems, and how often each sender was heard."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None
COMPATIBLE_SINCE = "0007"

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make both."""
    op.create_table(
        "binding",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("sender", sa.Text(), nullable=False),
        sa.Column("bot_id", sa.Text(), nullable=True),
        sa.Column("app_id", sa.Text(), nullable=True),
        sa.Column("system", sa.Text(), nullable=True),
        sa.Column("connection", sa.Text(), nullable=True),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_binding"),
    )
    counts = ("understood", "unread", "ignored", "unknown")
    op.create_table(
        "sighting",
        sa.Column("sender", sa.Text(), nullable=False),
        sa.Column("bot_id", sa.Text(), nullable=True),
        sa.Column("app_id", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in counts),
        sa.Column("last_at", _MOMENT, nullable=False),
        sa.Column("place", sa.Text(), nullable=True),
        sa.Column("odd_place", sa.Text(), nullable=True),
        sa.Column("reads_like", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("sender", name="pk_sighting"),
    )
