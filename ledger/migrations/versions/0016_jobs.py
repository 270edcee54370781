"""On PostgreSQL several processes share the work, by jobs that wait in procrastinate's tables; a person's messages are found."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

#: The newest of procrastinate's own migrations that its schema holds. A version with newer ones needs a revision here that
#: applies them (https://procrastinate.readthedocs.io/en/stable/howto/production/migrations.html).
KNOWN = "03.04.00_50_post_add_retry_failed_job_procedure.sql"


def upgrade() -> None:
    """Make procrastinate's tables, and an index by which a job finds those that wait behind the same lock."""
    op.create_index("ix_inbox_person_id", "inbox", ["person", "id"])
    connection = op.get_bind()
    if connection.dialect.name != "postgresql":
        return
    script = (sql_of_jobs() / "schema.sql").read_text(encoding="utf-8")
    raw = connection.connection.dbapi_connection
    assert raw is not None
    raw.run_async(lambda driver: driver.execute(script))  # many statements, which can't be prepared as one
    op.execute(
        "CREATE INDEX money_minder_jobs_by_lock ON procrastinate_jobs (lock, priority DESC, id) "
        "WHERE status IN ('todo', 'doing')"
    )


def sql_of_jobs() -> Path:
    """Return the folder of procrastinate's schema; found without importing it, which takes a quarter of a second."""
    found = find_spec("procrastinate")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).with_name("sql")
