"""Links: who looks at whose ledger, the codes by which that is agreed, and codes that were not right."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the column and the tables; nobody was linked before."""
    op.add_column("people", sa.Column("joined_id", _NUMBER, nullable=True))
    op.create_index(op.f("ix_people_joined_id"), "people", ["joined_id"])
    _of_people("link_codes", "shown_in", "hash", "expires_at", unique="hash")
    _of_people("link_tries", "tried_at")


def _of_people(table: str, *texts: str, unique: str = "") -> None:
    """Make a table of what belongs to a person."""
    unique_ones = [sa.UniqueConstraint(unique, name=op.f(f"uq_{table}_{unique}"))] if unique else []
    op.create_table(
        table,
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("person_id", _NUMBER, nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in texts),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f(f"fk_{table}_person_id_people"), ondelete="CASCADE"
        ),
        *unique_ones,
        sqlite_strict=True,
    )
    op.create_index(op.f(f"ix_{table}_person_id"), table, ["person_id"])
