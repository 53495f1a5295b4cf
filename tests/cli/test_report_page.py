"""`ethos report --html`: one page that needs no network, is safe whatever was said, and is scrubbed. In a real browser, too."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from ethos.app import sleep
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.sections import Interval, Line, Link, NightKind, Point, Report, Section, Spent, Table
from ethos.core.passes.definition import once
from ethos.core.passes.stage import Stage
from ethos.edge.jsonio.shapes import plain
from ethos.edge.render import night
from ethos.edge.render.page import page, timeline
from tests.support.commands import TALK, Commands, commands, spoken

__all__ = ["commands"]

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
START = datetime(2026, 3, 1, 23, tzinfo=UTC)  # midnight in Berlin
HOSTILE = "</title></text><script>alert(1)</script><img src=http://evil.example/x onerror=\"alert(2)\"> \u202e & 'quoted'"
TURNS = tuple(
    Point(f"e-{number}", START + timedelta(hours=9, minutes=7 * number), f"turn number {number}", f"s{number % 3}", 0.4, 0.4)
    for number in range(30)
)
POINTS = (*TURNS[:-1], replace(TURNS[-1], turning=True, after=0.9, text=HOSTILE))
NIGHT = Report(
    "r-20260303-030000-7k2m",
    date(2026, 3, 2),
    START,
    START + timedelta(days=1),
    START + timedelta(hours=27),
    20260302,
    NightKind.SHADOW,
    83,
    {"chain_count": 1, "faded": 4},
    (Spent("changes", 83, 5000),),
    (
        Section("Replay", (Line(HOSTILE, "ethos why e-29"),), (), POINTS, (Link("e-3", "e-29", 0.7), Link("e-3", "e-none", 0.7))),
        Section("Lessons", (), (Table(("lesson", "so"), ((HOSTILE, "9"),)),), intervals=(Interval(HOSTILE, 0.4, 0.7, 0.9, 0.3),)),
    ),
)
FACTS: list[dict[str, Any]] = [
    {
        "recorded_at": plain(NIGHT.at - timedelta(days=number)),
        "closed_at": None,
        "superseded_by": None,
        "retired_at": None,
        "confidence": 0.8,
    }
    for number in range(20)
]


class Shape(HTMLParser):
    """The elements of a page, and everything that could load something or run."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[str] = []
        self.loading: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element that opens."""
        self.elements.append(tag)
        self.loading += [f"{tag} {name}" for name, _ in attrs if name in {"src", "href", "srcset", "action"} or name.startswith("on")]
        if tag not in {"meta", "br", "path", "circle", "line", "img"}:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        """Note an element that is closed at once."""
        self.elements.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost element."""
        if tag not in {"path", "circle"}:
            assert self.open.pop() == tag


def shape(text: str) -> Shape:
    """Parse a page; every element closes where it should."""
    found = Shape()
    found.feed(text)
    assert found.open == []
    return found


def test_the_page_holds_every_figure_and_loads_nothing() -> None:
    """The day with its chains, salience before and after, lessons with intervals, what is known over time: four drawings, in plain SVG."""
    text = page(plain(NIGHT), FACTS)
    found = shape(text)
    assert re.findall("<h2>(.*?)</h2>", text) == [
        "The day",
        "What the night made stronger",
        "Lessons",
        "What is known, over time",
        "Replay",
        "Lessons",
    ]
    assert (found.elements.count("svg"), text.count('class="arc"'), text.count('class="turn"')) == (5, 1, 29)
    assert found.loading == []
    assert not {"script", "link", "iframe", "object", "img", "a", "form"} & set(found.elements)
    assert "url(" not in text
    assert "default-src 'none'" in text
    assert ">09:00<" in text  # by the clock of the place, not by UTC


def test_what_was_said_is_text_whatever_it_says() -> None:
    """No element comes of it, no attribute holds it, and nothing turns the line around."""
    text = page(plain(NIGHT), FACTS)
    assert "<script" not in text
    assert "\u202e" not in text
    assert text.count("&lt;script&gt;") >= 4
    assert all("evil.example" not in tag for tag in re.findall("<[^>]*>", text))


