"""Which emails went out, about which request, and to whose thread they belong."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None
COMPATIBLE_SINCE = "0007"


def upgrade() -> None:
    """Make the table; of what was mailed before nothing is known, and nothing is mailed once more."""
    op.create_table(
        "mailed",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
        sa.Column("turn", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("letter", sa.Text(), nullable=False),
        sa.Column("thread", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("person", "request", "turn", "kind", name="pk_mailed"),
    )
