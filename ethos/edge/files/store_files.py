"""The files of a store that is kept in a database file, and what Ethos keeps beside it.

No other module of the edge reads the setting `ethos.database` as a path.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ethos.core.model.settings import Settings

SIDES = ("-wal", "-shm", "-journal")  # what SQLite keeps beside a database


@dataclass(frozen=True, slots=True)
class StoreFiles:
    """The files around one database. None of them need exist."""

    database: Path

    @property
    def folder(self) -> Path:
        """Return the folder of the database."""
        return self.database.parent

    @property
    def log(self) -> Path:
        """Return the write-ahead log."""
        return self._beside("-wal")

    @property
    def journal(self) -> Path:
        """Return the rollback journal."""
        return self._beside("-journal")

    @property
    def backups(self) -> Path:
        """Return the folder of the backups that Ethos names and removes itself."""
        return self.folder / "backups"

    @property
    def rules(self) -> Path:
        """Return the folder of the rules that were learned from answers."""
        return self.folder / "rules.d"

    def replaced(self, at: datetime) -> Path:
        """Return where a restoration at this time, in UTC, keeps the database that it replaces."""
        return self._beside(f".replaced-{at:%Y%m%dT%H%M%SZ}")

    def kept(self) -> Iterator[Path]:
        """Yield the databases that a restoration or an upgrade kept beside this one."""
        name = re.escape(self.database.name)
        yield from (path for path in self.stores() if re.fullmatch(rf"{name}\.(replaced-\d{{8}}T\d{{6}}Z|\d{{4}}\.bak)", path.name))

    def stores(self) -> Iterator[Path]:
        """Yield every file here that is or was this store: the database, what was kept beside it, and its backups."""
        beside = [self.database, *self.folder.glob(f"{self.database.name}.*")]
        every = [path for path in beside if not path.name.endswith(SIDES)] + list(self.backups.glob("*.db"))
        yield from sorted(path for path in every if path.is_file())

    def hold(self, path: Path) -> bool:
        """Return True if a real path is that of the database, or of a file whose name begins with its name."""
        real = Path(os.path.realpath(self.database))
        return path.parent == real.parent and path.name.startswith(real.name)

    def _beside(self, end: str) -> Path:
        return self.database.with_name(self.database.name + end)


def files_of(settings: Settings) -> StoreFiles:
    """Return the files of the store that these settings name. All paths in them are absolute."""
    return StoreFiles(Path(settings.ethos.database))
