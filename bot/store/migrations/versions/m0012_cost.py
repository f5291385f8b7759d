"""What a run that was started without a fresh yes cost, for budgets that count it."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None
COMPATIBLE_SINCE = "0007"


def upgrade() -> None:
    """Runs of before are counted as having cost nothing."""
    cost = sa.Column("cost", sa.Float(), nullable=False, server_default="0")
    op.add_column("spent", cost)
