"""A person who saves while the daemon writes, thousands of times: no answer lost, none applied twice.

A real daemon is asked to settle all the time, so that it is always just reading, rendering or exchanging; a person ticks one box after
the other and saves, in each way in which editors save, without waiting for anything.
"""

from __future__ import annotations

import fcntl
import os
import random
import shutil
import signal
import struct
import subprocess
import termios
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ethos.core import review
from ethos.core.model.records import Action
from tests.support.asking import ACTIONS
from tests.support.daemons import PATIENCE, UNMEASURED, Daemon, until

Save = Callable[[Path, bytes, random.Random], None]

CONFIG = """
[consolidation]
interval_minutes = 600
[conflict_resolution]
review_inbox = "inbox/review.md"
[inbox]
settle_seconds = 0.01
"""
AT_ONCE = 20  # questions that are open at a time


def pause(chance: random.Random) -> None:
    """As long as a disk may take, or no time at all."""
    if chance.random() < 0.5:
        time.sleep(chance.random() * 0.004)


def in_place(path: Path, data: bytes, chance: random.Random) -> None:
    """nano, VS Code, `cat >`: the file is emptied and written."""
    cut = chance.randrange(len(data))
    with path.open("wb") as file:
        pause(chance)
        file.write(data[:cut])
        file.flush()
        pause(chance)
        file.write(data[cut:])


def by_rename(path: Path, data: bytes, chance: random.Random) -> None:
    """Most programs with a window: a new file takes the old one's name."""
    fresh = path.with_name(".saving")
    fresh.write_bytes(data)
    pause(chance)
    fresh.replace(path)


def by_backup(path: Path, data: bytes, chance: random.Random) -> None:
    """vim: the old file becomes the backup, for a moment there is none, then a new one is written and the backup removed."""
    backup = path.with_name(path.name + "~")
    path.rename(backup)
    pause(chance)
    path.write_bytes(data)
    pause(chance)
    backup.unlink()


