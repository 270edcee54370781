"""The rows of a search string are found in the order of their days."""

from __future__ import annotations

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Replace the index; which sums are kept has changed as well, and they are counted again once all migrations are through."""
    op.drop_index("ix_transactions_phrase_id", "transactions")
    op.create_index(
        "ix_transactions_phrase_id",
        "transactions",
        [
            "phrase_id", "ledger_id", "booked_on", "flow", "kind", "account_id", "currency", "batch_id", "amount_minor",
        ],
    )  # fmt: skip
