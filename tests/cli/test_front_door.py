"""The front door: what a command imports, what it says when it cannot go on, and that a daemon makes no difference to an answer."""

from __future__ import annotations

import os
import pty
import re
import shutil
import signal
import subprocess
import sys
from ast import literal_eval
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest

from ethos import __version__
from ethos.edge.api.actions import ACTIONS, MODULES
from ethos.edge.cli import fast_path, main, menu
from ethos.edge.files import locks
from tests.support.commands import ROOT, TALK, Commands, commands, daemon, environment, served, spawn
from tests.support.daemons import PATIENCE

__all__ = ["commands", "served"]

HEAVY = {"sqlalchemy", "sqlmodel", "numpy", "pydantic", "typer", "rich", "structlog", "apscheduler", "alembic", "psutil"}
MIDDLING = {"re", "json", "collections", "socket", "dataclasses", "pathlib", "typing", "enum", "tomllib", "regex", "inspect"}


def imported(home: Path, *words: str) -> set[str]:
    """What a command imports that starting Python does not."""

    def modules(*command: str) -> set[str]:
        done = subprocess.run(
            [sys.executable, "-X", "importtime", *command], cwd=home, env=environment(home), capture_output=True, check=True
        )
        return set(re.findall(r"^import time:\s+\d+ \|\s+\d+ \|\s+([\w.]+)$", done.stderr.decode(), re.MULTILINE))

    return modules("-c", "import sys, runpy; sys.argv[1:] = " + repr(list(words)) + "; from ethos.__main__ import main; main()") - modules(
        "-c", "import sys, runpy"
    )


@pytest.mark.parametrize(
    "words",
    [
        ("status",),
        ("status", "--json"),
        ("recall", "postgres", "billing", "--limit", "2"),
        ("recall", "postgres", "--json"),
        ("capture", "talk.jsonl"),
        ("--help",),
        ("--version",),
    ],
    ids=" ".join,
)
def test_hot_commands_import_next_to_nothing(served: Path, words: tuple[str, ...]) -> None:
    """An agent calls them at every turn: no library of ours is loaded, and of Python's own only what is there anyway."""
    found = {name.partition(".")[0] for name in imported(served, *words)}
    assert not found & HEAVY
    assert not found & MIDDLING


def test_the_mcp_server_starts_without_its_library(served: Path) -> None:
    """An agent waits for it: importing the library, or the memory itself, takes many times as long as all that the first answer needs."""
    found = imported(served, "mcp")
    assert "ethos.edge.client.mcp.stdio" in found
    assert not {name.partition(".")[0] for name in found} & (HEAVY | {"mcp", "mcp_types", "anyio", "asyncio"})
    assert not found & {"ethos.app", "ethos.engine", "ethos.store", "ethos.edge.api.actions"}


def test_the_daemon_stays_without_what_only_commands_need(tmp_path: Path) -> None:
    """Started on a memory that is there, it never imports the command line, tables, or the tools of migrations: they would stay."""
    assert spawn(tmp_path, "status").code == 0
    env = environment(tmp_path, PYTHONPROFILEIMPORTTIME="1")
    with daemon(tmp_path, **env):
        assert spawn(tmp_path, "status").code == 0
    found = set(re.findall(r"\| +([a-z_]+)\.", (tmp_path / "daemon.log").read_text()))  # packages of which more than the name was sought
    assert "apscheduler" in found
    assert not found & {"typer", "rich", "numpy", "alembic"}


def test_a_text_that_needs_it_loads_the_pattern_engine(served: Path) -> None:
    """What is hostile is made harmless even on the hot path; it is the only thing loaded for it."""
    line = '{"id": "h1", "role": "user", "text": "the zebra \\u001b[2J crossed \\u202e the road"}\n'
    assert spawn(served, "capture", "-", stdin=line.encode()).code == 0
    done = spawn(served, "recall", "zebra", "--limit", "1")
    assert "zebra crossed the road" in done.out.replace("  ", " ")
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out
    found = {name.partition(".")[0] for name in imported(served, "recall", "zebra", "--limit", "1")}
    assert "regex" in found
    assert not found & HEAVY


