"""What Alembic runs: revisions on the connection that the store hands over."""

from alembic import context

from ledger.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
context.run_migrations()
