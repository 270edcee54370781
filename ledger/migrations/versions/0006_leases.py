"""Who serves the database is written in it; a message counts the crashes it was alone in, not how often it was begun."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the leases, and note under which one a message was taken; what was counted so far blamed bystanders."""
    op.create_table(
        "leases",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("epoch", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("expires_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_leases")),
        sqlite_strict=True,
    )
    op.add_column("inbox", sa.Column("epoch", sa.Integer(), server_default=sa.text("0"), nullable=False))
    op.execute("ALTER TABLE inbox RENAME COLUMN attempts TO crashes")
    op.execute("UPDATE inbox SET crashes = 0")
