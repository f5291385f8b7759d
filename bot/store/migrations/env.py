"""Runs the steps on the connection that `schema` hands over, inside its transaction."""

from alembic import context

from bot.store.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite alters a table by copying it
    transactional_ddl=True,  # true for SQLite too, since the engine begins where it says so
)
with context.begin_transaction():
    context.run_migrations()
