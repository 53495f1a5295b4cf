"""README.md and docs/ are true: every command and every JSON or TOML block in them is executed, and what they name exists."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from ethos.edge.api.wire import Request, parse
from ethos.edge.cli import menu
from tests.support.commands import QUARREL, ROOT, TALK, Commands, Ran, commands, spoken

__all__ = ["commands"]

GENERATED = frozenset({"json.md", "socket.md"})  # written from the program; tests/cli/test_answers.py and tests/server hold them to it
PAGES = {path.name: path.read_text("utf-8") for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))}
HAND_WRITTEN = {name: text for name, text in PAGES.items() if name not in GENERATED}
NOT_RUN = {  # the first words of a line -> why no test types it
    "make": "installs packages, or runs the tests themselves",
    "pip install": "installs packages",
    "python -m benchmarks": "takes minutes; tests/house/test_benchmarks.py runs each with small sizes",
    "systemctl": "needs systemd; tests/systemd",
    "loginctl": "needs systemd; tests/systemd",
    "sudo": "changes the machine; tests/ops/test_units.py",
    "ethos mcp --http": "serves until it is ended; tests/server/test_http.py",
    "cd": "changes the folder of a shell",
    "ethos --install-completion": "writes to the shell's own configuration",
    "ethos --show-completion": "prints for the shell that it finds around it",
    "ethos inbox --edit": "waits for an editor; tests/inbox/test_inbox_editors.py",
}
EXIT_CODES = {"inbox": {0, 3}, "doctor": {0, 1, 3}, "service": {0, 1}, "status": {0}}
EXIT_CODES |= {"retire": {0, 2}, "correct": {0, 2}}  # a line above it may have retired the fact already


class Block(NamedTuple):
    """A fenced block: the page it stands on, its language, its text."""

    page: str
    language: str
    text: str


def blocks(*languages: str) -> list[Block]:
    """Return the fenced blocks in these languages."""
    found = [
        Block(name, language, text)
        for name, page in HAND_WRITTEN.items()
        for language, text in re.findall(r"^ *```(\w+)\n(.*?)^ *```$", page, re.MULTILINE | re.DOTALL)
    ]
    return [block for block in found if block.language in languages]


def lines(page: str) -> list[str]:
    """Return the lines to type on a page, without comments."""
    typed = [line for block in blocks("sh") if block.page == page for line in block.text.splitlines()]
    return [line for line in (re.sub(r"\s+# .*$", "", line).strip() for line in typed) if line and not line.startswith("#")]


def reason(line: str) -> str:
    """Return why no test types this line; "" for one that is executed."""
    return next((why for words, why in NOT_RUN.items() if line == words or line.startswith(f"{words} ")), "")


TYPED = {page: [line for line in lines(page) if not reason(line)] for page in HAND_WRITTEN}


class Person:
    """Somebody with a small memory who types lines."""

    def __init__(self, commands: Commands) -> None:
        """Capture a conversation with a conflict, and put the files there that the pages name."""
        self._commands = commands
        (commands.home / ".claude" / "projects").mkdir(parents=True)
        commands.write(".claude/projects/talk.jsonl", TALK)
        commands.write("talk.jsonl", TALK + QUARREL + spoken("e1", "We use uv. I live at Elm Street 4.", day=5))
        commands("capture", "talk.jsonl")
        commands("consolidate")
        learned = ("--description", "flaky tests", "--content", "Freeze time", "--outcome", "success", "--json")
        self._ids: dict[str, str] = {
            "f-...": commands("facts", "--json").data["facts"][0]["id"],
            "e-...": commands("recall", "uv", "--json").data["hits"][0]["episode"],
            "c-...": commands("inbox", "--json").data["questions"][0]["id"],
            "r-...": commands("diff", "--json").data["run"]["id"],
            "m-...": commands("memory", "record", "Pin the clock", *learned).data["id"],
        }

    def types(self, line: str) -> Iterator[Ran]:
        """Yield what each command of a line gives: `A && B`, and `echo TEXT | A`."""
        for part in line.split(" && "):
            text, command = "", part
            if (piped := re.fullmatch(r"echo '(.*)' \| (.*)", part)) is not None:
                text, command = piped.groups()
            words = [self._filled(word) for word in shlex.split(command)]
            assert words[0] == "ethos", f"a line that is neither executed nor in NOT_RUN: {line}"
            yield self._commands(*words[1:], stdin=text.encode())

    def _filled(self, word: str) -> str:
        return self._ids.get(word, re.sub("^~", str(self._commands.home), word))


@pytest.mark.parametrize("page", sorted(page for page, typed in TYPED.items() if typed))
def test_every_command_of_a_page_works_as_typed(commands: Commands, page: str) -> None:
    """Each line in its order, by somebody with a small memory."""
    person = Person(commands)
    for line in TYPED[page]:
        for done in person.types(line):
            assert done.code in EXIT_CODES.get(line.split()[1], {0}), (line, done)


def test_every_line_that_is_not_executed_has_a_reason() -> None:
    """A reason that no line needs is taken out again."""
    skipped = {words for words in NOT_RUN for page in HAND_WRITTEN for line in lines(page) if line == words or line.startswith(f"{words} ")}
    assert skipped == set(NOT_RUN)


def test_the_first_walk_works_for_somebody_with_nothing(commands: Commands) -> None:
    """The first lines of the README, in an empty home with one transcript of Claude Code."""
    (commands.home / ".claude" / "projects").mkdir(parents=True)
    commands.write(".claude/projects/talk.jsonl", TALK)
    walk = TYPED["README.md"][:3]
    assert [line.split()[1] for line in walk] == ["capture", "consolidate", "facts"]
    for line in walk:
        words = [word.replace("~", str(commands.home)) for word in shlex.split(line)[1:]]
        done = commands(*words)
        assert (done.code, bool(done.out)) == (0, True), (words, done)
    assert "Postgres" in commands("facts").out


def test_a_fact_is_corrected_as_the_readme_says(commands: Commands) -> None:
    """The line that is shown, as it stands: the new statement is current, the old one is history."""
    (line,) = re.findall(r"^ *echo '(.*)' \| ethos capture - && ethos consolidate$", PAGES["README.md"], re.MULTILINE)
    held = {"role": "user", "text": "We decided to use Postgres.", "project": "shop", "said_at": "2026-03-01T10:00:00Z"}
    for each in (json.dumps(held), line):
        assert commands("capture", "-", stdin=each.encode()).code == 0
        commands("consolidate")
    assert [fact["object"] for fact in commands("facts", "--json").data["facts"]] == ["SQLite"]
    assert "superseded" in commands("facts", "--history").out


@pytest.mark.parametrize("block", blocks("json"), ids=lambda block: block.page)
def test_every_json_block_works(commands: Commands, block: Block) -> None:
    """A request is one that the socket understands, an answer has an envelope, an episode line is captured."""
    for line in block.text.splitlines():
        data = json.loads(line)
        if "action" in data:
            assert isinstance(parse(line.encode()), Request), line
        elif "role" in data:
            assert json.loads(commands("capture", "-", "--json", stdin=line.encode()).out)["added"] == 1
        else:
            assert data["status"] in {"ok", "error"}, line


@pytest.mark.parametrize("block", blocks("toml"), ids=lambda block: block.page)
def test_every_toml_block_is_a_configuration_that_loads(commands: Commands, block: Block) -> None:
    """Each key is one that the program knows."""
    assert tomllib.loads(block.text)
    commands.write("my-rules.toml", 'schema = 1\npack = "mine"\nversion = "0.1.0"\n')
    commands.write("config.toml", '[ethos]\ndatabase = "e.db"\nstate = "state"\n' + block.text)
    done = commands("status", "--config", "config.toml")
    assert (done.code, done.err) == (0, "")


def named() -> dict[tuple[str, ...], set[str]]:
    """Return each command that a page names, with its subcommand if it is a group, and the options it is shown with."""
    found: dict[tuple[str, ...], set[str]] = {}
    spans = [span for page in HAND_WRITTEN.values() for span in re.findall(r"`([^`\n]+)`", page) if span.startswith("ethos ")]
    for span in [*spans, *(line for page in HAND_WRITTEN for line in lines(page) if line.startswith("ethos "))]:
        words = shlex.split(span, comments=True)[1:]
        if words[0].isalpha() and words[0].islower():
            command = tuple(word for word in words[: 2 if words[0] in menu.NESTED else 1] if word.isalpha())
            found.setdefault(command, set()).update(word for word in words if word.startswith("--"))
    return found


@pytest.mark.parametrize("command", sorted(named()), ids=" ".join)
def test_every_command_and_option_that_is_named_exists(commands: Commands, command: tuple[str, ...]) -> None:
    """Each is on the help page of its command."""
    page = commands(*command, "-h")
    assert page.code == 0
    assert {option for option in named()[command] if option not in page.out} == set()


DOCUMENTS = {path: path.read_text("utf-8") for path in (ROOT / "CONTRIBUTING.md", ROOT / "README.md", *(ROOT / "docs").glob("*.md"))}


@pytest.mark.parametrize("path", sorted(DOCUMENTS), ids=lambda path: path.name)
def test_every_link_leads_to_a_file_and_a_heading(path: Path) -> None:
    """Relative links only; a heading is found as GitHub names it."""
    for target in re.findall(r"\]\(([^)\s]+)\)", DOCUMENTS[path]):
        if target.startswith(("http://", "https://")):
            continue
        name, _, heading = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        assert file.exists(), f"{path.name}: {target}"
        if heading:
            titles = re.findall(r"^#+ (.*)$", file.read_text("utf-8"), re.MULTILINE)
            assert heading in {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}, f"{path.name}: {target}"


def test_every_file_that_contributing_names_exists() -> None:
    """Paths stand from the top of the repository, from `ethos/`, or beside the one before."""
    text = DOCUMENTS[ROOT / "CONTRIBUTING.md"]
    paths = re.findall(r"`([\w/]+(?:\.py|\.toml|\.md|/))`", text)
    assert len(paths) > 30
    beside = {path.name for path in (ROOT / "ethos").rglob("*.py")}
    assert {name for name in paths if not ((ROOT / name).exists() or (ROOT / "ethos" / name).exists() or name in beside)} == set()


def test_every_page_is_on_the_site() -> None:
    """The navigation of mkdocs.yml lists each page of docs/ once."""
    listed = re.findall(r"(\w+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(path.name for path in (ROOT / "docs").glob("*.md"))
