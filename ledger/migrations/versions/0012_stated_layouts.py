"""What people said of the columns of their files, by layout."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table; nobody could say anything before."""
    op.create_table(
        "stated_layouts",
        sa.Column("ledger_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("layout", sa.Text(), nullable=False),
        sa.Column("said_on", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["ledger_id"], ["ledgers.id"], name=op.f("fk_stated_layouts_ledger_id_ledgers"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("ledger_id", "key", name=op.f("pk_stated_layouts")),
        sqlite_strict=True,
    )
