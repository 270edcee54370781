"""How each payment was made; rows of earlier imports don't tell."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, empty for what is there."""
    op.add_column("transactions", sa.Column("means", sa.Text(), nullable=False, server_default=""))
