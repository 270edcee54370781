"""The tables, once for SQLite (STRICT) and PostgreSQL.

Days are ISO texts (``2026-10-03``), which sort as dates in both databases; instants are ISO texts in UTC. Amounts are
integer minor units. Structured values (replies, scopes, arguments) are JSON texts.
"""

from __future__ import annotations

import sqlalchemy as sa

from ledger.columns import Id, Minor, brought_by, key, maybe, metadata, number, ref, table, text, whole

__all__ = ["metadata"]

#: The revision that this code needs; ``ledger/migrations`` leads up to it (a test compares the two).
REVISION = "0019"

#: ``joined_id`` is the person whose things they look at by a link (:mod:`ledger.links`), in place of their own.
people = table(
    "people",
    key(),
    text("platform", None),
    text("team", None),
    text("user", None),
    text("created_at", None),
    sa.Column("joined_id", Id, nullable=True, index=True),
    sa.UniqueConstraint("platform", "team", "user"),
)

ledgers = table("ledgers", key(), text("kind", "personal"), text("name"), number("revision"), text("created_at", None))

members = table(
    "members",
    ref("ledger_id", "ledgers"),
    ref("person_id", "people"),
    text("role", "owner"),
    sa.PrimaryKeyConstraint("ledger_id", "person_id"),
    sa.Index(None, "person_id"),
)

#: Codes that link another place with a person's ledger, each known by its hash alone; and who typed ones that are not right.
link_codes = table(
    "link_codes",
    key(),
    ref("person_id", "people", index=True),
    text("shown_in", None),
    text("hash", None),
    text("expires_at", None),
    sa.UniqueConstraint("hash"),
)
link_tries = table("link_tries", key(), ref("person_id", "people", index=True), text("tried_at", None))

settings = table(
    "settings",
    ref("person_id", "people"),
    text("name", None),
    text("value", None),
    sa.PrimaryKeyConstraint("person_id", "name"),
)

#: What the person asked to be remembered, in their own words.
memories = table(
    "memories",
    key(),
    ref("person_id", "people"),
    text("note", None),
    text("created_at", None),
    sa.UniqueConstraint("person_id", "note"),
)

#: The tools and apps that a person has switched off.
switches = table(
    "switches", ref("person_id", "people"), text("name", None), sa.PrimaryKeyConstraint("person_id", "name")
)

#: ``batch_id`` is the import that brought an account, null for those that were there before this was kept. One that the
#: person deleted has ``gone_at``, and one that became part of another ``into_id``; their names end in a mark that no name
#: has (:mod:`ledger.account_names`).
accounts = table(
    "accounts",
    key(),
    ref("ledger_id", "ledgers"),
    text("name", None),
    text("ref"),
    maybe("type"),
    maybe("currency"),
    brought_by(),
    maybe("gone_at"),
    sa.Column("into_id", Id, nullable=True),
    sa.UniqueConstraint("ledger_id", "name"),
    sa.Index(None, "batch_id"),
)

#: What else accounts are known by: their names before, and the names and references (``by`` is "ref") of those that became
#: part of them; gone with the change that made it so.
account_names = table(
    "account_names",
    key(),
    ref("ledger_id", "ledgers", index=True),
    ref("account_id", "accounts", index=True),
    text("by", None),
    text("text", None),
    text("token", None),
)

#: What a person changed of accounts and has not taken back; ``other_id`` is the account that one became part of. What
#: followed for single rows stands in ``changes`` under the same token.
account_changes = table(
    "account_changes",
    key(),
    ref("ledger_id", "ledgers", index=True),
    text("token", None),
    ref("account_id", "accounts", index=True),
    sa.Column("other_id", Id, nullable=True),
    text("what", None),
    text("before", None),
    text("after", None),
    text("created_at", None),
)

#: ``finished_at`` is null while an import's rows come in and while they are taken out again; they don't show then
#: (:mod:`ledger.visibility`). With ``undone_at`` as well they are going, without it coming. ``kind`` says whose rows they
#: are (:class:`ledger.visibility.BatchKind`); those beside an import name it as ``of_batch_id``.
batches = table(
    "batches",
    key(),
    ref("ledger_id", "ledgers"),
    text("created_at", None),
    maybe("finished_at"),
    maybe("undone_at"),
    text("kind", "import"),
    sa.Column("of_batch_id", Id, nullable=True),
    sa.Index(None, "ledger_id"),
    sa.Index(
        "ix_batches_unfinished",
        "ledger_id",
        sqlite_where=sa.text("finished_at IS NULL"),
        postgresql_where=sa.text("finished_at IS NULL"),
    ),
)

files = table(
    "files",
    key(),
    ref("batch_id", "batches"),
    text("name", None),
    text("sha256", None),
    text("format", None),
    ref("account_id", "accounts", nullable=True, on_delete="SET NULL"),
    number("found"),
    number("added"),
    number("duplicates"),
    number("rejected"),
    sa.Index(None, "batch_id"),
    sa.Index(None, "sha256"),
)

