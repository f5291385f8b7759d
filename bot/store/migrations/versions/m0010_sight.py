"""How the looks at each connection went: the watermark survives a restart, and being blind is known."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None
COMPATIBLE_SINCE = "0007"

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make it."""
    op.create_table(
        "sight",
        sa.Column("connection", sa.Text(), nullable=False),
        sa.Column("began", _MOMENT, nullable=False),
        sa.Column("since", _MOMENT, nullable=False),
        sa.Column("looked_at", _MOMENT, nullable=True),
        sa.Column("seen_at", _MOMENT, nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("missing", sa.Text(), nullable=False),
        sa.Column("remarks", sa.Text(), nullable=False),
        sa.Column("note_channel", sa.Text(), nullable=True),
        sa.Column("note_ts", sa.Text(), nullable=True),
        sa.Column("note_from", _MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("connection", name="pk_sight"),
    )
