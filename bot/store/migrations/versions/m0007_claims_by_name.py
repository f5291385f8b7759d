"""A claim has a name; and the database says which versions of dw may work on it."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both."""
    op.add_column("due", sa.Column("claim", sa.Text(), nullable=True))
    op.create_table(
        "compatible",
        sa.Column("since", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("since", name="pk_compatible"),
    )
