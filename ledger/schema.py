"""The tables, once for SQLite (STRICT) and PostgreSQL.

Days are ISO texts (``2026-10-03``), which sort as dates in both databases; instants are ISO texts in UTC. Amounts are
integer minor units. Structured values (replies, scopes, arguments) are JSON texts.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

#: The revision that this code needs; ``ledger/migrations`` leads up to it (a test compares the two).
REVISION = "0016"

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

_Id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_Minor = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _table(name: str, *columns: sa.schema.SchemaItem, **options: Any) -> sa.Table:
    return sa.Table(name, metadata, *columns, sqlite_strict=True, **options)


def _key() -> sa.Column[int]:
    return sa.Column("id", _Id, primary_key=True, autoincrement=True)


def _text(name: str, default: str | None = "") -> sa.Column[str]:
    """A text that is never null; without a default it must be given."""
    return sa.Column(name, sa.Text, nullable=False, server_default=default)


def _maybe(name: str) -> sa.Column[str | None]:
    return sa.Column(name, sa.Text, nullable=True)


def _number(name: str, default: int | None = 0) -> sa.Column[int]:
    return sa.Column(
        name, sa.Integer, nullable=False, server_default=None if default is None else sa.text(str(default))
    )


def _whole(name: str, default: int | None = 0) -> sa.Column[int]:
    """A number of any size."""
    return sa.Column(name, _Minor, nullable=False, server_default=None if default is None else sa.text(str(default)))


def _ref(
    name: str, target: str, *, nullable: bool = False, on_delete: str = "CASCADE", index: bool = False
) -> sa.Column[int]:
    return sa.Column(name, _Id, sa.ForeignKey(f"{target}.id", ondelete=on_delete), nullable=nullable, index=index)


def _brought_by() -> sa.Column[int | None]:
    """A batch's id; no foreign key, which SQLite could not be given afterwards."""
    return sa.Column("batch_id", _Id, nullable=True)


people = _table(
    "people",
    _key(),
    _text("platform", None),
    _text("team", None),
    _text("user", None),
    _text("created_at", None),
    sa.UniqueConstraint("platform", "team", "user"),
)

ledgers = _table(
    "ledgers", _key(), _text("kind", "personal"), _text("name"), _number("revision"), _text("created_at", None)
)

members = _table(
    "members",
    _ref("ledger_id", "ledgers"),
    _ref("person_id", "people"),
    _text("role", "owner"),
    sa.PrimaryKeyConstraint("ledger_id", "person_id"),
    sa.Index(None, "person_id"),
)

settings = _table(
    "settings",
    _ref("person_id", "people"),
    _text("name", None),
    _text("value", None),
    sa.PrimaryKeyConstraint("person_id", "name"),
)

#: What the person asked to be remembered, in their own words.
memories = _table(
    "memories",
    _key(),
    _ref("person_id", "people"),
    _text("note", None),
    _text("created_at", None),
    sa.UniqueConstraint("person_id", "note"),
)

#: The tools and apps that a person has switched off.
switches = _table(
    "switches", _ref("person_id", "people"), _text("name", None), sa.PrimaryKeyConstraint("person_id", "name")
)

#: ``batch_id`` is the import that brought an account, null for those that were there before this was kept. One that the
#: person deleted has ``gone_at``, and one that became part of another ``into_id``; their names end in a mark that no name
#: has (:mod:`ledger.account_names`).
accounts = _table(
    "accounts",
    _key(),
    _ref("ledger_id", "ledgers"),
    _text("name", None),
    _text("ref"),
    _maybe("type"),
    _maybe("currency"),
    _brought_by(),
    _maybe("gone_at"),
    sa.Column("into_id", _Id, nullable=True),
    sa.UniqueConstraint("ledger_id", "name"),
    sa.Index(None, "batch_id"),
)

#: What else accounts are known by: their names before, and the names and references (``by`` is "ref") of those that became
#: part of them; gone with the change that made it so.
account_names = _table(
    "account_names",
    _key(),
    _ref("ledger_id", "ledgers", index=True),
    _ref("account_id", "accounts", index=True),
    _text("by", None),
    _text("text", None),
    _text("token", None),
)

