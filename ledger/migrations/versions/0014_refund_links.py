"""Which purchase a refund is of; and rows that a person gave another name are found by it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the table, and put the names of rows that were renamed into what they are searched by."""
    ends = {"refund_id": "CASCADE", "purchase_id": "CASCADE", "by_hand_id": "SET NULL"}
    op.create_table(
        "refund_links",
        sa.Column("refund_id", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("purchase_id", _NUMBER, nullable=False),
        sa.Column("by_hand_id", _NUMBER, nullable=True),
        sa.Column("ledger_id", _NUMBER, nullable=False),
        sa.Column("own", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("refund_id", name=op.f("pk_refund_links")),
        *(
            sa.ForeignKeyConstraint(
                [column], ["transactions.id"], name=op.f(f"fk_refund_links_{column}_transactions"), ondelete=gone
            )
            for column, gone in ends.items()
        ),
        sa.ForeignKeyConstraint(
            ["ledger_id"], ["ledgers.id"], name=op.f("fk_refund_links_ledger_id_ledgers"), ondelete="CASCADE"
        ),
        sqlite_strict=True,
    )
    for column in ("purchase_id", "by_hand_id", "ledger_id"):
        op.create_index(op.f(f"ix_refund_links_{column}"), "refund_links", [column])
    _find_the_renamed(op.get_bind())


_RENAMED = sa.text(
    """
    SELECT t.id, t.ledger_id, t.merchant, t.category, t.category_source, t.phrase_id, p.text
    FROM transactions t JOIN phrases p ON p.id = t.phrase_id
    WHERE EXISTS (SELECT 1 FROM changes c WHERE c.transaction_id = t.id AND c.field = 'merchant')
    """
)
_PHRASE = sa.text("SELECT id FROM phrases WHERE ledger_id = :ledger AND text = :text")
_NEW_PHRASE = sa.text("INSERT INTO phrases (ledger_id, text) VALUES (:ledger, :text) RETURNING id")
_POINT_TO = sa.text("UPDATE transactions SET phrase_id = :phrase WHERE id = :row")
_UNUSED = "NOT EXISTS (SELECT 1 FROM transactions t WHERE t.phrase_id = :phrase)"
_FORGET = sa.text(
    f"INSERT INTO forgotten_phrases (id) SELECT :phrase WHERE {_UNUSED} "  # noqa: S608 - words of ours
    "AND NOT EXISTS (SELECT 1 FROM forgotten_phrases f WHERE f.id = :phrase)"
).bindparams(sa.bindparam("phrase", type_=sa.BigInteger))
_DROP = sa.text(f"DELETE FROM phrases WHERE id = :phrase AND {_UNUSED}")  # noqa: S608


def _find_the_renamed(connection: sa.Connection) -> None:
    """Put the name between a row's own words and its category's; the sums are counted anew after all migrations."""
    for row in connection.execute(_RENAMED).all():
        category = f" · {row.category.casefold()}" if row.category_source != "none" else ""
        text = f"{row.text.removesuffix(category)} · {row.merchant.casefold()}{category}"
        wanted = {"ledger": row.ledger_id, "text": text}
        found = connection.execute(_PHRASE, wanted).scalar_one_or_none()
        phrase = found if found is not None else connection.execute(_NEW_PHRASE, wanted).scalar_one()
        connection.execute(_POINT_TO, {"phrase": phrase, "row": row.id})
        for statement in (_FORGET, _DROP):
            connection.execute(statement, {"phrase": row.phrase_id})