def test_a_daemon_makes_no_difference_to_an_answer(
    served: Path, tmp_path: Path, commands: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same memory, once through the daemon and once in the command's own process (the daemon's lock and socket hidden from it)."""
    asked = ["facts --json", "facts", "recall postgres --json", "recall postgres", "inbox --json", "why t1 --json", "why none --json"]
    through = [spawn(served, *words.split()) for words in asked]
    monkeypatch.setenv("HOME", str(served))
    monkeypatch.setenv("ETHOS_ETHOS__STATE", str(tmp_path))
    monkeypatch.setenv("ETHOS_SOCKET__PATH", str(tmp_path / "none.sock"))
    for words, there in zip(asked, through, strict=True):
        here = commands(*words.split())
        assert (here.code, here.err) == (there.code, there.err)
        assert _still(here.out) == _still(there.out)


def _still(out: str) -> str:
    return re.sub(r'"salience": [\d.]+', "", out)  # it fades by the second


def test_status_tells_whether_a_daemon_runs(served: Path, tmp_path: Path) -> None:
    """And what it is doing, and that no model is ever called."""
    through = spawn(served, "status")
    assert re.search(r"daemon +process \d+ since ", through.out)
    assert re.search(r"model calls +0", through.out)
    alone = spawn(served, "status", ETHOS_ETHOS__STATE=str(tmp_path), ETHOS_SOCKET__PATH=str(tmp_path / "none.sock"))
    assert re.search(r"daemon +not running -> ethos run", alone.out)


def test_standard_input_goes_through_the_daemon_and_is_spooled_nowhere(served: Path) -> None:
    """Lines with a time add nothing when they come again; lines without one are said again."""
    lines = b'{"role": "user", "text": "I like the sea.", "said_at": "2026-03-01"}\n{"role": "user", "text": "And the hills."}'
    first, again = (spawn(served, "capture", "-", "--json", stdin=lines).data for _ in range(2))
    assert (first["added"], first["known"]) == (2, 0)
    assert (again["added"], again["known"]) == (1, 1)
    here = spawn(served, "capture", "-", "--json", stdin=lines, ETHOS_SOCKET__PATH=str(served / "none.sock"))
    assert here.code == 1  # the daemon has the lock, and this command cannot reach it
    assert not (served / ".local/state/ethos/spool").exists()
    bad = spawn(served, "capture", "-", stdin=b'{"role": "user"')
    assert bad.code == 1
    assert "standard input:1: " in bad.out


def test_help_and_version_are_there_at_once(tmp_path: Path) -> None:
    """Without arguments there is help; every command stands in it."""
    assert spawn(tmp_path, "--version").out == f"ethos {__version__}\n"
    pages = {spawn(tmp_path, *words).out for words in ((), ("--help",), ("-h",), ("help",))}
    assert len(pages) == 1
    page = pages.pop()
    assert all(re.search(rf"^  {name} ", page, re.MULTILINE) for name in menu.SUMMARIES)
    assert spawn(tmp_path, "recall", "-h").out == spawn(tmp_path, "recall", "--help").out


def test_the_menu_is_what_there_is(commands: Commands) -> None:
    """The page that is shown without typer names typer's own commands, and hot commands know no option that typer does not."""
    app = main.program()
    declared = {command.name or command.callback.__name__: command for command in app.registered_commands if command.callback}
    assert set(declared) | {group.name for group in app.registered_groups} == set(menu.SUMMARIES)
    for name, (valued, flags) in fast_path.OPTIONS.items():
        page = commands(name, "--help").out
        assert {option for option in valued if not re.search(rf"{option} [A-Z]", page)} == set()
        assert {flag for flag in flags if flag not in page} == set()