#: What a person changed of accounts and has not taken back; ``other_id`` is the account that one became part of. What
#: followed for single rows stands in ``changes`` under the same token.
account_changes = _table(
    "account_changes",
    _key(),
    _ref("ledger_id", "ledgers", index=True),
    _text("token", None),
    _ref("account_id", "accounts", index=True),
    sa.Column("other_id", _Id, nullable=True),
    _text("what", None),
    _text("before", None),
    _text("after", None),
    _text("created_at", None),
)

#: ``finished_at`` is null while an import's rows come in and while they are taken out again; they don't show then
#: (:mod:`ledger.visibility`). With ``undone_at`` as well they are going, without it coming. ``kind`` says whose rows they
#: are (:class:`ledger.visibility.BatchKind`); those beside an import name it as ``of_batch_id``.
batches = _table(
    "batches",
    _key(),
    _ref("ledger_id", "ledgers"),
    _text("created_at", None),
    _maybe("finished_at"),
    _maybe("undone_at"),
    _text("kind", "import"),
    sa.Column("of_batch_id", _Id, nullable=True),
    sa.Index(None, "ledger_id"),
    sa.Index(
        "ix_batches_unfinished",
        "ledger_id",
        sqlite_where=sa.text("finished_at IS NULL"),
        postgresql_where=sa.text("finished_at IS NULL"),
    ),
)

files = _table(
    "files",
    _key(),
    _ref("batch_id", "batches"),
    _text("name", None),
    _text("sha256", None),
    _text("format", None),
    _ref("account_id", "accounts", nullable=True, on_delete="SET NULL"),
    _number("found"),
    _number("added"),
    _number("duplicates"),
    _number("rejected"),
    sa.Index(None, "batch_id"),
    sa.Index(None, "sha256"),
)

#: How the person said that files of one layout and account are to be read; gone with the import that it was said for,
#: before which an earlier one counts again.
layout_directions = _table(
    "layout_directions",
    _ref("ledger_id", "ledgers"),
    _text("layout", None),
    _text("account", None),
    _text("reading", None),
    _ref("batch_id", "batches"),
    sa.PrimaryKeyConstraint("ledger_id", "layout", "account", "batch_id"),
    sa.Index(None, "batch_id"),
)

#: What the person said of the columns of files of one layout, as the text of a layout file; no import takes it away.
stated_layouts = _table(
    "stated_layouts",
    _ref("ledger_id", "ledgers"),
    _text("key", None),
    _text("layout", None),
    _text("said_on", None),
    sa.PrimaryKeyConstraint("ledger_id", "key"),
)

#: What statements say was in an account: before the first row of a day (``opening``), or after its last.
balances = _table(
    "balances",
    _key(),
    _ref("ledger_id", "ledgers"),
    _ref("account_id", "accounts"),
    _ref("batch_id", "batches"),
    _text("stated_on", None),
    _number("opening", None),
    _whole("amount_minor", None),
    _text("currency", None),
    sa.UniqueConstraint("account_id", "currency", "stated_on", "opening", "amount_minor"),
    sa.Index(None, "ledger_id"),
    sa.Index(None, "batch_id"),
)

#: ``batch_id`` is the import that brought a string first; others may use it since.
phrases = _table(
    "phrases",
    _key(),
    _ref("ledger_id", "ledgers"),
    _text("text", None),
    _number("indexed"),
    _brought_by(),
    sa.UniqueConstraint("ledger_id", "text"),
    sa.Index(None, "batch_id"),
    sa.Index("ix_phrases_waiting", "id", sqlite_where=sa.text("indexed = 0"), postgresql_where=sa.text("indexed = 0")),
)

#: Points that the index must still forget; a phrase's own row is gone by then.
forgotten_phrases = _table("forgotten_phrases", sa.Column("id", _Id, primary_key=True, autoincrement=False))

#: What a row counts as, and how much it is.
_COUNTED_BY = ("flow", "kind", "account_id", "currency", "batch_id")

