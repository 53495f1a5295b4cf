"""Whose the files are: what others could replace is not opened, what others could read is said."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ethos.core.model.errors import Refused
from ethos.core.model.settings import Settings
from ethos.edge import wiring
from ethos.edge.config import loading, paths
from ethos.edge.rulebook import load
from tests.support import proven
from tests.support.commands import TALK, Commands, commands
from tests.support.daemons import Daemon

__all__ = ["commands"]

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root to give files away")


def opened(settings: Settings) -> None:
    """Open a memory and close it."""
    wiring.build(settings, proven.book()).close()


def refusal(settings: Settings) -> str:
    """Why a memory is not opened, and what to do about it."""
    with pytest.raises(Refused) as refused:
        opened(settings)
    assert refused.value.problem.hint
    return f"{refused.value.problem.what} -> {refused.value.problem.hint}"


@pytest.fixture
def apart(settings: Settings, tmp_path: Path) -> Settings:
    """A database in a folder of its own."""
    return replace(settings, ethos=replace(settings.ethos, database=str(tmp_path / "kept" / "ethos.db")))


def test_everything_that_is_made_is_for_its_user_alone(commands: Commands) -> None:
    """Folders 0700, files 0600: store, log, locks, cursors, rules, inbox; whatever the umask of who typed."""
    commands.write("talk.jsonl", TALK)
    commands("capture", "talk.jsonl")
    commands("consolidate")
    for top in (".local/share/ethos", ".local/state/ethos"):
        made = [commands.home / top, *(commands.home / top).rglob("*")]
        assert len(made) > 3
        wrong = {str(each): oct(mode) for each in made if (mode := stat.S_IMODE(each.stat().st_mode)) & 0o077}
        assert not {path: mode for path, mode in wrong.items() if "/rules" not in path}  # seeded by the tests themselves


@pytest.mark.parametrize("which", ["folder", "state", "database"])
def test_a_memory_that_anybody_could_replace_is_not_opened(apart: Settings, which: str) -> None:
    """World-writable: whoever swaps the file decides what is remembered."""
    opened(apart)
    path = {"folder": Path(apart.ethos.database).parent, "state": Path(apart.ethos.state), "database": Path(apart.ethos.database)}[which]
    path.mkdir(exist_ok=True) if which == "state" else None
    path.chmod(0o777)
    assert f"can be written by others, who could replace your memory -> chmod o-w {path}" in refusal(apart)
    path.chmod(0o770)  # a group is common and fine
    opened(apart)


@as_root
@pytest.mark.parametrize("suffix", ["", "-wal"])
def test_a_memory_of_another_user_is_not_opened(apart: Settings, suffix: str) -> None:
    """Nor one whose write-ahead log another user put there."""
    opened(apart)
    theirs = Path(apart.ethos.database + suffix)
    theirs.touch()
    os.chown(theirs, 65534, 65534)
    assert "belongs to another user" in refusal(apart)


def test_a_daemon_says_at_its_start_what_others_may_read(tmp_path: Path) -> None:
    """And works all the same: the person may have meant it."""
    daemon = Daemon(tmp_path)
    (tmp_path / "state").chmod(0o755)
    daemon.start()
    daemon.stop()
    assert daemon.logged("Others may read the state folder (mode 755)")


@as_root
def test_a_rule_file_of_another_user_is_refused(tmp_path: Path) -> None:
    """As is one that anybody can write, and one that is no file at all and would never end."""
    text = 'schema = 1\npack = "mine"\nversion = "1"\n'
    for name in ("theirs", "open"):
        (tmp_path / f"{name}.toml").write_text(text, "utf-8")
    os.chown(tmp_path / "theirs.toml", 65534, 65534)
    (tmp_path / "open.toml").chmod(0o666)
    os.mkfifo(tmp_path / "pipe.toml")
    told = {Path(problem.path).stem: problem.what for problem in load([tmp_path]).problems}
    assert told == {
        "theirs": "this file belongs to another user",
        "open": "anybody on this machine can write this file",
        "pipe": "not a file",
    }


# -- a configuration that was only found


@pytest.fixture
def found(tmp_path: Path) -> Callable[[str], Settings]:
    """Settings of a config.toml that stands in the working directory."""

    def load_here(text: str) -> Settings:
        (tmp_path / "project").mkdir(exist_ok=True)
        (tmp_path / "project" / "config.toml").write_text(f"[ethos]\n{text}", "utf-8")
        return loading.load(env={"HOME": str(tmp_path / "home")}, cwd=tmp_path / "project").settings

    return load_here


@pytest.mark.parametrize(
    "text",
    [
        'database = "../stolen.db"',
        'database = "~/.bashrc"',
        'state = "/etc"',
        '[conflict_resolution]\nreview_inbox = "link/notes.md"',
        '[socket]\npath = "/tmp/ethos.sock"',
    ],
)
def test_a_configuration_that_was_only_found_leads_nowhere_else(found: Callable[[str], Settings], tmp_path: Path, text: str) -> None:
    """It may have come with a cloned repository. Named by the person, the same file may lead where it likes."""
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "link").symlink_to(tmp_path)
    with pytest.raises(Refused, match="is a path outside the folder") as refused:
        found(text)
    file = tmp_path / "project" / "config.toml"
    assert refused.value.problem.where.startswith(f"{file}:")
    assert f"--config {file}" in refused.value.problem.hint
    assert loading.load(file, env={"HOME": str(tmp_path / "home")}).file == file


def test_a_configuration_that_was_found_may_use_its_own_folder_and_those_of_ethos(found: Callable[[str], Settings]) -> None:
    """And read transcripts and rules wherever they are."""
    made = found('database = "data/ethos.db"\nstate = "~/.local/state/ethos/here"\n[capture]\nfollow = ["~/.claude/projects"]\n')
    assert made.capture.follow


def test_a_configuration_that_others_may_have_written_does_not_count_by_being_found(tmp_path: Path) -> None:
    """Neither for the full command line nor for the hot one."""
    file = tmp_path / "config.toml"
    file.write_text("[ethos]\n", "utf-8")
    assert paths.quick_socket(None, {"HOME": str(tmp_path)}, str(tmp_path))
    file.chmod(0o666)
    with pytest.raises(Refused, match="could be somebody else's"):
        loading.load(env={"HOME": str(tmp_path)}, cwd=tmp_path)
    assert paths.quick_socket(None, {"HOME": str(tmp_path)}, str(tmp_path)) is None
    assert loading.load(file, env={"HOME": str(tmp_path)}).file == file


def test_a_socket_in_the_folder_of_a_configuration_that_lies_here_is_found_at_once(tmp_path: Path) -> None:
    """One anywhere else is the loader's to judge, which refuses it."""
    env = {"HOME": str(tmp_path)}
    for written, found in (("ethos.sock", f"{tmp_path}/ethos.sock"), ("../ethos.sock", None), ("/run/ethos.sock", None)):
        (tmp_path / "config.toml").write_text(f'[ethos]\n[socket]\npath = "{written}"\n', "utf-8")
        assert paths.quick_socket(None, env, str(tmp_path)) == found
