"""The store: where records are kept. `open_store(path)` is its one way in; `restore` puts a backup in its place."""

from __future__ import annotations

from ethos.store.sqlite.backup import restore, verify
from ethos.store.sqlite.run_lease import RunLease
from ethos.store.sqlite.store import SqliteStore, open_copy, open_store

__all__ = ["RunLease", "SqliteStore", "open_copy", "open_store", "restore", "verify"]
