"""What a person changed of single rows, wrote down by hand or leaves out."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables; every batch so far is an import."""
    op.add_column("batches", sa.Column("kind", sa.Text(), nullable=False, server_default="import"))
    op.add_column("batches", sa.Column("of_batch_id", _NUMBER, nullable=True))
    op.create_table(
        "left_out",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("ledger_id", _NUMBER, nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("by", "pattern", "created_at")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_left_out")),
        sa.ForeignKeyConstraint(
            ["ledger_id"], ["ledgers.id"], name=op.f("fk_left_out_ledger_id_ledgers"), ondelete="CASCADE"
        ),
        sa.UniqueConstraint("ledger_id", "by", "pattern", name=op.f("uq_left_out_ledger_id_by_pattern")),
        sqlite_strict=True,
    )
    op.create_table(
        "changes",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("ledger_id", _NUMBER, nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("transaction_id", _NUMBER, nullable=False),
        sa.Column("field", sa.Text(), nullable=False),
        sa.Column("before", sa.Text(), nullable=True),
        sa.Column("after", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_changes")),
        sa.ForeignKeyConstraint(
            ["ledger_id"], ["ledgers.id"], name=op.f("fk_changes_ledger_id_ledgers"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["transaction_id"],
            ["transactions.id"],
            name=op.f("fk_changes_transaction_id_transactions"),
            ondelete="CASCADE",
        ),
        sqlite_strict=True,
    )
    op.create_index("ix_changes_ledger_id_token", "changes", ["ledger_id", "token"])
    op.create_index("ix_changes_transaction_id", "changes", ["transaction_id"])
