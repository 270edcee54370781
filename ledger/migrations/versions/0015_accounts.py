"""What a person says of their accounts: names, types, which are one, which are gone; and what files say of rows besides."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the tables and columns; what files said of the rows that are there was not kept."""
    op.add_column("accounts", sa.Column("gone_at", sa.Text(), nullable=True))
    op.add_column("accounts", sa.Column("into_id", _NUMBER, nullable=True))
    op.add_column("transactions", sa.Column("stated", sa.Text(), nullable=False, server_default=""))
    _owned("account_names", *(sa.Column(name, sa.Text(), nullable=False) for name in ("by", "text", "token")))
    _owned(
        "account_changes",
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("other_id", _NUMBER, nullable=True),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("what", "before", "after", "created_at")),
    )


def _owned(table: str, *columns: sa.Column[str] | sa.Column[int]) -> None:
    """Make a table of what belongs to an account of a ledger."""
    owners = {"ledger_id": "ledgers", "account_id": "accounts"}
    op.create_table(
        table,
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        *(sa.Column(column, _NUMBER, nullable=False) for column in owners),
        *columns,
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
        *(
            sa.ForeignKeyConstraint(
                [column], [f"{owner}.id"], name=op.f(f"fk_{table}_{column}_{owner}"), ondelete="CASCADE"
            )
            for column, owner in owners.items()
        ),
        sqlite_strict=True,
    )
    for column in owners:
        op.create_index(op.f(f"ix_{table}_{column}"), table, [column])
