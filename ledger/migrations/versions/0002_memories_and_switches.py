"""What people ask to be remembered, and the tools that they switch off."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def _memories() -> None:
    op.create_table(
        "memories",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("person_id", _id(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_memories_person_id_people"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memories")),
        sa.UniqueConstraint("person_id", "note", name=op.f("uq_memories_person_id_note")),
        sqlite_strict=True,
    )


def _switches() -> None:
    op.create_table(
        "switches",
        sa.Column("person_id", _id(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_switches_person_id_people"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person_id", "name", name=op.f("pk_switches")),
        sqlite_strict=True,
    )


def _id() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create both tables."""
    _memories()
    _switches()
