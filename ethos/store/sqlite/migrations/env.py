"""Alembic's entry: migrate over the connection, and in the transaction, that was handed in."""

from __future__ import annotations

from alembic import context

context.configure(connection=context.config.attributes["connection"], render_as_batch=True, transactional_ddl=False)
context.run_migrations()
