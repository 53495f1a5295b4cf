"""The report: plain data as words, and hostile text made harmless before a terminal sees it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethos.core.model.counts import CYCLE_COUNTS
from ethos.core.text import escaping
from ethos.edge.jsonio import quickjson
from ethos.edge.render import diff, report

HOSTILE = st.text(
    alphabet=st.one_of(
        st.sampled_from("ab \t\n\r\x00\x1b[2J;m\x07\x9b\u202e\u200b\ufe0f\u2800\u3164\U000e0101\ud800é漢🙂"), st.characters()
    )
)


@settings(derandomize=True, max_examples=400)
@given(text=HOSTILE, length=st.integers(1, 40))
def test_clean_is_defuse_plain(text: str, length: int) -> None:
    """The quick way gives letter for letter what the pattern engine gives."""
    assert report.clean(text, length) == escaping.plain(text, length)


@settings(derandomize=True, max_examples=200)
@given(text=HOSTILE)
def test_a_line_with_a_caret_keeps_its_blanks_and_nothing_hidden(text: str) -> None:
    """A line of a rule file may hold anything; the caret below it must still point at its place."""
    line = report.clean_line(text)
    assert len(line) == len(text.expandtabs(4))
    assert line.isprintable()


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | HOSTILE,
    lambda inner: st.lists(inner) | st.dictionaries(HOSTILE, inner),
    max_leaves=12,
)


@settings(derandomize=True, max_examples=200)
@given(value=VALUES)
def test_quick_json_is_json(value: object) -> None:
    """What it writes is what `json` writes, and it reads what `json` reads."""
    line = quickjson.encode(value)
    assert line == json.dumps(value)
    assert line.isascii()
    assert "\n" not in line
    assert quickjson.decode(line + "\n") == value


@pytest.mark.parametrize("text", ["", " ", "{", "{} {}", "[1,]", "nonsense", '{"a": }', "\x00"])
def test_quick_json_refuses_what_is_none(text: str) -> None:
    """A broken answer is a ValueError, as with `json`."""
    with pytest.raises(ValueError, match=r".*"):
        quickjson.decode(text)


def test_quick_json_writes_no_number_that_json_does_not_know() -> None:
    """NaN and infinity, and things that are no data."""
    for wrong in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="no number"):
            quickjson.encode(wrong)
    with pytest.raises(TypeError, match="not JSON: set"):
        quickjson.encode({"a": {1}})


@pytest.mark.parametrize(
    ("code", "exit_code"),
    [
        ("usage", 2),
        ("needs-person", 3),
        ("not-found", 1),
        ("bad-input", 1),
        ("bad-config", 1),
        ("busy", 1),
        ("store", 1),
        ("daemon", 1),
        ("bug", 1),
    ],
)
def test_exit_codes(code: str, exit_code: int, capsys: pytest.CaptureFixture[str]) -> None:
    """0 done, 1 failed, 2 usage, 3 a person is needed; words go to standard error, JSON to standard output where it was asked for."""
    error = {"code": code, "message": "it is late", "hint": "sleep", "where": "bed.txt:3"}
    assert report.failed(error, json_wanted=True) == exit_code
    out, err = capsys.readouterr()
    assert json.loads(out) == {"error": error}
    assert err == "ethos: bed.txt:3: it is late\n  -> sleep\n"
    assert report.failed("no answer", json_wanted=False) == 1
    assert capsys.readouterr() == ("", "ethos: no answer\n")


def test_a_hostile_problem_is_harmless() -> None:
    """A file's name, too, is text that somebody else wrote."""
    told = report.complaint({"message": "no such file: a\x1b[31mb\nc", "hint": "x\u202ey", "where": ""})
    assert told == "ethos: no such file: ab c\n  -> xy"


