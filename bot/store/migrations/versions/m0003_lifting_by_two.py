"""A stop may need two people to lift it: the first one is remembered."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add it."""
    op.add_column("stop", sa.Column("lift_asked_by", sa.Text()))
