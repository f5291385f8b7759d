"""Levels and what was spent of a day's budget; a receipt may be about a level, so not only an incident."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make them; the chain of receipts is carried over as it is."""
    with op.batch_alter_table("receipt") as receipt:
        receipt.drop_constraint("fk_receipt_incident_id", type_="foreignkey")
    op.create_index("ix_journal_name", "journal", ["name", "at"])
    op.create_table(
        "level",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("change_class", sa.Text(), nullable=False),
        sa.Column("level", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("receipt", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["receipt"], ["receipt.number"], name="fk_level_receipt"),
        sa.PrimaryKeyConstraint("number", name="pk_level"),
    )
    op.create_table(
        "spent",
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("domain", "day", "number", name="pk_spent"),
    )