#: ``own_category`` is what a transaction has without the person's rule, and null where none is about it. ``stated`` is what
#: the file says besides (:mod:`ledger.stated_rows`), by which a row can be judged anew.
transactions = _table(
    "transactions",
    _key(),
    _ref("ledger_id", "ledgers"),
    _ref("account_id", "accounts"),
    _ref("batch_id", "batches"),
    _text("identity", None),
    _text("content", None),
    _number("has_id"),
    _text("booked_on", None),
    _number("weekday", None),
    sa.Column("amount_minor", _Minor, nullable=False),
    _text("currency", None),
    _text("description", None),
    _text("memo"),
    _text("merchant", None),
    _text("merchant_key", None),
    _text("category", None),
    _text("category_source", None),
    _maybe("own_category"),
    _maybe("own_category_source"),
    _text("kind", None),
    _text("kind_ground", None),
    _text("own_kind", None),
    _text("flow", None),
    _ref("phrase_id", "phrases", on_delete="RESTRICT"),
    _ref("pair_id", "transactions", nullable=True, on_delete="SET NULL"),
    _text("labels"),
    _text("notes"),
    _text("means"),
    _text("stated"),
    sa.UniqueConstraint("ledger_id", "account_id", "identity"),
    # Each holds all that a sum needs, so that no row is looked at for it.
    sa.Index(
        "ix_transactions_booked_on", "ledger_id", "booked_on", *_COUNTED_BY, "amount_minor", "category", "merchant_key"
    ),
    sa.Index(
        "ix_transactions_merchant", "ledger_id", "merchant_key", "booked_on", *_COUNTED_BY, "amount_minor", "category"
    ),
    sa.Index(
        "ix_transactions_category", "ledger_id", "category", "booked_on", *_COUNTED_BY, "amount_minor", "merchant_key"
    ),
    sa.Index(
        "ix_transactions_amount", "ledger_id", "amount_minor", "booked_on", *_COUNTED_BY, "category", "merchant_key"
    ),
    sa.Index("ix_transactions_content", "ledger_id", "content"),
    sa.Index(None, "batch_id"),
    sa.Index("ix_transactions_phrase_id", "phrase_id", "ledger_id", "booked_on", *_COUNTED_BY, "amount_minor"),
    sa.Index(None, "pair_id"),
)

#: Merchants before buckets: one merchant's cells lie together, and all cells of one merchant where none is told apart.
SUM_KEY = (
    "ledger_id", "cube", "merchant_key", "bucket", "phrase_id", "category", "account_id", "weekday", "size_minor", "kind",
    "flow", "currency", "sign", "batch_id",
)  # fmt: skip

#: How many rows there are of each sort and what they come to (:mod:`ledger.cubes`); ``minor`` is without a sign.
sums = _table(
    "sums",
    _ref("ledger_id", "ledgers"),
    _text("cube", None),
    _text("bucket", None),
    _text("merchant_key"),
    _whole("phrase_id"),
    _text("category"),
    _whole("account_id"),
    _number("weekday"),
    _whole("size_minor"),
    _text("kind", None),
    _text("flow", None),
    _text("currency", None),
    _number("sign", None),
    _whole("batch_id", None),
    _whole("count", None),
    _whole("minor", None),
    _whole("most_minor", None),
    _whole("least_minor", None),
    _text("first_on", None),
    _text("last_on", None),
    _text("name"),
    sa.PrimaryKeyConstraint(*SUM_KEY),
    sqlite_with_rowid=False,
)

rules = _table(
    "rules",
    _key(),
    _ref("ledger_id", "ledgers"),
    _text("pattern", None),
    _text("category", None),
    _text("created_at", None),
    sa.UniqueConstraint("ledger_id", "pattern"),
)

#: What a person leaves out of their figures: all of a merchant (``by`` is "merchant"), or rows with these words.
left_out = _table(
    "left_out",
    _key(),
    _ref("ledger_id", "ledgers"),
    _text("by", None),
    _text("pattern", None),
    _text("created_at", None),
    sa.UniqueConstraint("ledger_id", "by", "pattern"),
)

