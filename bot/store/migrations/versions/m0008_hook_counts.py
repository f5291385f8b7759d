"""What became of the deliveries of webhooks, counted."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None
COMPATIBLE_SINCE = "0007"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "hook_count",
        sa.Column("hook", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("says", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("hook", "outcome", name="pk_hook_count"),
    )
