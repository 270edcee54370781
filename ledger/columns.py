"""What the tables are made of, once for SQLite (STRICT) and PostgreSQL."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

Id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
Minor = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def table(name: str, *columns: sa.schema.SchemaItem, **options: Any) -> sa.Table:
    """Return a table of the one schema, strict on SQLite."""
    return sa.Table(name, metadata, *columns, sqlite_strict=True, **options)


def key() -> sa.Column[int]:
    """The id by which other tables refer to a row."""
    return sa.Column("id", Id, primary_key=True, autoincrement=True)


def text(name: str, default: str | None = "") -> sa.Column[str]:
    """A text that is never null; without a default it must be given."""
    return sa.Column(name, sa.Text, nullable=False, server_default=default)


def maybe(name: str) -> sa.Column[str | None]:
    """A text that may be null."""
    return sa.Column(name, sa.Text, nullable=True)


def number(name: str, default: int | None = 0) -> sa.Column[int]:
    """A number of 32 bits."""
    return sa.Column(
        name, sa.Integer, nullable=False, server_default=None if default is None else sa.text(str(default))
    )


def whole(name: str, default: int | None = 0) -> sa.Column[int]:
    """A number of any size."""
    return sa.Column(name, Minor, nullable=False, server_default=None if default is None else sa.text(str(default)))


def ref(
    name: str, target: str, *, nullable: bool = False, on_delete: str = "CASCADE", index: bool = False
) -> sa.Column[int]:
    """The id of a row of another table."""
    return sa.Column(name, Id, sa.ForeignKey(f"{target}.id", ondelete=on_delete), nullable=nullable, index=index)


def brought_by() -> sa.Column[int | None]:
    """A batch's id; no foreign key, which SQLite could not be given afterwards."""
    return sa.Column("batch_id", Id, nullable=True)