#: What a person changed of single rows and has not taken back: the changes of one yes share a token.
changes = _table(
    "changes",
    _key(),
    _ref("ledger_id", "ledgers"),
    _text("token", None),
    _ref("transaction_id", "transactions"),
    _text("field", None),
    _maybe("before"),
    _maybe("after"),
    _text("created_at", None),
    sa.Index(None, "ledger_id", "token"),
    sa.Index(None, "transaction_id"),
)

#: Which purchase a person said a refund is of, and what the refund was by itself (:mod:`ledger.refunds`). Where the purchase
#: was by hand and a bank's row took its place, ``by_hand_id`` is the one that was said.
refund_links = _table(
    "refund_links",
    sa.Column(
        "refund_id", _Id, sa.ForeignKey("transactions.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    ),
    _ref("purchase_id", "transactions", index=True),
    _ref("by_hand_id", "transactions", nullable=True, on_delete="SET NULL", index=True),
    _ref("ledger_id", "ledgers", index=True),
    _text("own", None),
)

conversations = _table(
    "conversations",
    _key(),
    _ref("person_id", "people"),
    _text("key", None),
    _text("created_at", None),
    _text("last_at", None),
    sa.UniqueConstraint("person_id", "key"),
)

turns = _table(
    "turns",
    _key(),
    _ref("conversation_id", "conversations"),
    _text("key", None),
    _text("text", None),
    _maybe("scope"),
    _maybe("focus"),
    _text("recall", None),
    _text("created_at", None),
    _text("reply", None),
    _text("trace"),
    sa.Index(None, "conversation_id", "id"),
    sa.Index(None, "key"),
)

inbox = _table(
    "inbox",
    _key(),
    _text("source", None),
    _text("delivery_id", None),
    _text("channel", None),
    _maybe("ts"),
    _text("conversation", None),
    _text("person", None),
    _text("payload", None),
    _text("state", "waiting"),
    _number("crashes"),
    _number("epoch"),
    _text("received_at", None),
    _maybe("done_at"),
    sa.UniqueConstraint("source", "delivery_id"),
    sa.UniqueConstraint("source", "channel", "ts"),
    sa.Index(None, "state", "id"),
    sa.Index(None, "person", "id"),
)

outbox = _table(
    "outbox",
    _key(),
    _ref("inbox_id", "inbox"),
    _text("source", None),
    _text("conversation", None),
    _text("idempotency_key", None),
    _text("reply", None),
    _text("route"),
    _text("state", "waiting"),
    _number("attempts"),
    _text("created_at", None),
    _maybe("sent_at"),
    sa.UniqueConstraint("idempotency_key"),
    sa.Index(None, "state", "id"),
    sa.Index(None, "inbox_id"),
)

#: Who may answer from this database: one holder at a time, each under an epoch of its own.
leases = _table(
    "leases",
    _text("name", None),
    _text("holder", None),
    _number("epoch"),
    _text("expires_at", None),
    sa.PrimaryKeyConstraint("name"),
)

pending_actions = _table(
    "pending_actions",
    _key(),
    _text("token", None),
    _ref("person_id", "people"),
    _text("conversation", None),
    _text("action", None),
    _text("arguments", None),
    _text("arguments_hash", None),
    _text("expires_at", None),
    _maybe("consumed_at"),
    sa.UniqueConstraint("token"),
    sa.Index(None, "person_id"),
)

#: What was shown to everyone in a channel: where and by whom, for which answer, and nothing of what it says. Once its person
#: or conversation is forgotten a row holds no more than what the platform needs to delete the ``posts``.
shares = _table(
    "shares",
    _key(),
    _ref("person_id", "people", nullable=True, on_delete="SET NULL"),
    _text("key", None),
    _text("source", None),
    _text("channel", None),
    _text("thread"),
    _text("conversation"),
    _text("answer"),
    _text("pressed"),
    _text("posts"),
    _text("state", None),
    _text("created_at", None),
    sa.UniqueConstraint("key"),
    sa.Index(None, "person_id"),
    sa.Index(None, "state"),
)