def test_an_empty_night_is_a_page_too() -> None:
    """It says so, and draws nothing."""
    text = page(plain(replace(NIGHT, sections=(), counts={})), [])
    assert shape(text).elements.count("svg") == 1  # the moon
    assert "Nothing happened that is worth a line." in text


def test_a_long_day_is_drawn_with_its_most_salient_turns() -> None:
    """Three thousand turns in fifty sessions: a page that a browser can hold, which says how much it leaves out."""
    many = tuple(
        replace(TURNS[0], id=f"e-{number}", at=START + timedelta(seconds=28 * number), session=f"s{number % 50}", after=number / 3000)
        for number in range(3000)
    )
    text = page(plain(replace(NIGHT, sections=(Section("Replay", points=many),))), [])
    assert text.count('class="turn"') == timeline.MOST_POINTS
    assert "2,600 less salient turns are not drawn." in text
    assert len(text) < 200_000


def test_a_long_report_is_cut_on_the_terminal() -> None:
    """Twenty lines of a section, and of its breakthroughs those that gained most in the order of the day; then how many are left.

    What was said on the way, and a short assent, have no line.
    """
    lines = tuple(Line(f"line {number}") for number in range(33))
    points = [replace(point, turning=True, text=f"what was said as {point.text}") for point in POINTS]
    quiet = (replace(POINTS[0], turning=True, text="go ahead"), replace(POINTS[0], text="said between two breakthroughs"))
    told = night.told(plain(replace(NIGHT, sections=(Section("Replay", lines, points=(*points, *quiet)),))))
    assert [line.strip() for line in told if "more" in line] == [
        "13 more lines -> ethos report --html night.html",
        "10 more on the timeline -> ethos report --html night.html",
    ]
    turns = [line for line in told if "ethos why" in line]
    assert len(turns) == 20
    assert turns == sorted(turns)
    assert "12:23 what was said" in turns[-1]


def test_the_command_writes_the_page_and_forgetting_reaches_it(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is ours: it is replaced, and scrubbed; a file of somebody else is neither."""
    words = "It was <the> index that fixed it & 'nothing' else."
    sections = (Section("Replay", (Line(f"It ended with: {words}"), Line("It began at noon."))),)
    stage = Stage("telling", lambda *_: None, lambda *_: Plan((ChangeSet("", (), (), sections),)))
    monkeypatch.setattr(sleep, "SLEEP", (once(stage),))
    commands.write("talk.jsonl", TALK + spoken("z1", words))
    commands("capture", "talk.jsonl")
    commands("sleep", "--date", "2026-03-01")
    assert commands("report", "--html", "night.html").out == "written: night.html\n"
    assert commands("report", "--html", "night.html").code == 0
    text = (commands.home / "night.html").read_text("utf-8")
    assert shape(text).loading == []
    assert "It was &lt;the&gt; index that fixed it &amp; 'nothing' else." in text
    commands.write("mine.html", "<p>mine</p>")
    refused = commands("report", "--html", "mine.html")
    assert refused.code == 2
    assert "a file is there that is not a report of this memory" in refused.err
    assert commands("forget", "z1", "--yes").code == 0
    assert (commands.home / "night.html").read_text("utf-8") == "".join(
        line for line in text.splitlines(keepends=True) if "index that fixed it" not in line
    )


@pytest.mark.skipif(BROWSER is None, reason="no browser is installed: apt-get install chromium")
def test_the_page_in_a_real_browser(tmp_path: Path) -> None:
    """Headless, with a picture: everything is drawn within the width, no script ran, and the picture is not blank."""
    assert BROWSER is not None
    (tmp_path / "night.html").write_text(page(plain(NIGHT), FACTS), "utf-8")
    picture = tmp_path / "night.png"
    command = [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={tmp_path / 'profile'}"]
    address = (tmp_path / "night.html").as_uri()
    subprocess.run([*command, "--window-size=1100,2000", f"--screenshot={picture}", address], check=True, capture_output=True, timeout=120)
    dom = subprocess.run([*command, "--dump-dom", address], check=True, capture_output=True, text=True, timeout=120).stdout
    assert (dom.count("<svg"), dom.count("<script"), dom.count('class="turning"')) == (5, 0, 1)
    data = picture.read_bytes()
    assert struct.unpack(">II", data[16:24]) == (1100, 2000)
    assert len(data) > 60_000  # a blank page of this size has 10 kB
