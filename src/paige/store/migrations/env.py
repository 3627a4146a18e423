"""Tells Alembic which connection to use; `paige.store.migrate` opens it."""

from alembic import context

from paige.store.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
    transaction_per_migration=False,
)
context.run_migrations()
