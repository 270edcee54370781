"""What people showed to everyone in a channel, so that it is posted once and can be taken back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    texts = ("key", "source", "channel", "thread", "conversation", "answer", "pressed", "posts", "state", "created_at")
    empty = ("thread", "conversation", "answer", "pressed", "posts")
    op.create_table(
        "shares",
        sa.Column("id", number, autoincrement=True, nullable=False),
        sa.Column("person_id", number, nullable=True),
        *(sa.Column(name, sa.Text(), nullable=False, server_default="" if name in empty else None) for name in texts),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shares")),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_shares_person_id_people"), ondelete="SET NULL"
        ),
        sa.UniqueConstraint("key", name=op.f("uq_shares_key")),
        sqlite_strict=True,
    )
    op.create_index("ix_shares_person_id", "shares", ["person_id"])
    op.create_index("ix_shares_state", "shares", ["state"])