@dataclass
class Race:
    """A daemon, and a person who knows what they ticked."""

    daemon: Daemon
    chance: random.Random
    ticked: dict[str, tuple[Action, tuple[str, ...]]] = field(default_factory=dict)  # by question: what, and the words written beside it
    asked: int = 0
    applied: int = 0

    @property
    def path(self) -> Path:
        """The review file."""
        return self.daemon.folder / "inbox" / "review.md"

    def ask(self, **request: Any) -> dict[str, Any]:
        """The data of an answer; asked again where a busy machine let a turn or a line take too long. All of it may be asked twice."""
        for _ in range(5):
            envelope = self.daemon.try_ask(**request)
            assert envelope is not None
            if envelope["status"] == "ok":
                return dict(envelope["data"])
            assert envelope["error"]["code"] in {"busy", "daemon"}, envelope
        raise AssertionError(envelope)

    def ask_more(self) -> None:
        """Two claims that do not go together, several times."""
        lines: list[dict[str, Any]] = []
        for number in range(self.asked, self.asked + AT_ONCE):
            name = "P" + "".join("abcdefghij"[int(digit)] for digit in f"{number:04}")
            for day, what in ((1, "Rust"), (2, "Python")):
                words = f"{name} prefers {what}."
                lines.append({"id": f"{name}-{day}", "text": words, "said_at": f"2026-05-0{day}T10:00:00Z", "session": f"s{day}"})
        self.asked += AT_ONCE
        file = self.daemon.tell(*lines, name=f"talk-{self.asked}.jsonl")
        self.ask(action="capture", paths=[str(file)])
        self.ask(action="consolidate")

    @contextmanager
    def settling(self) -> Iterator[None]:
        """The daemon is asked to settle, again and again."""
        done = threading.Event()

        def settle() -> None:
            while not done.is_set():
                self.applied += self.ask(action="settle")["applied"]

        thread = threading.Thread(target=settle)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    def open_boxes(self, text: str) -> list[str]:
        """Ids of entries with an empty box that were not ticked before."""
        ids = dict.fromkeys(line.rpartition("^")[2].strip() for line in text.splitlines() if line.startswith("- [ ] keep-old ^"))
        return [one for one in ids if one not in self.ticked]

    def save_one(self, save: Save) -> bool:
        """Open, tick a box, write a note and a line below, save; False where nothing is open."""
        try:
            text = self.path.read_text("utf-8")
        except FileNotFoundError:
            return False  # the moment in which `by_backup` has renamed it is our own, so this is before the first write
        found = self.open_boxes(text)
        if not found:
            return False
        one, action = self.chance.choice(found), self.chance.choice(ACTIONS)
        word = f"word-{len(self.ticked)}-"
        text = text.replace(f"- [ ] {action} ^{one}", f"- [x] {action} ^{one}")
        text = text.replace(f"note:\n<!-- /ethos {one} -->", f"note: {word}\n<!-- /ethos {one} -->") + f"below {word}\n"
        self.ticked[one] = (action, (word,))
        save(self.path, text.encode(), self.chance)
        return True

    def run(self, save: Save, saves: int) -> None:
        """So many saves, as fast as the questions come."""
        until_there = len(self.ticked) + saves
        with self.settling():
            while len(self.ticked) < until_there:
                if not self.save_one(save):
                    self.ask_more()

    def check(self) -> None:
        """Every tick has its effect, once; every word is in the file, or in the history of what was saved."""
        time.sleep(0.05)  # the last save settles

        def quiet() -> bool:
            self.applied += self.ask(action="settle")["applied"]
            found = self.ask(action="inbox", resolved=True)["questions"]
            return {each["id"] for each in found if each["status"] == "resolved"} >= self.ticked.keys()

        until(quiet, "the last answer")
        answers = {each["id"]: each for each in self.ask(action="inbox", resolved=True)["questions"] if each["action"]}
        assert answers.keys() == self.ticked.keys()
        for one, (action, words) in self.ticked.items():
            assert (answers[one]["action"], answers[one]["by"]) == (action, "inbox")
            assert answers[one]["note"].startswith(words)
        assert self.applied <= len(self.ticked)  # cycles apply answers too
        versions = Counter(each["id"] for each in self.ask(action="facts", history=True)["facts"] if each["superseded_by"])
        assert set(versions.values()) <= {1}
        assert versions.total() == sum(action != "keep-both" for action, _ in self.ticked.values())
        kept = [self.path, *(self.daemon.folder / "state" / "history").iterdir()]
        below = {line for file in kept for line in file.read_text("utf-8").splitlines() if line.startswith("below ")}
        assert below >= {f"below {word}" for _, words in self.ticked.values() for word in words}


@contextmanager
def race(folder: Path, seed: int) -> Iterator[Race]:
    """On a daemon of its own."""
    daemon = Daemon(folder, CONFIG).start("-X", "faulthandler", **UNMEASURED)
    try:
        yield Race(daemon, random.Random(seed))
    except BaseException:
        daemon.stop(signal.SIGABRT)  # its log then shows where each thread was
        raise
    daemon.stop()


STYLES = (in_place, by_rename, by_backup)


def test_hundreds_of_saves_beside_a_daemon_that_always_writes(tmp_path: Path) -> None:
    """In each style, one after the other."""
    with race(tmp_path, 1) as running:
        for style in STYLES:
            running.run(style, 60)
        running.check()


@pytest.mark.torture
@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.__name__)
def test_ten_thousand_saves_in_each_style(tmp_path: Path, style: Save) -> None:
    """In twenty lives of the daemon, so that the history need not hold all of them at once."""
    for number in range(20):
        folder = tmp_path / str(number)
        folder.mkdir()
        with race(folder, number) as running:
            running.run(style, 500)
            running.check()
        shutil.rmtree(folder)


# -- a real editor in a terminal


