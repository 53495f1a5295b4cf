"""Real editors on the review file: what vim does to it, in both ways it saves."""

from __future__ import annotations

import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from ethos.core.ports.review_file import Decision
from ethos.edge.inbox import MarkdownInbox
from ethos.edge.inbox.file_version import look
from tests.support.asking import answered, entry

VIM = shutil.which("vim")
ASKED = entry()

pytestmark = pytest.mark.skipif(VIM is None, reason="vim is not installed")


def vim(path: Path, *commands: str) -> None:
    """Run vim on the file with these commands, no plugins, no start-up files."""
    arguments = [part for command in commands for part in ("-c", command)]
    subprocess.run([VIM or "", "-u", "NONE", "-i", "NONE", "-N", "-es", *arguments, str(path)], check=True, timeout=20)


@pytest.fixture
def file(tmp_path: Path) -> MarkdownInbox:
    """A file with one question."""
    inbox = MarkdownInbox(tmp_path / "inbox" / "memory-review.md", tmp_path / "state", 0.0)
    assert inbox.write([ASKED], {}).done
    return inbox


@pytest.mark.parametrize("way", ["yes", "no", "auto"])
@pytest.mark.parametrize("form", ["unix", "dos"])
def test_a_tick_in_vim_is_read_however_it_saves(file: MarkdownInbox, way: str, form: str) -> None:
    """backupcopy=yes writes in place, =no puts a new file in its place; the answer and the note arrive, the line ends stay."""
    vim(
        file.path,
        f"set backup backupcopy={way} fileformat={form}",
        "%s/- \\[ \\] keep-new/- [x] keep-new/",
        "%s/^note:$/note: from vim/",
        "wq",
    )
    assert file.due()
    assert file.read().decisions == (Decision(ASKED.question.id, "keep-new", "from vim"),)
    assert file.write([answered(ASKED, "keep-new", "from vim")], {}).done
    after = file.path.read_bytes()
    assert b"note: from vim" in after
    assert (b"\r\n" in after) is (form == "dos")


def test_a_file_that_is_open_in_vim_is_written_once_vim_is_closed(file: MarkdownInbox, tmp_path: Path) -> None:
    """The swap file tells; a save in between is read."""
    saved = tmp_path / "saved"  # vim makes it once the save before it is over
    commands = ("-c", "%s/- \\[ \\] keep-old/- [x] keep-old/", "-c", "w", "-c", f"w {saved}")
    editor = subprocess.Popen(
        [VIM or "", "-u", "NONE", "-i", "NONE", "-N", "-es", *commands, str(file.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while not file.read().decisions:  # also in the moment in which vim has emptied the file
            assert editor.poll() is None
        while not saved.exists():  # the answer is there before vim has set the mode of the file and its times
            assert editor.poll() is None
        decisions = file.read().decisions
        assert decisions == (Decision(ASKED.question.id, "keep-old", ""),)
        assert "open in an editor" in file.write([answered(ASKED, "keep-old")], {}).problem
    finally:
        editor.communicate(b"q\n", timeout=20)
    assert editor.returncode == 0
    assert file.due()
    assert file.write([answered(ASKED, "keep-old")], {}).done


def test_the_swap_file_of_a_killed_vim_names_itself(file: MarkdownInbox) -> None:
    """A crash leaves it behind; the problem says which file it is, and the file is written once it is ten minutes old."""
    editor = subprocess.Popen(
        [VIM or "", "-u", "NONE", "-i", "NONE", "-N", "-es", "-c", "normal ihalf", "-c", "preserve", str(file.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    swap = file.path.with_name(f".{file.path.name}.swp")
    try:
        while (found := look(swap)) is None or not found.st_size:  # Vim creates it, removes it, and creates it again
            assert editor.poll() is None
    finally:
        editor.send_signal(signal.SIGKILL)
        editor.communicate()
    assert swap.name in file.write([ASKED, entry(2)], {}).problem