#: How the person said that files of one layout and account are to be read; gone with the import that it was said for,
#: before which an earlier one counts again.
layout_directions = table(
    "layout_directions",
    ref("ledger_id", "ledgers"),
    text("layout", None),
    text("account", None),
    text("reading", None),
    ref("batch_id", "batches"),
    sa.PrimaryKeyConstraint("ledger_id", "layout", "account", "batch_id"),
    sa.Index(None, "batch_id"),
)

#: What the person said of the columns of files of one layout, as the text of a layout file; no import takes it away.
stated_layouts = table(
    "stated_layouts",
    ref("ledger_id", "ledgers"),
    text("key", None),
    text("layout", None),
    text("said_on", None),
    sa.PrimaryKeyConstraint("ledger_id", "key"),
)

#: What statements say was in an account: before the first row of a day (``opening``), or after its last.
balances = table(
    "balances",
    key(),
    ref("ledger_id", "ledgers"),
    ref("account_id", "accounts"),
    ref("batch_id", "batches"),
    text("stated_on", None),
    number("opening", None),
    whole("amount_minor", None),
    text("currency", None),
    sa.UniqueConstraint("account_id", "currency", "stated_on", "opening", "amount_minor"),
    sa.Index(None, "ledger_id"),
    sa.Index(None, "batch_id"),
)

#: ``batch_id`` is the import that brought a string first; others may use it since.
phrases = table(
    "phrases",
    key(),
    ref("ledger_id", "ledgers"),
    text("text", None),
    number("indexed"),
    brought_by(),
    sa.UniqueConstraint("ledger_id", "text"),
    sa.Index(None, "batch_id"),
    sa.Index("ix_phrases_waiting", "id", sqlite_where=sa.text("indexed = 0"), postgresql_where=sa.text("indexed = 0")),
)

#: Points that the index must still forget; a phrase's own row is gone by then.
forgotten_phrases = table("forgotten_phrases", sa.Column("id", Id, primary_key=True, autoincrement=False))

#: What a row counts as, and how much it is.
_COUNTED_BY = ("flow", "kind", "account_id", "currency", "batch_id")