VIM = shutil.which("vim")
TICK = r"""
set nocompatible viminfo= {settings}
let g:done = {{}}
function! Tick(word)
  if has_key(g:done, a:word)
    return
  endif
  silent edit!
  if search('^- \[ \] keep-new ^', 'w') == 0
    return
  endif
  let l:one = matchstr(getline('.'), 'c-\w\+')
  call setline('.', substitute(getline('.'), '\[ \]', '[x]', ''))
  if search('^note:$', 'W', search('^<!-- /ethos ' . l:one, 'nW')) > 0
    call setline('.', 'note: ' . a:word)
  endif
  call append('$', 'below ' . a:word)
  silent write!
  if &modified
    return
  endif
  let g:done[a:word] = 1
  call writefile([l:one . ' ' . a:word], '{ticked}', 'a')
endfunction
"""


def has_eval() -> bool:
    """vim.tiny cannot be told what to do."""
    return VIM is not None and "+eval" in subprocess.run([VIM, "--version"], capture_output=True, text=True, check=True).stdout


@contextmanager
def terminal(*command: str) -> Iterator[int]:
    """A program in a terminal of its own; what is written to the descriptor is typed. It ends by itself."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm"}, start_new_session=True
    )
    os.close(theirs)
    screen = threading.Thread(target=_drain, args=(ours,))
    screen.start()
    try:
        yield ours
        process.wait(PATIENCE)
    finally:
        process.kill()
        process.wait()
        screen.join()
        os.close(ours)


def _drain(terminal_of: int) -> None:
    """Somebody looks at the screen, else the program waits for it."""
    try:
        while os.read(terminal_of, 65_536):
            pass
    except OSError:  # its other end is closed
        return


def _typed(keys: int, ticked: Path, word: str) -> bool:
    """Typed, and done; it is typed again where nothing is open in the file just now, or vim would not save.

    So it is with `backupcopy=yes` where the daemon swaps the file between vim's look at it and its writing (E949).
    """
    yes = "y\x1b"  # where vim asks whether to write over what the daemon wrote since it read; else it is nothing
    os.write(keys, f"{yes}:call Tick('{word}')\r".encode())
    for _ in range(100):
        if word in ticked.read_text("utf-8"):
            return True
        time.sleep(0.02)
    return False


def in_vim(running: Race, settings: str, ticks: int) -> None:
    """Tick one box after the other in vim, saving each time, while the daemon settles; then check."""
    folder = running.daemon.folder
    ticked, script = folder / "ticked", folder / "tick.vim"
    ticked.write_text("")
    script.write_text(TICK.format(settings=settings, ticked=ticked))
    while running.asked < ticks:
        running.ask_more()
    with running.settling(), terminal(VIM or "", "-u", str(script), "-n" if "noswapfile" in settings else "-N", str(running.path)) as keys:
        for number in range(ticks):
            until(partial(_typed, keys, ticked, f"vim-{number}-"), f"tick {number}")
            time.sleep(running.chance.random() * 0.1)  # long enough for the daemon to write in between, now and then
        os.write(keys, b":qa!\r")
    for one, word in (line.split() for line in ticked.read_text().splitlines()):  # one may be open again for a moment, its tick swapped out
        running.ticked[one] = ("keep-new", (*running.ticked.get(one, ("", ()))[1], word))
    running.check()


@pytest.mark.skipif(not has_eval(), reason="vim is not installed, or has no +eval")
@pytest.mark.parametrize("settings", ["noswapfile backupcopy=auto", "swapfile backupcopy=yes"])
def test_ticks_in_vim_in_a_terminal_beside_a_daemon_that_always_writes(tmp_path: Path, settings: str) -> None:
    """Without a swap file the daemon writes all the time, with one it waits; the ticks count either way."""
    with race(tmp_path, 2) as running:
        in_vim(running, settings, 20)


@pytest.mark.torture
@pytest.mark.skipif(not has_eval(), reason="vim is not installed, or has no +eval")
@pytest.mark.parametrize("way", ["auto", "yes", "no"])
@pytest.mark.parametrize("swap", ["swapfile", "noswapfile"])
def test_hundreds_of_ticks_in_vim(tmp_path: Path, way: str, swap: str) -> None:
    """However it saves. As many as the file shows at once: with a swap file the daemon waits with the next ones until vim is closed."""
    with race(tmp_path, 3) as running:
        in_vim(running, f"{swap} backupcopy={way}", review.SHOWN)
