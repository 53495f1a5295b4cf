"""What holds in which project, and what a folder's project changes in an answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.commands import Commands, commands

__all__ = ["commands"]

SAID = (
    ("shop", "We decided to use Postgres as the database."),
    ("blog", "We decided to use SQLite as the database."),
    ("shop", "I prefer tabs over spaces."),
    ("shop", "I live in Lisbon."),
    ("shop", "Never commit generated files."),
    ("", "Always answer in English."),
)


@pytest.fixture
def told(commands: Commands) -> Commands:
    """Somebody with two projects, preferences, facts about themselves, and standing orders."""
    lines = [
        {"role": "user", "speaker": "Ada", "text": text, "said_at": f"2026-03-0{day}T10:00:00Z"} | ({"project": project} if project else {})
        for day, (project, text) in enumerate(SAID, 1)
    ]
    commands.write("talk.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    commands("capture", "talk.jsonl")
    commands("consolidate")
    return commands


def held(of: Commands, *words: str) -> dict[str, str]:
    """The objects that `ethos facts` lists, and where each holds; in order."""
    return {fact["object"]: fact["project"] for fact in of("facts", "--json", *words).data["facts"]}


def within(of: Commands, project: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go into a git repository of this name."""
    folder = of.home / "code" / project / "src"
    (folder.parent / ".git").mkdir(parents=True)
    folder.mkdir()
    monkeypatch.chdir(folder)


def test_fault_newcomer_what_belongs_to_the_person_holds_everywhere(told: Commands) -> None:
    """Preferences and what one tells of oneself belong to no project; decisions and orders to the one they were said in."""
    found = held(told)
    everywhere = {thing for thing, project in found.items() if project == ""}
    assert {"Lisbon", "tabs"} <= everywhere
    assert any("English" in thing for thing in everywhere), "an order that was said in no project"
    assert (found["Postgres"], found["SQLite"], found["generated files"]) == ("shop", "blog", "shop")


def test_fault_newcomer_a_project_does_not_hide_the_person(told: Commands) -> None:
    """`--project` lists that project and what holds everywhere, and an order of another project is not among it."""
    hits = told("recall", "database commit tabs Lisbon", "--facts", "--project", "blog", "--json").data["hits"]
    for command in (list(held(told, "--project", "blog")), [hit["text"] for hit in hits]):
        shown = " ".join(command)
        assert "SQLite" in shown
        assert "tabs" in shown
        assert "Lisbon" in shown
        assert "Postgres" not in shown
        assert "generated" not in shown


@pytest.mark.parametrize(("project", "first", "second"), [("shop", "Postgres", "SQLite"), ("blog", "SQLite", "Postgres")])
def test_fault_newcomer_the_project_of_the_folder_comes_first(
    told: Commands, monkeypatch: pytest.MonkeyPatch, project: str, first: str, second: str
) -> None:
    """In a repository, below its root: its own decision stands before the other's, in both commands, and nothing is hidden."""
    before = set(held(told))
    within(told, project, monkeypatch)
    listed = list(held(told))
    assert set(listed) == before
    assert listed.index(first) < listed.index(second)
    hits = [hit["text"] for hit in told("recall", "which database", "--facts", "--json").data["hits"]]
    assert [any(thing in text for text in hits) for thing in (first, second)] == [True, True]
    assert next(at for at, text in enumerate(hits) if first in text) < next(at for at, text in enumerate(hits) if second in text)


def test_fault_newcomer_projects_are_listed(told: Commands) -> None:
    """The one that was spoken in last stands first, and what holds everywhere last; the counts are those of `facts`."""
    found = told("projects", "--json").data["projects"]
    assert [each["project"] for each in found] == ["default", "shop", "blog", ""]
    assert [each["episodes"] for each in found] == [1, 4, 1, 0]
    counts = held(told).values()
    assert {each["project"]: each["facts"] for each in found if each["facts"]} == {name: list(counts).count(name) for name in counts}
    lines = told("projects").out.splitlines()
    assert lines[-1].startswith("(everywhere)")
    assert "nothing is held yet" in told("--config", _empty(told.home), "projects").out


def _empty(home: Path) -> str:
    """A configuration of a memory in which nothing is."""
    folder = home / "empty"
    folder.mkdir()
    (folder / "config.toml").write_text("[ethos]\n", "utf-8")
    return str(folder / "config.toml")


