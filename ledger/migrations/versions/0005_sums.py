"""Sums are kept beside the rows, and the indices hold all that a sum needs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_COUNTED_BY = ("flow", "kind", "account_id", "currency", "batch_id")


def upgrade() -> None:
    """Make the table of sums, which is filled once all migrations are through; replace the indices."""
    _make_sums()
    for name in ("flow", "merchant", "category", "booked_on"):
        op.drop_index(f"ix_transactions_{name}", "transactions")
    for name, columns in (
        ("booked_on", ("booked_on", *_COUNTED_BY, "amount_minor", "category", "merchant_key")),
        ("merchant", ("merchant_key", "booked_on", *_COUNTED_BY, "amount_minor", "category")),
        ("category", ("category", "booked_on", *_COUNTED_BY, "amount_minor", "merchant_key")),
        ("amount", ("amount_minor", "booked_on", *_COUNTED_BY, "category", "merchant_key")),
    ):
        op.create_index(f"ix_transactions_{name}", "transactions", ["ledger_id", *columns])


def _make_sums() -> None:
    op.create_table(
        "sums",
        _whole("ledger_id"),
        _text("cube"),
        _text("bucket"),
        _text("merchant_key", "''"),
        _whole("phrase_id", "0"),
        _text("category", "''"),
        _whole("account_id", "0"),
        sa.Column("weekday", sa.Integer(), nullable=False, server_default=sa.text("0")),
        _whole("size_minor", "0"),
        _text("kind"),
        _text("flow"),
        _text("currency"),
        sa.Column("sign", sa.Integer(), nullable=False),
        _whole("batch_id"),
        _whole("count"),
        _whole("minor"),
        _whole("most_minor"),
        _whole("least_minor"),
        _text("first_on"),
        _text("last_on"),
        _text("name", "''"),
        sa.ForeignKeyConstraint(["ledger_id"], ["ledgers.id"], ondelete="CASCADE", name="fk_sums_ledger_id_ledgers"),
        sa.PrimaryKeyConstraint(
            "ledger_id", "cube", "merchant_key", "bucket", "phrase_id", "category", "account_id", "weekday", "size_minor",
            "kind", "flow", "currency", "sign", "batch_id", name="pk_sums",
        ),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )  # fmt: skip


def _text(name: str, default: str | None = None) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False, server_default=None if default is None else sa.text(default))


def _whole(name: str, default: str | None = None) -> sa.Column[int]:
    return sa.Column(name, _WHOLE, nullable=False, server_default=None if default is None else sa.text(default))
