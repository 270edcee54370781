"""What statements say was in an account, so that it can be told on any day."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_OWNERS = {"ledger_id": "ledgers", "account_id": "accounts", "batch_id": "batches"}


def upgrade() -> None:
    """Make the table; what earlier files stated was not kept, and comes with their next import."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "balances",
        sa.Column("id", number, autoincrement=True, nullable=False),
        *(sa.Column(column, number, nullable=False) for column in _OWNERS),
        sa.Column("stated_on", sa.Text(), nullable=False),
        sa.Column("opening", sa.Integer(), nullable=False),
        sa.Column("amount_minor", number, nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_balances")),
        *(
            sa.ForeignKeyConstraint(
                [column], [f"{owner}.id"], name=op.f(f"fk_balances_{column}_{owner}"), ondelete="CASCADE"
            )
            for column, owner in _OWNERS.items()
        ),
        sa.UniqueConstraint(
            "account_id", "currency", "stated_on", "opening", "amount_minor",
            name=op.f("uq_balances_account_id_currency_stated_on_opening_amount_minor"),
        ),
        sqlite_strict=True,
    )  # fmt: skip
    op.create_index(op.f("ix_balances_ledger_id"), "balances", ["ledger_id"])
    op.create_index(op.f("ix_balances_batch_id"), "balances", ["batch_id"])
