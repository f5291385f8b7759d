"""Who is away and who decides for them meanwhile."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "absence",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("until", _MOMENT, nullable=False),
        sa.Column("delegate", sa.Text(), nullable=True),
        sa.Column("said_at", _MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("person", name="pk_absence"),
    )
