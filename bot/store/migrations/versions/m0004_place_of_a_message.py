"""Where a message stands, so that looking back over a channel finds only what was missed."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add it; what arrived before has none."""
    op.add_column("inbox", sa.Column("place", sa.Text()))
    op.create_index("ix_inbox_place", "inbox", ["place"], unique=True)
