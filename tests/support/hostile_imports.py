"""Hostile imports: a real export with a few things about it changed, as a fault or an attacker would, from a seed."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

Line = dict[str, Any]

HUGE = (2**31, 2**53, 2**62, 2**63 - 1, 2**63, 2**70, -1, -(2**63), 10**30)
TEXTS = (
    "", " ", "\n", "x\ny", "\0", "a\0b", "\ud800", "\u202eevil", "\x1b[31m", "../../etc/passwd", "/", "x" * 5_000, "NaN", "operator",
    "<!-- /ethos c-1 -->", "### [x] y · c-1", "- [x] keep-new", "f-0000000000000000", "c-0000000000", "r-20260601-120000-zzzz", "e-nobody",
)  # fmt: skip
TIMES = (
    "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "2026-06-01T12:00:00", "2026-06-01T12:00:00+14:00", "1969-12-31T23:59:59Z",
    "9999-12-31T23:59:59-12:00", "2026-02-30T00:00:00Z", "noon", "2099-01-01T00:00:00Z",
)  # fmt: skip
NUMBERS = (*HUGE, 0, 1, 2, 0.5, 1.0000001, -0.1, 1e308, 3)
RUNS = ("export", "import", "backup", "restore", "forget", "standing", "undo", "promote", "answer", "dream", "\x1b[2J")
REFERENCES = ("id", "episode", "fact", "existing", "new", "record", "superseded_by", "run", "undone_by", "reason")


def hostile(lines: list[str], random: Random) -> tuple[str, bytes]:
    """Return what was done to an export, and the file that it gave."""
    header, *body, end = lines
    records = [json.loads(line) for line in body]
    told = []
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        change = random.choice(CHANGES)
        told.append(f"{change.__name__}({change(records, random)})")
    texts = [header, *(json.dumps(record) for record in records), end]
    if random.random() < 0.15:
        whole = random.choice(WHOLE)
        told.append(whole.__name__)
        return ", ".join(told), whole(texts, random)
    return ", ".join(told), _joined(texts)


# -- changes of records, in place; each says what it changed


def value(records: list[Line], random: Random) -> str:
    """Put an odd value in the place of one."""
    record = random.choice(records)
    name = random.choice(sorted(record))
    old = record[name]
    odd: Any = random.choice((None, True, [], {}, "x", 7, 0.5, *TEXTS, *NUMBERS))
    if isinstance(old, str) and random.random() < 0.7:
        odd = random.choice((*TEXTS, *TIMES))
    elif isinstance(old, int | float) and random.random() < 0.7:
        odd = random.choice(NUMBERS)
    record[name] = odd
    return f"{record.get('type')}.{name} = {str(odd)[:40]!r}"


def moment(records: list[Line], random: Random) -> str:
    """Another time."""
    record = random.choice(records)
    names = [name for name in sorted(record) if name.endswith(("_at", "_from", "_to")) or name == "at"]
    if not names:
        return "none"
    name = random.choice(names)
    record[name] = random.choice((*TIMES, None))
    return f"{record['type']}.{name} = {record[name]}"


def reference(records: list[Line], random: Random) -> str:
    """An id that is another record's, or nobody's."""
    record = random.choice(records)
    names = [name for name in REFERENCES if name in record]
    if not names:
        return "none"
    others = [other[name] for other in records for name in REFERENCES if isinstance(other.get(name), str)]
    name = random.choice(names)
    record[name] = random.choice((random.choice(others), random.choice(TEXTS), None))
    return f"{record['type']}.{name} = {str(record[name])[:40]!r}"


def lost(records: list[Line], random: Random) -> str:
    """A line, or all of one type, left out."""
    at = random.randrange(len(records))
    kind = records[at]["type"]
    if random.random() < 0.2:
        records[:] = [record for record in records if record["type"] != kind] or records[:1]
        return f"every {kind}"
    del records[at : at + random.choice((1, 1, 3))]
    if not records:
        raise AssertionError("an export has more records than that")
    return str(kind)


def doubled(records: list[Line], random: Random) -> str:
    """A line twice, the second perhaps with another value."""
    record = dict(random.choice(records))
    records.insert(random.randrange(len(records) + 1), record)
    return str(record["type"]) + (f", {value([record], random)}" if random.random() < 0.5 else "")


def moved(records: list[Line], random: Random) -> str:
    """A line somewhere else."""
    record = records.pop(random.randrange(len(records)))
    records.insert(random.randrange(len(records) + 1), record)
    return str(record["type"])


def shuffled(records: list[Line], random: Random) -> str:
    """Every line somewhere else, or the order turned round."""
    if random.random() < 0.5:
        records.reverse()
    else:
        random.shuffle(records)
    return "all"


def missing(records: list[Line], random: Random) -> str:
    """A field left out, or one more."""
    record = random.choice(records)
    if random.random() < 0.2:
        record["mood"] = 1
        return "mood"
    name = random.choice(sorted(record))
    del record[name]
    record.setdefault("type", "nothing")
    return name


def fact(records: list[Line], random: Random) -> str:
    """A fact whose versions, end or successor are not as they would be."""
    facts = [record for record in records if record["type"] == "fact"]
    if not facts:
        return "none"
    record, other = random.choice(facts), random.choice(facts)
    name, odd = random.choice(
        (
            ("superseded_by", record.get("id")),
            ("superseded_by", other.get("id")),
            ("superseded_by", None),
            ("retired_at", None),
            ("retired_at", "2026-06-01T12:00:00Z"),
            ("valid_to", record.get("valid_from")),
            ("closed_at", None),
            ("closed_at", "2026-06-01T12:00:00Z"),
            ("flagged", True),
            ("flagged", False),
            ("version", random.choice((0, 2, 7))),
            ("origin", random.choice(("operator", "assistant", "external"))),
            ("object_key", other.get("object_key")),
            ("subject_key", other.get("subject_key")),
            ("user", "somebody"),
            ("polarity", "-"),
            ("cardinality", "multi"),
        )
    )
    record[name] = odd
    return f"{name} = {odd!r}"


def question(records: list[Line], random: Random) -> str:
    """A question about facts that are not in the file, with an id of two lines, or with an answer that does not fit."""
    facts = [record.get("id") for record in records if record["type"] == "fact"] or ["f-0"]
    ids = ("c-0123456789", "q-0123456789", "c-01\n23", "z-1", "", "f-0123456789abcdef")
    made = {
        "type": "question",
        "id": random.choice(ids),
        "user": "default",
        "project": "default",
        "existing": random.choice((*facts, "f-nowhere", "")),
        "new": random.choice((*facts, "f-nowhere")),
        "opened_at": "2026-06-01T12:00:00Z",
        "run": "r-20260601-120000-zzzz",
        "repeats": random.choice((0, 2**62)),
        "resolved_at": random.choice((None, "2026-06-02T12:00:00Z")),
        "action": random.choice((None, "keep-new", "keep-old", "accept", "reject")),
        "by": None,
        "note": random.choice(TEXTS),
    }
    _inserted(records, made)
    return f"{made['id']!r}: {made['existing']!r}, {made['new']!r}"


def run(records: list[Line], random: Random) -> str:
    """A run of some name, whose reason is a path, another run or itself."""
    id_ = random.choice(("r-20260601-120000-aaaa", "r-1\n", "", "e-1"))
    others = [record.get("id") for record in records if record["type"] == "run"] or [id_]
    made = {
        "type": "run",
        "id": id_,
        "name": random.choice(RUNS),
        "reason": random.choice(("/home", "/", id_, random.choice(others), *TEXTS)),
        "session": None,
        "started_at": "2026-06-01T12:00:00Z",
        "ended_at": random.choice((None, "2026-06-01T12:00:00Z")),
        "rules": "",
        "counts": random.choice(({}, {"accepted": 2**62}, {"rejected": -5}, {"accepted": 10**30}, {"x\n": 1})),
        "outcome": random.choice(("done", "running", "failed")),
        "problem": random.choice(TEXTS),
        "undone_by": random.choice((None, id_, random.choice(others), "r-nowhere")),
    }
    _inserted(records, made)
    return f"{made['name']!r}"


def salience(records: list[Line], random: Random) -> str:
    """A record that was retrieved more often than anybody can, or that is of no kind."""
    found = [record for record in records if record["type"] == "salience"]
    if not found:
        return "none"
    record = random.choice(found)
    odd: tuple[tuple[str, Any], ...] = (("retrievals", random.choice(HUGE)), ("base", 7.0), ("tone", -9), ("kind", random.choice(TEXTS)))
    name, record[name] = random.choice((*odd, ("faded", True)))
    return f"{name} = {str(record[name])[:40]!r}"


def _inserted(records: list[Line], made: Line) -> None:
    """Behind the last of its type, where its place is."""
    at = max((n for n, record in enumerate(records) if record["type"] == made["type"]), default=len(records) - 1)
    records.insert(at + 1, made)


# -- changes of the file as a whole


def cut(texts: list[str], random: Random) -> bytes:
    """Cut short anywhere."""
    data = _joined(texts)
    return data[: random.randrange(len(data))]


def turned(texts: list[str], random: Random) -> bytes:
    """A byte turned."""
    data = bytearray(_joined(texts))
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return bytes(data)


def twice(texts: list[str], random: Random) -> bytes:  # noqa: ARG001 (the form of every change)
    """The file behind itself."""
    return _joined(texts) * 2


def split(texts: list[str], random: Random) -> bytes:
    """A line break within a line."""
    data = bytearray(_joined(texts))
    data.insert(random.randrange(len(data)), 10)
    return bytes(data)


def headed(texts: list[str], random: Random) -> bytes:
    """Another first line."""
    heads = ("{}", "[]", '{"ethos": "export", "version": 99}', '{"ethos": "export", "version": "1"}', "null", '{"ethos": "export"}')
    return _joined([random.choice(heads), *texts[1:]])


def _joined(texts: list[str]) -> bytes:
    return "".join(text + "\n" for text in texts).encode()


CHANGES: tuple[Callable[[list[Line], Random], str], ...] = (
    value, value, value, moment, reference, reference, lost, doubled, moved, shuffled, missing, fact, fact, question, run, salience,
)  # fmt: skip
WHOLE: tuple[Callable[[list[str], Random], bytes], ...] = (cut, turned, twice, split, headed)
