"""Imports come in over several transactions, and show once they are finished."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Say of every earlier import that it is finished, and leave open which one brought an account or a search string."""
    op.add_column("batches", sa.Column("finished_at", sa.Text(), nullable=True))
    op.execute("UPDATE batches SET finished_at = created_at")
    unfinished = sa.text("finished_at IS NULL")
    op.create_index(
        "ix_batches_unfinished", "batches", ["ledger_id"], sqlite_where=unfinished, postgresql_where=unfinished
    )
    for table in ("accounts", "phrases"):
        op.add_column(table, sa.Column("batch_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True))
        op.create_index(op.f(f"ix_{table}_batch_id"), table, ["batch_id"])
