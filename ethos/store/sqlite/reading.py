"""Read a store with SQLModel: a session on read-only connections."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, event
from sqlalchemy.engine import ExceptionContext
from sqlmodel import Session

from ethos.core.model.errors import refuse
from ethos.store.sqlite.driver import BUSY_MS, library
from ethos.store.sqlite.problems import refusal
from ethos.store.sqlite.schema import APPLICATION_ID, REVISIONS

_HINT = "run `ethos status` once: it makes the memory, or brings it to the present schema"


def read_only(path: Path) -> Session:
    """Open a session that reads the store at this path. Raises `Refused` where there is no store of the present schema.

    The file is opened read only and no statement may change it: a write raises `Refused`.
    """
    if not path.is_file():
        raise refuse("store", "there is no memory here", hint=_HINT, where=str(path))
    module = library().module

    def connect() -> Any:
        return module.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False, timeout=BUSY_MS / 1000)

    engine = create_engine("sqlite+pysqlite://", module=module, creator=connect)

    @event.listens_for(engine, "connect")
    def _settle(connection: Any, _record: object) -> None:
        connection.execute("PRAGMA query_only = ON")

    @event.listens_for(engine, "handle_error")
    def _explain(context: ExceptionContext) -> None:
        error = context.original_exception
        if getattr(error, "sqlite_errorname", "").startswith("SQLITE_READONLY"):
            hint = "change the memory with the commands of `ethos` or with `ethos.open()`"
            raise refuse("usage", "this session only reads", hint=hint, where=str(path)) from error
        if isinstance(error, Exception) and (refused := refusal(error, path)) is not None:
            raise refused from error

    try:
        _require_present_schema(engine, path)
    except BaseException:
        engine.dispose()
        raise
    return _ReadingSession(engine)


def _require_present_schema(engine: Any, path: Path) -> None:
    with engine.connect() as connection:
        application, version = (connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("application_id", "user_version"))
    if application != APPLICATION_ID:
        raise refuse("store", "the file is a database of another program", hint="set `database` to a memory of Ethos", where=str(path))
    if version > len(REVISIONS):
        raise refuse("store", "the memory is newer than this program", hint="install the newer Ethos", where=str(path))
    if version < len(REVISIONS):
        raise refuse("store", "the memory has an older schema", hint=_HINT, where=str(path))


class _ReadingSession(Session):
    """Close the connections too when the session ends."""

    def __init__(self, engine: Any) -> None:
        super().__init__(engine)
        self._engine = engine

    def close(self) -> None:
        """Release the connections too."""
        super().close()
        self._engine.dispose()
