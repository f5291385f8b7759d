"""Whether something still waits for an incident is asked before every expiry: an index for it."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make it."""
    op.create_index("ix_due_incident_id", "due", ["incident_id", "kind"])
