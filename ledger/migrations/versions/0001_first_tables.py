"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _forgotten_phrases() -> None:
    op.create_table(
        "forgotten_phrases",
        sa.Column("id", _id(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_forgotten_phrases")),
        sqlite_strict=True,
    )


def _inbox() -> None:
    op.create_table(
        "inbox",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("delivery_id", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("ts", sa.Text(), nullable=True),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="waiting", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("received_at", sa.Text(), nullable=False),
        sa.Column("done_at", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbox")),
        sa.UniqueConstraint("source", "channel", "ts", name=op.f("uq_inbox_source_channel_ts")),
        sa.UniqueConstraint("source", "delivery_id", name=op.f("uq_inbox_source_delivery_id")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_inbox_state_id"), "inbox", ["state", "id"])


def _ledgers() -> None:
    op.create_table(
        "ledgers",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("kind", sa.Text(), server_default="personal", nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("revision", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ledgers")),
        sqlite_strict=True,
    )


def _people() -> None:
    op.create_table(
        "people",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("team", sa.Text(), nullable=False),
        sa.Column("user", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_people")),
        sa.UniqueConstraint("platform", "team", "user", name=op.f("uq_people_platform_team_user")),
        sqlite_strict=True,
    )


def _accounts() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("ledger_id", _id(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("ref", sa.Text(), server_default="", nullable=False),
        sa.Column("type", sa.Text(), nullable=True),
        sa.Column("currency", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["ledger_id"], ["ledgers.id"], name=op.f("fk_accounts_ledger_id_ledgers"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("ledger_id", "name", name=op.f("uq_accounts_ledger_id_name")),
        sqlite_strict=True,
    )


def _batches() -> None:
    op.create_table(
        "batches",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("ledger_id", _id(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("undone_at", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["ledger_id"], ["ledgers.id"], name=op.f("fk_batches_ledger_id_ledgers"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_batches")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_batches_ledger_id"), "batches", ["ledger_id"])


def _conversations() -> None:
    op.create_table(
        "conversations",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("person_id", _id(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("last_at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_conversations_person_id_people"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_conversations")),
        sa.UniqueConstraint("person_id", "key", name=op.f("uq_conversations_person_id_key")),
        sqlite_strict=True,
    )


def _members() -> None:
    op.create_table(
        "members",
        sa.Column("ledger_id", _id(), nullable=False),
        sa.Column("person_id", _id(), nullable=False),
        sa.Column("role", sa.Text(), server_default="owner", nullable=False),
        sa.ForeignKeyConstraint(
            ["ledger_id"], ["ledgers.id"], name=op.f("fk_members_ledger_id_ledgers"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_members_person_id_people"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("ledger_id", "person_id", name=op.f("pk_members")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_members_person_id"), "members", ["person_id"])


def _outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("inbox_id", _id(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("idempotency_key", sa.Text(), nullable=False),
        sa.Column("reply", sa.Text(), nullable=False),
        sa.Column("route", sa.Text(), server_default="", nullable=False),
        sa.Column("state", sa.Text(), server_default="waiting", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("sent_at", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["inbox_id"], ["inbox.id"], name=op.f("fk_outbox_inbox_id_inbox"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("idempotency_key", name=op.f("uq_outbox_idempotency_key")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_outbox_inbox_id"), "outbox", ["inbox_id"])
    op.create_index(op.f("ix_outbox_state_id"), "outbox", ["state", "id"])


def _pending_actions() -> None:
    op.create_table(
        "pending_actions",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("person_id", _id(), nullable=False),
        sa.Column("conversation", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("arguments", sa.Text(), nullable=False),
        sa.Column("arguments_hash", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.Text(), nullable=False),
        sa.Column("consumed_at", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_pending_actions_person_id_people"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pending_actions")),
        sa.UniqueConstraint("token", name=op.f("uq_pending_actions_token")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_pending_actions_person_id"), "pending_actions", ["person_id"])


def _phrases() -> None:
    op.create_table(
        "phrases",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("ledger_id", _id(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("indexed", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.ForeignKeyConstraint(
            ["ledger_id"], ["ledgers.id"], name=op.f("fk_phrases_ledger_id_ledgers"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_phrases")),
        sa.UniqueConstraint("ledger_id", "text", name=op.f("uq_phrases_ledger_id_text")),
        sqlite_strict=True,
    )
    op.create_index(
        op.f("ix_phrases_waiting"),
        "phrases",
        ["id"],
        sqlite_where=sa.text("indexed = 0"),
        postgresql_where=sa.text("indexed = 0"),
    )


def _rules() -> None:
    op.create_table(
        "rules",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("ledger_id", _id(), nullable=False),
        sa.Column("pattern", sa.Text(), nullable=False),
        sa.Column("category", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["ledger_id"], ["ledgers.id"], name=op.f("fk_rules_ledger_id_ledgers"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rules")),
        sa.UniqueConstraint("ledger_id", "pattern", name=op.f("uq_rules_ledger_id_pattern")),
        sqlite_strict=True,
    )


def _settings() -> None:
    op.create_table(
        "settings",
        sa.Column("person_id", _id(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_settings_person_id_people"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person_id", "name", name=op.f("pk_settings")),
        sqlite_strict=True,
    )


def _files() -> None:
    op.create_table(
        "files",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("batch_id", _id(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("account_id", _id(), nullable=True),
        sa.Column("found", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("added", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("duplicates", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("rejected", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_files_account_id_accounts"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["batch_id"], ["batches.id"], name=op.f("fk_files_batch_id_batches"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_files")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_files_batch_id"), "files", ["batch_id"])
    op.create_index(op.f("ix_files_sha256"), "files", ["sha256"])


def _transactions() -> None:
    op.create_table(
        "transactions",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("ledger_id", _id(), nullable=False),
        sa.Column("account_id", _id(), nullable=False),
        sa.Column("batch_id", _id(), nullable=False),
        sa.Column("identity", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("has_id", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("booked_on", sa.Text(), nullable=False),
        sa.Column("weekday", sa.Integer(), nullable=False),
        sa.Column("amount_minor", _id(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("memo", sa.Text(), server_default="", nullable=False),
        sa.Column("merchant", sa.Text(), nullable=False),
        sa.Column("merchant_key", sa.Text(), nullable=False),
        sa.Column("category", sa.Text(), nullable=False),
        sa.Column("category_source", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("kind_ground", sa.Text(), nullable=False),
        sa.Column("own_kind", sa.Text(), nullable=False),
        sa.Column("flow", sa.Text(), nullable=False),
        sa.Column("phrase_id", _id(), nullable=False),
        sa.Column("pair_id", _id(), nullable=True),
        sa.Column("labels", sa.Text(), server_default="", nullable=False),
        sa.Column("notes", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_transactions_account_id_accounts"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["batch_id"], ["batches.id"], name=op.f("fk_transactions_batch_id_batches"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["ledger_id"], ["ledgers.id"], name=op.f("fk_transactions_ledger_id_ledgers"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["pair_id"], ["transactions.id"], name=op.f("fk_transactions_pair_id_transactions"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["phrase_id"], ["phrases.id"], name=op.f("fk_transactions_phrase_id_phrases"), ondelete="RESTRICT"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_transactions")),
        sa.UniqueConstraint(
            "ledger_id", "account_id", "identity", name=op.f("uq_transactions_ledger_id_account_id_identity")
        ),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_transactions_batch_id"), "transactions", ["batch_id"])
    op.create_index(op.f("ix_transactions_booked_on"), "transactions", ["ledger_id", "booked_on", "amount_minor"])
    op.create_index(
        op.f("ix_transactions_category"),
        "transactions",
        ["ledger_id", "category", "booked_on", "flow", "currency", "amount_minor"],
    )
    op.create_index(op.f("ix_transactions_content"), "transactions", ["ledger_id", "content"])
    op.create_index(
        op.f("ix_transactions_flow"),
        "transactions",
        ["ledger_id", "flow", "booked_on", "category", "currency", "amount_minor", "kind"],
    )
    op.create_index(
        op.f("ix_transactions_merchant"),
        "transactions",
        ["ledger_id", "merchant_key", "booked_on", "flow", "currency", "amount_minor"],
    )
    op.create_index(op.f("ix_transactions_pair_id"), "transactions", ["pair_id"])
    op.create_index(op.f("ix_transactions_phrase_id"), "transactions", ["phrase_id"])


def _turns() -> None:
    op.create_table(
        "turns",
        sa.Column("id", _id(), autoincrement=True, nullable=False),
        sa.Column("conversation_id", _id(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=True),
        sa.Column("focus", sa.Text(), nullable=True),
        sa.Column("recall", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("reply", sa.Text(), nullable=False),
        sa.Column("trace", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"],
            ["conversations.id"],
            name=op.f("fk_turns_conversation_id_conversations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turns")),
        sqlite_strict=True,
    )
    op.create_index(op.f("ix_turns_conversation_id_id"), "turns", ["conversation_id", "id"])
    op.create_index(op.f("ix_turns_key"), "turns", ["key"])


def _id() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create every table, those that others refer to first."""
    for create in (
        _forgotten_phrases,
        _inbox,
        _ledgers,
        _people,
        _accounts,
        _batches,
        _conversations,
        _members,
        _outbox,
        _pending_actions,
        _phrases,
        _rules,
        _settings,
        _files,
        _transactions,
        _turns,
    ):
        create()
