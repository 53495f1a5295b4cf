"""cursor: the chats of Cursor, which it keeps in SQLite: `store.db` of the command-line agent, `state.vscdb` of the editor.

The command-line agent keeps one chat a file: its messages are JSON in the table `blobs`, in order of row; other blobs are protobuf. The
editor keeps all chats in one table of keys and values: `composerData:CHAT` lists the messages, `bubbleId:CHAT:MESSAGE` holds one.

The file is opened as immutable, so that nothing is written beside it. What Cursor has not yet moved from its write-ahead log into the file
is therefore missing until Cursor is closed, and a note says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import quote

from ethos.core.model.errors import refuse
from ethos.core.model.records import Origin, Role
from ethos.core.model.settings import CaptureSettings
from ethos.edge.capture.transcripts.documents import LARGEST, content
from ethos.edge.capture.transcripts.lines import decode
from ethos.edge.capture.transcripts.moments import time_in
from ethos.edge.capture.transcripts.projects import project_of
from ethos.edge.capture.transcripts.turn import ORIGINS, Format, Item, Json, Noted, Place, Skipped, Turn, origin_of_tool, word
from ethos.edge.files.spelling import unspelled

if TYPE_CHECKING:
    import sqlite3

_NAMES = re.compile(r"^(store\.db|state\.vscdb)$")
_SQLITE = "SQLite format 3\0"
_HINT = "close Cursor and capture the file again; it may be cut short or in use"
_ROLES: Mapping[object, Role] = {"user": "user", "assistant": "assistant", "tool": "tool", 1: "user", 2: "assistant"}
_TAG = re.compile(r"<(/?)([a-z][a-z0-9_-]*)(?:[ \t][^<>]*)?>")
_WORKSPACE = re.compile(r"^Workspace Path:\s*(\S.*?)\s*$", re.MULTILINE)
_MESSAGES = "SELECT id, data FROM blobs WHERE substr(data, 1, 1) IN (x'7b', '{') ORDER BY rowid"
_CHATS = "SELECT key FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;' ORDER BY key"
_VALUE = "SELECT value FROM cursorDiskKV WHERE key = ?"
_TABLES = """
SELECT name FROM sqlite_schema s WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(s.name) WHERE hidden)
"""  # no column is worked out: a file of 12 KiB could make gigabytes of it


def _read(place: Place, stream: BinaryIO, settings: CaptureSettings) -> Iterator[Item]:  # noqa: ARG001 (the form of every format)
    import sqlite3  # noqa: PLC0415 (a library that only this format needs would stay in the daemon's memory)

    connection = _opened(place, stream)
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST)
        tables = {name for (name,) in connection.execute(_TABLES)}
        if not tables & {"blobs", "cursorDiskKV"}:
            hint = "Cursor's chats are in store.db below ~/.cursor/chats, or in state.vscdb of the editor's globalStorage"
            raise refuse("bad-input", "a SQLite file without chats of Cursor", hint=hint, where=place.name)
        yield from _waiting(place)
        if "blobs" in tables:
            yield from _agent(connection, "meta" in tables, place)
        if "cursorDiskKV" in tables:
            yield from _editor(connection, place)
    except sqlite3.Error as error:
        raise refuse("bad-input", f"damaged SQLite file: {error}", hint=_HINT, where=place.name) from error
    finally:
        connection.close()


def _opened(place: Place, stream: BinaryIO) -> sqlite3.Connection:
    import sqlite3  # noqa: PLC0415 (as above)

    if place.folder:
        path = Path(place.folder) / unspelled(place.file)
        return sqlite3.connect(f"file:{quote(str(path).encode('utf-8', 'surrogateescape'))}?immutable=1", uri=True)
    connection = sqlite3.connect(":memory:")
    data = bytearray(content(stream, place))
    data[18:20] = b"\1\1"  # not in WAL mode: a file in memory has no log
    connection.deserialize(bytes(data))
    return connection


def _waiting(place: Place) -> Iterator[Noted]:
    """Yield a note if the newest messages are in the write-ahead log alone."""
    log = Path(place.folder) / f"{unspelled(place.file)}-wal"
    if place.folder and log.is_file() and log.stat().st_size:
        yield Noted("Cursor is open: what it said last is taken once it is closed", place.name)


# -- the command-line agent


def _agent(connection: sqlite3.Connection, has_meta: bool, place: Place) -> Iterator[Item]:
    about = _about(connection) if has_meta else {}
    session = word(about, "agentId") or Path(place.folder).name or place.stem
    began = time_in(about.get("createdAt"))
    project = "default"
    for number, (id_, data) in enumerate(connection.execute(_MESSAGES), 1):
        where = f"{place.name} message {number}"
        message = _json(data)
        role = _ROLES.get(word(message, "role"))
        if message is None or role is None:
            yield Skipped("not a message", where)
            continue
        text = _text(message.get("content"))
        about_user = role == "user" and text.lstrip().startswith("<user_info>")
        if workspace := _WORKSPACE.search(text) if about_user else None:
            project = project_of(workspace[1])
        if role == "user" and "<user_query>" in text:
            text = _typed(text)
        elif about_user:
            yield Skipped("meta", where)
            continue
        yield from _turn(
            place,
            where,
            key=("cursor", session, str(id_)),
            session=session,
            project=project,
            role=role,
            origin=_origin(role, message.get("content")),
            text=text,
            said_at=began,
            after=number,
        )


def _typed(text: str) -> str:
    """Return what the person typed: the elements `user_query` that stand in no other one.

    An attached file may hold that element, too, and a forged end of its own: any other element reaches from its first beginning to its
    last end.
    """
    tags = list(_TAG.finditer(text))
    last = {tag[2]: tag.end() for tag in tags if tag[1]}
    typed: list[str] = []
    done = 0
    for tag in tags:
        name = tag[2]
        if tag[1] or tag.start() < done:
            continue
        if name == "user_query":
            end = text.find("</user_query>", tag.end())
            done = len(text) if end < 0 else end
            typed.append(text[tag.end() : done].strip())
        elif last.get(name, 0) > tag.start():
            done = last[name]
    return "\n\n".join(typed)


def _about(connection: sqlite3.Connection) -> Json:
    """Return what the table `meta` says of the chat: JSON, in hexadecimal."""
    for (value,) in connection.execute("SELECT value FROM meta ORDER BY key"):
        try:
            found = _json(bytes.fromhex(value))
        except (TypeError, ValueError):
            continue
        if found is not None:
            return found
    return {}


def _text(said: object) -> str:
    """Return the text of a message: a string, or a list of parts of which some hold text or the result of a tool."""
    if isinstance(said, str):
        return said
    parts = said if isinstance(said, list) else ()
    texts = [word(part, "text") if word(part, "type") == "text" else word(part, "result") for part in parts]
    return "\n\n".join(text for text in texts if text)


def _origin(role: Role, said: object) -> Origin:
    names = [word(part, "toolName") for part in said] if role == "tool" and isinstance(said, list) else []
    return min((origin_of_tool(name) for name in names if name), default=ORIGINS[role])


# -- the editor


def _editor(connection: sqlite3.Connection, place: Place) -> Iterator[Item]:
    for (key,) in connection.execute(_CHATS).fetchall():
        row = connection.execute(_VALUE, (key,)).fetchone()
        chat = _json(row[0]) if row is not None else None
        session = str(key).partition(":")[2] or place.stem
        where = f"{place.name} chat {session[:8]}"
        if chat is None:
            yield Skipped("not a chat", where)
            continue
        began, project = time_in(chat.get("createdAt")), "default"
        for number, bubble in enumerate(_bubbles(connection, session, chat), 1):
            folders = bubble.get("workspaceUris")
            if isinstance(folders, list) and folders and isinstance(folders[0], str):
                project = project_of(folders[0].removeprefix("file://"))
            own = time_in(bubble.get("createdAt"))
            kind = bubble.get("type")
            role = _ROLES.get(kind) if isinstance(kind, int) else None
            if role is None:
                yield Skipped("not a message", where)
                continue
            yield from _turn(
                place,
                f"{where} message {number}",
                key=("cursor", session, word(bubble, "bubbleId") or str(number)),
                session=session,
                project=project,
                role=role,
                origin=ORIGINS[role],
                text=word(bubble, "text"),
                said_at=own or began,
                after=0 if own else number,
            )


def _bubbles(connection: sqlite3.Connection, chat_id: str, chat: Json) -> Iterator[Json]:
    """Yield the messages of a chat in order; those that are listed and missing are left out."""
    for header in _objects(chat.get("fullConversationHeadersOnly")):
        row = connection.execute(_VALUE, (f"bubbleId:{chat_id}:{word(header, 'bubbleId')}",)).fetchone()
        if row is not None and (bubble := _json(row[0])) is not None:
            yield {**header, **bubble}
    yield from _objects(chat.get("conversation"))  # of older versions: the messages themselves


def _objects(values: object) -> Iterable[Json]:
    return [each for each in values if isinstance(each, dict)] if isinstance(values, list) else []


# -- both


def _json(data: object) -> Json | None:
    """Return the JSON object in a value of the database; None if there is none."""
    raw = data.encode("utf-8", "replace") if isinstance(data, str) else data
    if not isinstance(raw, bytes):
        return None
    try:
        found = decode(raw)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _turn(
    place: Place,
    where: str,
    *,
    key: tuple[str, ...],
    session: str,
    project: str,
    role: Role,
    origin: Origin,
    text: str,
    said_at: datetime | None,
    after: int = 0,
) -> Iterator[Item]:
    """Yield a turn, after notes about it. after: seconds to add to `said_at`, because the message has no time of its own."""
    if not text.strip():
        yield Skipped("no text", where)
        return
    time, time_source, notes = place.timed(said_at, where)
    yield from notes
    yield Turn(
        key=key,
        session=session,
        project=project,
        role=role,
        speaker=role,
        origin=origin,
        text=text.strip(),
        said_at=time + timedelta(seconds=after),
        time_source="file" if after else time_source,
        source=place.name,
        line=0,
    )


def _recognises(records: Sequence[Json], text: str, name: str) -> bool:  # noqa: ARG001 (the form of every format)
    return text.startswith(_SQLITE)


FORMAT = Format(
    "cursor", "chats of Cursor: store.db of its command line, state.vscdb of the editor", _recognises, whole=_read, names=_NAMES
)
