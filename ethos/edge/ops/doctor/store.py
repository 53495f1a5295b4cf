"""Check the store: schema, integrity, SQLite version, and jobs of the daemon that keep failing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ethos.core.model.errors import Refused
from ethos.edge.client.connection import Connection
from ethos.edge.files import backups
from ethos.edge.jsonio.shapes import Json
from ethos.edge.ops.doctor.check import Check, fail, quoted, warn, well
from ethos.edge.render.report import size


def checks(connection: Connection, status: Json) -> Iterator[Check]:
    """Yield all these checks. They read the whole store, in this process."""
    try:
        wrong = connection.service.ethos.store.check()
    except Refused as refused:
        yield quoted("memory", "store", refused.problem, "nothing can be read or stored")
        return
    taken = backups.listed(connection.settings)
    yield from told(status["store"], wrong, taken[-1][1] if taken else None)
    yield from _daemons_troubles(status.get("daemon"))


def told(store: Json, wrong: Sequence[str], backup: Path | None = None) -> Iterator[Check]:
    """Yield checks of the store's status and of what its integrity check found. backup: the newest; each was verified when it was made."""
    yield well("memory", "schema", f"version {store['schema']}")
    wrong = [line for line in wrong if "other users" not in line]  # reported above, with the folders
    for line in wrong:
        matters = "what is stored may be lost" if line.startswith("damaged") else "what is stored does not fit together"
        do = f"stop Ethos, then: ethos restore {backup}, which keeps what is there; then capture again"
        if backup is None:
            do = f"stop Ethos and move {store['path']} away, for there is no backup; then capture again"
        yield fail("memory", "integrity", line, matters, do)
    if not wrong:
        yield well("memory", "integrity", f"sound; {size(store['bytes'])}, write-ahead log {size(store['wal_bytes'])}")
    version = f"SQLite {store['sqlite_version']} ({store['module']}), journal {store['journal_mode']}, synchronous {store['synchronous']}"
    if store["journal_mode"] == "wal" and not store["wal_reset_safe"]:
        matters = "this SQLite can damage a write-ahead log that two processes write at once"
        do = "pip install --upgrade pysqlite3, or a newer SQLite (3.51.3, 3.50.7 or 3.44.6)"
        yield warn("memory", "SQLite", version, matters, do)
    else:
        yield well("memory", "SQLite", version)


def _daemons_troubles(daemon: Json | None) -> Iterator[Check]:
    """Yield a warning for each job of the daemon that keeps failing."""
    for name, trouble in (daemon or {}).get("degraded", {}).items():
        matters = "it is tried less and less often until it works"
        yield warn(
            "memory", f"degraded ({name})", trouble, matters, "see the lines above, and the daemon's log: journalctl --user -u ethos"
        )
    if problem := (daemon or {}).get("reload_problem"):
        do = f"correct it; then kill -HUP {(daemon or {})['pid']}"
        yield warn("memory", "reload", problem, "the daemon works with what it read before", do)