def test_the_help_of_a_command_names_no_python_types(commands: Commands) -> None:
    """Of a plain command and of one in a group; choices are listed."""
    for words, argument in ((("capture",), "PATH"), (("recall",), "QUERY"), (("memory", "search"), "WORDS"), (("rules", "test"), "PACK")):
        shown = commands(*words, "--help").out
        assert f"\n  {argument}  " in shown, words
        assert "<list" not in shown
        assert "<str>" not in shown
    assert "<ids|short|full>" in commands("recall", "--help").out
    assert "<keep-old|" in commands("answer", "--help").out


def test_the_headings_of_the_menu_are_the_modules_of_the_commands() -> None:
    """A command stands in the module of its heading, or in one of its own name, and what the socket takes for it likewise.

    What is asked about the facts that are held has a module of its own, `held`.
    """
    for title, group in menu.GROUPS:
        heading = title.lower().split()[-1]
        names = [name for name, _ in group if name not in menu.NESTED]
        for name in names:
            assert main.commands()[name].__module__.rpartition(".")[2] in {heading, name}
            assert name not in ACTIONS or ACTIONS[name].takes.__module__.rpartition(".")[2] in {heading, name, "held"}


def test_every_action_stands_in_the_module_that_the_registry_names() -> None:
    """A module of actions is imported when one of them is asked for."""
    modules = {module: import_module(f"ethos.edge.api.actions.{module}") for module in set(MODULES.values())}
    assert {name: module for module, loaded in modules.items() for name in loaded.ACTIONS} == dict(MODULES)


def test_a_command_without_a_daemon_imports_the_actions_of_one_module(commands: Commands) -> None:
    """`ethos facts` needs no actions that bring in or decide."""
    loaded = "print({name.rpartition('.')[2] for name in sys.modules if name.startswith('ethos.edge.api.actions.')})"
    program = f"import sys; sys.argv[1:] = ['facts']; from ethos.__main__ import main; main(); {loaded}"
    done = subprocess.run([sys.executable, "-c", program], env=environment(commands.home), capture_output=True, text=True, check=True)
    assert literal_eval(done.stdout.splitlines()[-1]) & set(MODULES.values()) == {"held"}


def test_what_every_command_takes_may_stand_before_it() -> None:
    """`ethos --config F -q status` is `ethos status --config F -q`; a command of a group keeps its place."""
    assert menu.in_order(["--config", "f", "-q", "status", "--json"]) == ["status", "--config", "f", "-q", "--json"]
    assert menu.in_order(["-v", "rules", "check", "x"]) == ["rules", "check", "-v", "x"]
    assert menu.in_order(["status"]) == ["status"]
    assert menu.in_order(["--nope"]) == ["--nope"]


