"""Check the whole store: damage in the file, and records that do not fit together (docs/threats.md, promise 1; tests that show it: 14).

Each part finds what the others cannot: SQLite's own check the structure of pages and indexes, the schema what the tables, triggers
and indexes are to be, the checksums a value that changed, the audit its chain, the questions here what must be true between records,
and the full-text index is compared with what the records say. Together no byte that means something can change unnoticed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ethos.store.sqlite import audit, checksums, consistency, full_text, schema
from ethos.store.sqlite.sql import Sql


def problems(sql: Sql, errors: tuple[type[Exception], ...]) -> list[str]:
    """Return a line for each fault; for damage, the error of the driver.

    On a connection without a transaction. The last part needs to be the one writer, and raises what the driver does where it cannot.
    """
    found: dict[str, None] = {}
    sql.run("BEGIN")  # one state for all questions
    with sql.reading_anything():
        for part in _PARTS:
            try:
                found.update(dict.fromkeys(part(sql)))
            except errors as error:
                found[f"damaged: {error}"] = None
    if sql.in_transaction:  # an error of the disk ends it
        sql.run("ROLLBACK")
    if not any(line.startswith(("damaged", "full-text")) for line in found):
        found.update(dict.fromkeys(full_text.compare(sql, errors)))
    return list(found)


def _structure(sql: Sql) -> list[str]:
    full_text.look_again(sql)
    return [f"damaged: {line}" for (line,) in sql.rows("PRAGMA integrity_check(20)") if line != "ok"]


def _fitting(sql: Sql) -> list[str]:
    broken = len(sql.rows("PRAGMA foreign_key_check"))
    found = [f"{broken} rows refer to a record that is not there"] if broken else []
    return found + [f"{count} {what}" for what, count in consistency.broken(sql).items()]


_PARTS: tuple[Callable[[Sql], Sequence[str]], ...] = (_structure, schema.check, checksums.check, _fitting, full_text.check, audit.check)
