"""${message}"""

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None
# COMPATIBLE_SINCE = the oldest schema whose code may still work on this one; see bot/store/schema.py


def upgrade() -> None:
    """${message}"""
    ${upgrades if upgrades else "pass"}
