"""What category a transaction has without the person's rule, so that a rule can be taken back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both columns; null stands for no rule, and there was none before."""
    op.add_column("transactions", sa.Column("own_category", sa.Text(), nullable=True))
    op.add_column("transactions", sa.Column("own_category_source", sa.Text(), nullable=True))
