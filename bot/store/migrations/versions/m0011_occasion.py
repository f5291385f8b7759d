"""How often the same error came."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None
COMPATIBLE_SINCE = "0007"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "occasion",
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("occasion", sa.Text(), nullable=False),
        sa.Column("incident_id", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("error", "occasion", name="pk_occasion"),
    )
    op.create_index("ix_occasion_error", "occasion", ["error", "at"])