#: ``own_category`` is what a transaction has without the person's rule, and null where none is about it. ``stated`` is what
#: the file says besides (:mod:`ledger.stated_rows`), by which a row can be judged anew.
transactions = table(
    "transactions",
    key(),
    ref("ledger_id", "ledgers"),
    ref("account_id", "accounts"),
    ref("batch_id", "batches"),
    text("identity", None),
    text("content", None),
    number("has_id"),
    text("booked_on", None),
    number("weekday", None),
    sa.Column("amount_minor", Minor, nullable=False),
    text("currency", None),
    text("description", None),
    text("memo"),
    text("merchant", None),
    text("merchant_key", None),
    text("category", None),
    text("category_source", None),
    maybe("own_category"),
    maybe("own_category_source"),
    text("kind", None),
    text("kind_ground", None),
    text("own_kind", None),
    text("flow", None),
    ref("phrase_id", "phrases", on_delete="RESTRICT"),
    ref("pair_id", "transactions", nullable=True, on_delete="SET NULL"),
    text("labels"),
    text("notes"),
    text("means"),
    text("stated"),
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
sums = table(
    "sums",
    ref("ledger_id", "ledgers"),
    text("cube", None),
    text("bucket", None),
    text("merchant_key"),
    whole("phrase_id"),
    text("category"),
    whole("account_id"),
    number("weekday"),
    whole("size_minor"),
    text("kind", None),
    text("flow", None),
    text("currency", None),
    number("sign", None),
    whole("batch_id", None),
    whole("count", None),
    whole("minor", None),
    whole("most_minor", None),
    whole("least_minor", None),
    text("first_on", None),
    text("last_on", None),
    text("name"),
    sa.PrimaryKeyConstraint(*SUM_KEY),
    sqlite_with_rowid=False,
)

rules = table(
    "rules",
    key(),
    ref("ledger_id", "ledgers"),
    text("pattern", None),
    text("category", None),
    text("created_at", None),
    sa.UniqueConstraint("ledger_id", "pattern"),
)

#: What a person leaves out of their figures: all of a merchant (``by`` is "merchant"), or rows with these words.
left_out = table(
    "left_out",
    key(),
    ref("ledger_id", "ledgers"),
    text("by", None),
    text("pattern", None),
    text("created_at", None),
    sa.UniqueConstraint("ledger_id", "by", "pattern"),
)

#: What a person changed of single rows and has not taken back: the changes of one yes share a token.
changes = table(
    "changes",
    key(),
    ref("ledger_id", "ledgers"),
    text("token", None),
    ref("transaction_id", "transactions"),
    text("field", None),
    maybe("before"),
    maybe("after"),
    text("created_at", None),
    sa.Index(None, "ledger_id", "token"),
    sa.Index(None, "transaction_id"),
)

#: Which purchase a person said a refund is of, and what the refund was by itself (:mod:`ledger.refunds`). Where the purchase
#: was by hand and a bank's row took its place, ``by_hand_id`` is the one that was said.
refund_links = table(
    "refund_links",
    sa.Column(
        "refund_id", Id, sa.ForeignKey("transactions.id", ondelete="CASCADE"), primary_key=True, autoincrement=False
    ),
    ref("purchase_id", "transactions", index=True),
    ref("by_hand_id", "transactions", nullable=True, on_delete="SET NULL", index=True),
    ref("ledger_id", "ledgers", index=True),
    text("own", None),
)

conversations = table(
    "conversations",
    key(),
    ref("person_id", "people"),
    text("key", None),
    text("created_at", None),
    text("last_at", None),
    sa.UniqueConstraint("person_id", "key"),
)

turns = table(
    "turns",
    key(),
    ref("conversation_id", "conversations"),
    text("key", None),
    text("text", None),
    maybe("scope"),
    maybe("focus"),
    text("recall", None),
    text("created_at", None),
    text("reply", None),
    text("trace"),
    sa.Index(None, "conversation_id", "id"),
    sa.Index(None, "key"),
)

inbox = table(
    "inbox",
    key(),
    text("source", None),
    text("delivery_id", None),
    text("channel", None),
    maybe("ts"),
    text("conversation", None),
    text("person", None),
    text("payload", None),
    text("state", "waiting"),
    number("crashes"),
    number("epoch"),
    text("received_at", None),
    maybe("done_at"),
    sa.UniqueConstraint("source", "delivery_id"),
    sa.UniqueConstraint("source", "channel", "ts"),
    sa.Index(None, "state", "id"),
    sa.Index(None, "person", "id"),
)

outbox = table(
    "outbox",
    key(),
    ref("inbox_id", "inbox"),
    text("source", None),
    text("conversation", None),
    text("idempotency_key", None),
    text("reply", None),
    text("route"),
    text("state", "waiting"),
    number("attempts"),
    text("created_at", None),
    maybe("sent_at"),
    sa.UniqueConstraint("idempotency_key"),
    sa.Index(None, "state", "id"),
    sa.Index(None, "inbox_id"),
)

#: Who may answer from this database: one holder at a time, each under an epoch of its own.
leases = table(
    "leases",
    text("name", None),
    text("holder", None),
    number("epoch"),
    text("expires_at", None),
    sa.PrimaryKeyConstraint("name"),
)

pending_actions = table(
    "pending_actions",
    key(),
    text("token", None),
    ref("person_id", "people"),
    text("conversation", None),
    text("action", None),
    text("arguments", None),
    text("arguments_hash", None),
    text("expires_at", None),
    maybe("consumed_at"),
    sa.UniqueConstraint("token"),
    sa.Index(None, "person_id"),
)

#: What was shown to everyone in a channel: where and by whom, for which answer, and nothing of what it says. Once its person
#: or conversation is forgotten a row holds no more than what the platform needs to delete the ``posts``.
shares = table(
    "shares",
    key(),
    ref("person_id", "people", nullable=True, on_delete="SET NULL"),
    text("key", None),
    text("source", None),
    text("team"),
    text("channel", None),
    text("thread"),
    text("conversation"),
    text("answer"),
    text("pressed"),
    text("posts"),
    text("state", None),
    text("created_at", None),
    sa.UniqueConstraint("key"),
    sa.Index(None, "person_id"),
    sa.Index(None, "state"),
)

#: Workspaces and organisations that installed the app by themselves; ``team`` is empty for an organisation. ``sealed`` holds
#: the tokens, encrypted; ``expires_at`` and ``installed_at`` are seconds since 1970, the former 0 where they don't expire.
installations = table(
    "installations",
    key(),
    text("platform", None),
    text("team"),
    text("enterprise"),
    text("bot_user", None),
    text("bot_id", None),
    text("scopes"),
    text("sealed", None),
    whole("expires_at"),
    text("installed_by"),
    whole("installed_at", None),
    sa.UniqueConstraint("platform", "team", "enterprise"),
)

#: By what an installation that somebody began is known when they come back from the platform: the digest of a secret.
install_states = table(
    "install_states", text("digest", None), text("expires_at", None), sa.PrimaryKeyConstraint("digest")
)

#: What holds for everybody of a workspace: the organisation that it belongs to, whether answers may be shared there, for how
#: many days conversations are kept, 0 where that is the installation's word, and the ids of those who may use the bot, with
#: blanks between, none where all may whom the installation lets in.
workspaces = table(
    "workspaces",
    text("platform", None),
    text("team", None),
    text("enterprise"),
    number("sharing", 1),
    number("keep_days"),
    text("admitted"),
    sa.PrimaryKeyConstraint("platform", "team"),
)