def test_a_capture_in_words() -> None:
    """Counts first, then what could not be read; a long list of problems is cut."""
    problem = {"code": "bad-input", "message": "truncated JSON", "hint": "mend it", "where": "talk.jsonl:14"}
    data = {
        "added": 1234,
        "known": 2,
        "changed": ["t1", "t2", "t3", "t4"],
        "files": 1,
        "skipped": {"empty text": 3, "meta": 1},
        "notes": {"unknown key: mood": 1},
        "problems": [problem] * 30,
        "problems_total": 400,
    }
    lines = report.captured(data)
    assert lines[0] == "1,234 added, 2 already known, 4 skipped, 400 with problems (1 file)"
    assert lines[1:5] == [
        "  skipped: empty text (3)",
        "  skipped: meta (1)",
        "  noted: unknown key: mood (1)",
        "  4 held already with another text, and left as they were: t1, t2, t3 ...",
    ]
    assert lines[5:7] == ["  talk.jsonl:14: truncated JSON", "    -> mend it"]
    assert lines[-1] == "  ... and 380 more"
    assert report.capture_code(data) == 1
    assert report.capture_code({**data, "problems": [], "problems_total": 0}) == 0


def test_e28_a_cycle_in_words() -> None:
    """The six counts; a rehearsal shows what it would change, cleaned of what a terminal would obey."""
    names = CYCLE_COUNTS
    data: report.Json = {"triggered": True, "run": "r-1", **dict(zip(names, (12, 7, 5, 1, 1, 0), strict=True))}
    assert report.consolidated(data) == [
        "12 read, 7 gave facts: 5 new, 1 confirmed or refined, 1 superseding another, 0 contradicting another",
        "  what changed -> ethos diff",
    ]
    assert report.consolidated({**data, "facts_flagged": 2})[2] == "  which one holds is for you to say -> ethos inbox"
    new = {"sign": "+", "type": "fact", "id": "f-1", "text": "Ada uses\x1b[2J Vim", "changed": {"confidence": [None, 0.9]}, "episodes": []}
    rehearsed = diff.rehearsed({**data, "dry_run": True, "differences": [new]})
    assert rehearsed[0] == "+ f-1 Ada uses Vim (0.90)"
    assert rehearsed[-1].startswith("dry run, nothing was written: 12 read")


def test_status_says_where_a_daemon_listens_and_what_it_follows() -> None:
    """README sends people here for the socket; and one who wrote `follow` sees that it is taken."""
    daemon = {"pid": 7, "started_at": "2026-03-01T10:20:30Z", "idle": True, "socket": "/run/e.sock", "follow": ["/talks", "/more"]}
    counts = dict.fromkeys(("episodes", "unscanned", "set_aside", "facts", "facts_history", "flagged", "questions"), 0)
    lines = report.status({"counts": counts, "store": {"audit_rows": 1}, "daemon": daemon})
    told = next(line for line in lines if line.startswith("daemon")).splitlines()
    assert [line.strip() for line in told[1:]] == ["at /run/e.sock", "follows /talks, /more"]
    assert any(line.startswith("audit        1 run, ") for line in lines)


def test_small_words() -> None:
    """Times and sizes as a person reads them; what is not there is empty."""
    assert report.moment("2026-03-01T10:20:30.5Z") == "2026-03-01 10:20 UTC"
    assert report.day("2026-03-01T10:20:30Z") == "2026-03-01"
    assert (report.moment(None), report.day(None)) == ("", "")
    assert [report.size(count) for count in (0, 1023, 2048, 5 * 1024**2, 3 * 1024**3)] == [
        "0 bytes",
        "1023 bytes",
        "2.0 KiB",
        "5.0 MiB",
        "3.0 GiB",
    ]


class Terminal:
    """A stream that says it is one."""

    def isatty(self) -> bool:
        """It is."""
        return True


def test_colours_only_where_they_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal, unless NO_COLOR or TERM=dumb says otherwise; never in a pipe or a file."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert report.coloured(Terminal())
    assert not report.coloured(None)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not report.coloured(Terminal())
    monkeypatch.setenv("NO_COLOR", "")
    monkeypatch.setenv("TERM", "dumb")
    assert not report.coloured(Terminal())
    assert report.paint("bold", "bold") == "bold"  # pytest's own output is no terminal
