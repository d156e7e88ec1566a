"""What alembic begins with: it works on the connection it was given, in its transaction."""

from alembic import context

from runners.storage.schema import tables

context.configure(connection=context.config.attributes["connection"], target_metadata=tables)
context.run_migrations()
