"""Schema revisions, run by Alembic."""
