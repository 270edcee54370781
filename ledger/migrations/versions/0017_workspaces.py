"""Workspaces that install the app by themselves, with their tokens, and what holds for everybody of a workspace."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def _text(name: str, default: str | None = None) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False, server_default=default)


def upgrade() -> None:
    """Make the tables, and let shares tell in which workspace they stand."""
    large = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "installations",
        sa.Column("id", large, autoincrement=True, nullable=False),
        _text("platform"),
        _text("team", ""),
        _text("enterprise", ""),
        _text("bot_user"),
        _text("bot_id"),
        _text("scopes", ""),
        _text("sealed"),
        sa.Column("expires_at", large, nullable=False, server_default=sa.text("0")),
        _text("installed_by", ""),
        sa.Column("installed_at", large, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_installations")),
        sa.UniqueConstraint("platform", "team", "enterprise", name=op.f("uq_installations_platform_team_enterprise")),
        sqlite_strict=True,
    )
    op.create_table(
        "install_states",
        _text("digest"),
        _text("expires_at"),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_install_states")),
        sqlite_strict=True,
    )
    op.create_table(
        "workspaces",
        _text("platform"),
        _text("team"),
        _text("enterprise", ""),
        sa.Column("sharing", sa.Integer(), nullable=False, server_default=sa.text("1")),
        sa.Column("keep_days", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.PrimaryKeyConstraint("platform", "team", name=op.f("pk_workspaces")),
        sqlite_strict=True,
    )
    op.add_column("shares", _text("team", ""))
