"""Logs: for a person at a terminal and for a journal, and harmless in both."""

from __future__ import annotations

import io
import json
import logging
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from ethos.core.model.settings import EthosSettings
from ethos.edge.config import logs

HOSTILE = "\x1b[2Jgone\x1b]0;title\x07 \u202etxet\nERROR a line of its own"


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    """Logging is global; other tests have theirs."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield
    structlog.reset_defaults()
    root.handlers, root.level = before, level


def written(settings: EthosSettings) -> io.StringIO:
    """What is logged from here on."""
    out = io.StringIO()
    logs.configure(settings, out)
    return out


def test_without_a_terminal_a_line_is_json() -> None:
    """Time, level and the sentence first."""
    out = written(EthosSettings())
    logs.get().info("Consolidation cycle complete: 8 scanned, 5 promoted, 4 facts created", run="r-1")
    line = json.loads(out.getvalue())
    assert list(line) == ["timestamp", "level", "event", "run"]
    assert line["event"] == "Consolidation cycle complete: 8 scanned, 5 promoted, 4 facts created"
    assert line["timestamp"].endswith("Z")


def test_the_level_is_the_configured_one() -> None:
    """E-02's line is for debugging, and a reload may change the level."""
    logger = logs.get()
    out = written(EthosSettings())
    logger.debug("Consolidation skipped: system not idle")
    assert out.getvalue() == ""
    out = written(EthosSettings(log_level="debug"))
    logger.debug("Consolidation skipped: system not idle")
    assert json.loads(out.getvalue())["level"] == "debug"


def test_the_form_can_be_asked_for() -> None:
    """`log = "human"` where there is no terminal: no colours."""
    out = written(EthosSettings(log="human"))
    logs.get().warning("Failed to upsert fact for episode e-1: too long", run="r-1")
    assert "[warning  ] Failed to upsert fact for episode e-1: too long" in out.getvalue()
    assert "\x1b" not in out.getvalue()


@pytest.mark.parametrize("form", ["human", "json"])
def test_what_others_wrote_does_nothing_to_the_terminal(form: str) -> None:
    """Neither as a value, nor as the message of an error in its traceback."""
    out = written(EthosSettings(log="human" if form == "human" else "json"))
    logs.get().error("Failed", why=HOSTILE)
    try:
        raise ValueError(HOSTILE)
    except ValueError:
        logs.get().exception("Failed again")
    text = out.getvalue()
    assert "gone" in text
    assert "ValueError" in text
    assert not {"\x1b", "\x07", "\u202e"} & set(text)
    if form == "json":
        assert [json.loads(line)["event"] for line in text.splitlines()] == ["Failed", "Failed again"]
    else:
        assert "\n    raise ValueError(HOSTILE)\n" in text


def test_what_libraries_log_comes_out_the_same_way() -> None:
    """APScheduler and SQLAlchemy use the standard library's logging."""
    out = written(EthosSettings())
    logging.getLogger("some.library").warning("odd: %s", HOSTILE)
    line = json.loads(out.getvalue())
    assert (line["logger"], line["level"]) == ("some.library", "warning")
    assert line["event"] == "odd: gone txet ERROR a line of its own"


def test_on_a_terminal_a_line_is_for_people_and_rich_stays_out() -> None:
    """A real terminal, with colours; and the renderer's favourite library is not loaded for it."""
    code = (
        "from ethos.core.model.settings import EthosSettings; from ethos.edge.config import logs; import sys;"
        "logs.configure(EthosSettings()); logs.get().info('Consolidation loop started (interval: 15min)', rich='rich' in sys.modules)"
    )
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "rb") as terminal:
        subprocess.run([sys.executable, "-c", code], stderr=theirs, cwd=Path(__file__).parents[2], check=True)
        os.close(theirs)
        line = terminal.read1(9999).decode()
    assert "Consolidation loop started (interval: 15min)" in line
    assert "\x1b[" in line
    assert "False" in line
