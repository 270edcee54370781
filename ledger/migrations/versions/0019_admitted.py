"""Who may use the bot in a workspace, as its administrators say; nobody said it before."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, empty for what is there."""
    op.add_column("workspaces", sa.Column("admitted", sa.Text(), nullable=False, server_default=""))