@pytest.mark.parametrize(
    ("words", "parsed"),
    [
        (["--json"], ([], {"--json": "yes"})),
        (["which", "editor", "--limit", "3"], (["which", "editor"], {"--limit": "3"})),
        (["--limit=3", "x", "-q"], (["x"], {"--limit": "3", "--quiet": "yes"})),
        (["--", "--json"], (["--json"], {})),
        (["x", "--limit"], None),
        (["x", "--limit="], None),
        (["x", "--json=1"], None),
        (["x", "--batch", "f"], None),
        (["-v", "x"], None),
    ],
)
def test_what_is_not_plain_is_left_to_the_full_command_line(words: list[str], parsed: object) -> None:
    """The quick parser knows little, and knows it."""
    assert fast_path.parse("recall", words) == parsed


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("frob",), 2, "no such command 'frob'"),
        (("rules", "frob"), 2, "no such command 'frob'"),
        (("--frob",), 2, "no such option: --frob"),
        (("recall",), 2, "recall takes either words, --narrative ID or --batch FILE"),
        (("recall", "x", "--batch", "f"), 2, "recall takes either words, --narrative ID or --batch FILE"),
        (("recall", "x", "--limit", "many"), 2, "--limit"),
        (("capture",), 2, "missing argument"),
        (("facts", "--kind", "mood"), 2, "'mood' is not one of 'decision', 'preference', 'fact', 'negation'"),
        (("answer", "c-0", "maybe"), 2, "'maybe' is not one of 'keep-old', 'keep-new', 'keep-both'"),
        (("facts", "--as-of", "soon"), 2, "--as-of"),
        (("why", "f-0"), 1, "nothing has the id f-0"),
        (("answer", "c-0", "keep-old"), 1, "no question has the id c-0"),
        (("status", "--config", "none.toml"), 1, "none.toml: --config names a file that is not there"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_mistake_is_said_in_a_line_with_what_to_type_next(commands: Commands, words: tuple[str, ...], code: int, said: str) -> None:
    """One line on standard error, a second that begins with an arrow, the exit code, and nothing on standard output."""
    done = commands(*words)
    assert done.code == code
    assert done.out == ""
    first, second = done.err.splitlines()
    assert first.startswith("ethos: ")
    assert said in first
    assert second.startswith("  -> ")
    assert "send {" not in second


def test_with_json_an_error_is_json_too(commands: Commands) -> None:
    """A program that reads standard output always finds JSON there; the words stand on standard error as ever."""
    done = commands("why", "f-0", "--json")
    assert done.code == 1
    assert done.data["error"] == {
        "code": "not-found",
        "message": "nothing has the id f-0",
        "hint": "find ids in `ethos facts`, `ethos inbox`, `ethos recall`, `ethos report`, `ethos memory search`",
        "where": "",
    }
    assert done.err.startswith("ethos: nothing has the id f-0\n")


def test_a_daemon_that_cannot_be_reached_is_a_fault(commands: Commands) -> None:
    """The lock is held and nothing answers: no command works beside it, and it says which process that is."""
    with locks.hold(commands.home / ".local/state/ethos", locks.DAEMON, "busy"):
        done = commands("facts")
    assert done.code == 1
    assert f"a daemon works on this memory (process {os.getpid()}), but does not answer" in done.err
    assert commands("facts").code == 0  # the lock is free again, and the file is still there


def test_asking_who_holds_a_lock_does_not_take_it(tmp_path: Path) -> None:
    """Nobody; somebody; nobody again, although the file and a process id in it are left behind."""
    assert locks.holder(tmp_path, locks.DAEMON) is None
    with locks.hold(tmp_path, locks.DAEMON, "busy"):
        assert locks.holder(tmp_path, locks.DAEMON) == str(os.getpid())
    assert locks.holder(tmp_path, locks.DAEMON) is None
    (tmp_path / locks.DAEMON).write_text("4194304999\n")
    assert locks.holder(tmp_path, locks.DAEMON) is None


def test_a_bug_is_shown_as_one(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """Something nobody foresaw: one line, and with -v the whole way there."""

    def broken(*_: object, **__: object) -> None:
        raise ValueError("seven is not a colour")

    monkeypatch.setattr(fast_path, "print_answer", broken)
    quiet, loud = commands("status"), commands("status", "-v")
    assert (quiet.code, loud.code) == (1, 1)
    assert "a bug in Ethos" in quiet.err
    assert "ValueError: seven is not a colour" in quiet.err
    assert "Traceback" not in quiet.err
    assert "Traceback" in loud.err
    assert commands("status", "--json").data["error"]["code"] == "bug"


def test_ctrl_c_ends_a_command_quietly(tmp_path: Path) -> None:
    """Interrupted while it waits for standard input: exit code 130, no traceback."""
    command = [sys.executable, "-m", "ethos", "extract", "-"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment(tmp_path), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"id": "1", "role": "user", "text": "We decided to use Go."}\n' * 2)
        process.stdin.flush()
        assert b'"object": "Go"' in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert err == b""


def test_a_cycle_shows_on_a_terminal_how_far_it_is(tmp_path: Path) -> None:
    """On standard error, and gone when it is over; where nobody looks there is nothing."""
    (tmp_path / "talk.jsonl").write_text(TALK, "utf-8")
    assert spawn(tmp_path, "capture", "talk.jsonl").err == ""
    screen, terminal = pty.openpty()
    command, env = [sys.executable, "-m", "ethos", "consolidate"], environment(tmp_path, ETHOS_CONSOLIDATION__BATCH_SIZE="2", TERM="xterm")
    done = subprocess.run(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=terminal, check=True)
    os.close(terminal)
    drawn = b""
    with suppress(OSError):  # the other end is closed
        while piece := os.read(screen, 9999):
            drawn += piece
    os.close(screen)
    told = drawn.decode()
    assert "about 2 episodes read; Ctrl-C stops" in told
    assert told.endswith("\r\x1b[K")
    assert done.stdout.startswith(b"4 read, 2 gave facts: ")
    assert spawn(tmp_path, "consolidate").err == ""


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_run_ends_quietly_on_ctrl_c(tmp_path: Path) -> None:
    """In a terminal, where Ctrl-C goes to make and all that it started: nobody complains that it was interrupted."""
    for name in ("Makefile", "requirements.lock", "pyproject.toml"):
        shutil.copy2(ROOT / name, tmp_path)
    (tmp_path / "samples").mkdir()
    (tmp_path / "samples" / "first-run.sh").write_text("trap 'echo ended; exit 0' INT; echo begun; while :; do sleep 0.1; done\n")
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / ".ready").touch()
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.execvp("make", ["make", "run"])  # noqa: S606 (in the terminal that was just made)
    told = b""
    with os.fdopen(terminal, "r+b", buffering=0) as screen:
        while b"ended" not in told:
            told += screen.read(1024)
            if b"begun" in told and b"^C" not in told:
                screen.write(b"\x03")
        with suppress(OSError):  # the terminal is gone with the last process in it
            while more := screen.read(1024):
                told += more
    os.waitpid(pid, 0)
    assert b"Interrupt" not in told, told


def test_a_reader_that_has_enough_ends_a_command_quietly(tmp_path: Path) -> None:
    """`ethos extract | head -1`: no complaint about the pipe."""
    lines = b'{"id": "1", "role": "user", "text": "We decided to use Go."}\n' * 2_000
    (tmp_path / "many.jsonl").write_bytes(lines)
    script = f"'{sys.executable}' -m ethos extract many.jsonl | head -1"
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, env=environment(tmp_path), capture_output=True, check=False)
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """A full disk behind `>`: exit code 1, and the system's own word for it."""
    for words in (["--help"], ["facts"]):
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                [sys.executable, "-m", "ethos", *words],
                cwd=tmp_path,
                env=environment(tmp_path),
                stdout=full,
                stderr=subprocess.PIPE,
                check=False,
            )
        assert done.returncode == 1
        assert b"the system says: No space left on device" in done.stderr


def test_closed_streams_harm_nothing(tmp_path: Path) -> None:
    """Standard input and output closed, as under some supervisors."""
    script = f"'{sys.executable}' -m ethos facts <&- >&- && '{sys.executable}' -m ethos --version >&-"
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, env=environment(tmp_path), capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_any_encoding_will_do(tmp_path: Path) -> None:
    """A terminal that has no umlauts gets escapes, not a crash."""
    line = '{"id": "1", "role": "user", "speaker": "Zoë", "text": "We decided to use Käse."}\n'
    assert spawn(tmp_path, "capture", "-", stdin=line.encode()).code == 0
    done = spawn(tmp_path, "recall", "käse", PYTHONIOENCODING="ascii")
    assert done.code == 0
    assert "K\\xe4se" in done.out
