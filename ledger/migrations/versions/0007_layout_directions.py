"""What people said of the direction of money in files of one layout, so that they are asked once."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table; nothing was ever asked before."""
    op.create_table(
        "layout_directions",
        sa.Column("ledger_id", _id(), nullable=False),
        sa.Column("layout", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("reading", sa.Text(), nullable=False),
        sa.Column("batch_id", _id(), nullable=False),
        sa.ForeignKeyConstraint(
            ["batch_id"], ["batches.id"], name=op.f("fk_layout_directions_batch_id_batches"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["ledger_id"], ["ledgers.id"], name=op.f("fk_layout_directions_ledger_id_ledgers"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("ledger_id", "layout", "account", "batch_id", name=op.f("pk_layout_directions")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_layout_directions_batch_id"), "layout_directions", ["batch_id"])


def _id() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")