def test_fault_newcomer_a_profile_is_that_of_the_project(told: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a repository, or with `--project`: its decisions and what holds everywhere; outside, or with `--everywhere`: all."""
    assert {"Postgres", "SQLite"} <= set(_told(told))
    within(told, "shop", monkeypatch)
    here = _told(told)
    assert {"Postgres", "tabs", "Lisbon"} <= set(here)
    assert "SQLite" not in here
    assert {"Postgres", "SQLite"} <= set(_told(told, "--everywhere"))
    assert "Postgres" not in _told(told, "--project", "blog")
    assert told("profile", "--everywhere", "--project", "blog").code == 2
    assert told("profile").out.startswith("project shop; --everywhere shows all")


def test_a_profile_of_all_projects_names_the_project_of_a_line(told: Commands) -> None:
    """In words, in JSON and in the block of a file; what holds everywhere names none, nor does a profile of one project."""
    lines = told("profile").out.splitlines()
    assert any("Postgres" in line and "[project shop]" in line for line in lines)
    assert any("SQLite" in line and "[project blog]" in line for line in lines)
    assert not any("Lisbon" in line and "[project" in line for line in lines)
    data = told("profile", "--json").data
    assert {line["project"] for line in data["lines"] if "Postgres" in line["text"]} == {"shop"}
    assert "(project shop)" in data["markdown"]
    assert "[project" not in told("profile", "--project", "shop").out


@pytest.mark.parametrize("command", [("facts",), ("recall", "Lisbon"), ("recall", "Lisbon", "--by", "session"), ("profile",)])
def test_a_project_in_which_nothing_was_said_is_named_as_unknown(told: Commands, command: tuple[str, ...]) -> None:
    """What holds everywhere is shown below; a project that has only turns is known, and so is one that has facts."""
    line = 'no project is called "shpo" -> ethos projects'
    lines = told(*command, "--project", "shpo").out.splitlines()
    assert lines[0] == line
    assert any("Lisbon" in each for each in lines[1:])
    assert told(*command, "--project", "shpo", "--json").data["unknown_project"] == "shpo"
    told("capture", "-", stdin=json.dumps({"role": "user", "text": "Lunch was late.", "project": "lunch"}).encode())
    for known in ("shop", "lunch", "default"):
        assert line.partition('"')[0] not in told(*command, "--project", known).out
        assert not told(*command, "--project", known, "--json").data.get("unknown_project")


def test_a_project_in_which_nothing_was_said_and_nothing_found(told: Commands) -> None:
    """The project is named where nothing matches, too."""
    assert told("recall", "xylophone", "--project", "shpo").out.splitlines()[1] == 'no project is called "shpo" -> ethos projects'
    assert told("facts", "--kind", "decision", "--project", "shpo").out.splitlines() == [
        'no project is called "shpo" -> ethos projects',
        "no facts match",
    ]


def test_fault_newcomer_a_block_is_that_of_the_files_project(told: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of the file counts, not the one that it is typed in."""
    within(told, "shop", monkeypatch)
    within(told, "blog", monkeypatch)
    file = told.home / "code" / "shop" / "CLAUDE.md"
    assert told("profile", "--write", file).code == 0
    assert "Postgres" in file.read_text("utf-8")
    assert "SQLite" not in file.read_text("utf-8")


def _told(of: Commands, *words: str) -> list[str]:
    """The words of a profile."""
    return [word for line in of("profile", "--json", *words).data["lines"] for word in line["text"].replace(";", "").split()]


def test_fault_newcomer_what_is_said_of_ones_family_holds_everywhere(commands: Commands) -> None:
    """A sister and a dog belong to the person; what runs on a server belongs to the project."""
    text = "My sister lives in Berlin. My dog is called Rex. Our staging server runs on port 8080."
    commands("capture", "-", stdin=json.dumps({"role": "user", "speaker": "Ada", "text": text, "project": "shop"}).encode())
    commands("consolidate")
    found = held(commands)
    assert (found["Berlin"], found["Rex"]) == ("", "")
    assert set(found.values()) == {"", "shop"}


def test_a_sentence_that_two_rules_split_otherwise_is_one_fact(commands: Commands) -> None:
    """One reads "only" and "look at issues ...", the other "only look at" and "issues ..."."""
    text = "I only look at issues on weekends."
    commands("capture", "-", stdin=json.dumps({"role": "user", "speaker": "Ada", "text": text}).encode())
    commands("consolidate")
    assert len(held(commands)) == 1
