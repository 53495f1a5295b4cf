"""The socket: a real one, with real callers, well behaved and not."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from ethos.app import Cycle, Ethos
from ethos.core.model.errors import Refused
from ethos.core.model.settings import Settings
from ethos.edge.api.actions import Service
from ethos.edge.client import socket_client
from ethos.edge.rulebook import Rulebook
from ethos.edge.server import single_flight, worker_pool
from ethos.edge.server.caller import BUFFER_BYTES, Caller
from ethos.edge.server.listener import Listener, from_systemd
from ethos.edge.server.loop import Loop
from ethos.edge.server.run_lock import RunLock
from ethos.edge.server.socket_server import SocketServer
from tests.support.daemons import PATIENCE, until
from tests.support.serving import serving
from tests.support.telling import said

E27 = b'{"action":"consolidate","session":null,"reason":"manual test"}\n'


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Few callers and requests, and deadlines that a machine meets whatever else it does."""
    return replace(settings, socket=replace(settings.socket, line_seconds=60.0, wait_seconds=PATIENCE, max_requests=5, max_connections=8))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the socket goes."""
    return tmp_path / "run" / "ethos.sock"


@pytest.fixture
def daemon(ethos: Ethos, path: Path) -> Iterator[SocketServer]:
    """The memory behind its socket."""
    with serving(ethos, path) as trigger:
        yield trigger


@pytest.fixture
def hasty(open_ethos: Callable[[Settings], Ethos], settings: Settings, path: Path) -> Iterator[SocketServer]:
    """The same with a deadline for lines that a test can wait for."""
    with serving(open_ethos(replace(settings, socket=replace(settings.socket, line_seconds=2.0))), path) as trigger:
        yield trigger


@contextmanager
def caller(path: Path) -> Iterator[socket.socket]:
    """A connection."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(PATIENCE)
        connection.connect(str(path))
        yield connection


def rest(connection: socket.socket) -> bytes:
    """Everything until the other side closes."""
    pieces = []
    while piece := connection.recv(65_536):
        pieces.append(piece)
    return b"".join(pieces)


def exchange(path: Path, data: bytes) -> dict[str, Any]:
    """One line there and one back, and then the connection must end by itself."""
    with caller(path) as connection:
        connection.sendall(data)
        answer = rest(connection)
    assert answer.count(b"\n") == 1
    return dict(json.loads(answer))


# -- what the runbook does


@pytest.mark.skipif(not Path("/usr/bin/nc").exists(), reason="needs nc")
@pytest.mark.usefixtures("daemon")
def test_e27_e28_nc_triggers_a_cycle_and_the_connection_closes_by_itself(ethos: Ethos, path: Path) -> None:
    """The runbook's own command."""
    ethos.capture([said("We decided to use Rust for all backend services.")])
    done = subprocess.run(["nc", "-U", str(path)], input=E27, capture_output=True, timeout=20, check=True)
    envelope = json.loads(done.stdout)
    assert list(envelope) == ["status", "data"]
    assert envelope["data"]["triggered"] is True
    assert envelope["data"]["facts_created"] == 1


@pytest.mark.usefixtures("daemon")
def test_xe12_it_answers_at_the_end_of_the_line_or_of_the_input(path: Path) -> None:
    """nc keeps its side half open, other callers end without a newline: both get their answer."""
    assert exchange(path, E27)["status"] == "ok"
    with caller(path) as connection:
        connection.sendall(E27.rstrip())
        connection.shutdown(socket.SHUT_WR)
        assert json.loads(rest(connection))["status"] == "ok"
    with caller(path) as connection:
        connection.shutdown(socket.SHUT_WR)
        assert rest(connection) == b""


@pytest.mark.usefixtures("daemon")
def test_with_an_id_the_connection_stays_for_so_many_requests(path: Path) -> None:
    """Several lines at once, answered in order; after `max_requests` it ends."""
    with caller(path) as connection:
        connection.sendall(b"".join(b'{"action":"settle","id":%d}\n' % number for number in range(9)))
        answers = [json.loads(line) for line in rest(connection).splitlines()]
    assert [answer["id"] for answer in answers] == [0, 1, 2, 3, 4]


@pytest.mark.usefixtures("daemon")
def test_the_client_gets_data_and_problems_in_one_form(path: Path, tmp_path: Path) -> None:
    """An envelope in any case, and None where no daemon listens."""
    assert (socket_client.ask(str(path), {"action": "status"}) or {})["status"] == "ok"
    assert (socket_client.ask(str(path), {"action": "nothing"}) or {})["status"] == "error"
    assert socket_client.ask(str(tmp_path / "none.sock"), {"action": "status"}) is None
    with socket.socket(socket.AF_UNIX) as gone:
        gone.bind(str(tmp_path / "stale.sock"))
    assert socket_client.ask(str(tmp_path / "stale.sock"), {"action": "status"}) is None
    too_long = socket_client.ask(str(path), {"action": "recall", "query": "x" * 300_000})
    assert too_long is not None
    assert "longer than 65536 bytes" in str(too_long["error"])


def test_the_client_says_what_is_wrong_with_what_listens_there(path: Path) -> None:
    """Another program, one that hangs up, one that is silent."""
    with Listener(path) as listener:

        def once(reply: bytes) -> None:
            accepted, _ = listener.accept()
            with accepted:
                accepted.recv(1000)
                accepted.sendall(reply)

        for reply, says in (
            (b"HTTP/1.1 400\r\n\n", "not one of Ethos"),
            (b"", "without an answer"),
            (b'{"status": "ok"', "in the middle of an answer, after 15 bytes"),
        ):
            thread = Thread(target=once, args=(reply,))
            thread.start()
            envelope = socket_client.ask(str(path), {"action": "status"})
            thread.join()
            assert envelope is not None
            assert says in str(envelope["error"])
        silent = socket_client.ask(str(path), {"action": "status"}, seconds=0.1)
        assert "no answer within 0.1 seconds" in str(silent)


def test_the_client_imports_next_to_nothing() -> None:
    """A hot command must cost little more than starting Python."""
    heavy = ["sqlalchemy", "pydantic", "typer", "rich", "structlog", "numpy", "dataclasses", "typing", "pathlib", "logging"]
    code = f"import ethos.edge.client.socket_client, sys; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    assert done.stdout.strip() == "[]"


# -- who may come in


@pytest.mark.usefixtures("daemon")
def test_only_its_user_can_connect_from_the_first_moment_on(path: Path) -> None:
    """Mode 0600 in a folder of mode 0700, whatever the umask."""
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_the_socket_is_born_closed_to_others_with_any_umask(tmp_path: Path) -> None:
    """There is no moment between bind and chmod."""
    (tmp_path / "run").mkdir(mode=0o700)
    before = os.umask(0)
    try:
        with Listener(tmp_path / "run" / "s"):
            assert stat.S_IMODE((tmp_path / "run" / "s").stat().st_mode) == 0o600
    finally:
        os.umask(before)
    assert not (tmp_path / "run" / "s").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to give files away")
def test_it_does_not_listen_in_a_folder_that_belongs_to_another_user(tmp_path: Path) -> None:
    """Nor behind another user's link, which they could turn elsewhere at any time."""
    (tmp_path / "theirs").mkdir(mode=0o700)
    os.chown(tmp_path / "theirs", 65534, 65534)
    (tmp_path / "ours").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "ours")
    os.lchown(tmp_path / "link", 65534, 65534)
    for folder in ("theirs", "link"):
        with pytest.raises(Refused, match="belongs to another user"), Listener(tmp_path / folder / "s"):
            pass


def test_the_lock_beside_the_socket_is_no_link_and_stays(path: Path, tmp_path: Path) -> None:
    """It is opened without following links, and never removed: who unlinks a lock lets two hold it."""
    with Listener(path):
        pass
    lock = path.with_name("ethos.sock.lock")
    before = lock.stat().st_ino
    with Listener(path):
        assert lock.stat().st_ino == before
    lock.unlink()
    lock.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic links"), Listener(path):
        pass
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become somebody else")
def test_the_client_tells_a_socket_of_another_user() -> None:
    """SO_PEERCRED on the client's side: nothing is said to who took the daemon's place."""
    code = """
import os, socket, sys
os.setgroups([]); os.setgid(65534); os.setuid(65534)
listener = socket.socket(socket.AF_UNIX); listener.bind(sys.argv[1]); listener.listen(); print("ready", flush=True)
caller, _ = listener.accept(); print(caller.recv(9999))
"""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o777)
        place = str(Path(folder, "s"))
        with subprocess.Popen([sys.executable, "-c", code, place], stdout=subprocess.PIPE, text=True) as squatter:
            assert squatter.stdout is not None
            assert squatter.stdout.readline() == "ready\n"
            envelope = socket_client.ask(place, {"action": "status"})
            assert squatter.stdout.read() == "b''\n"
    assert envelope is not None
    assert "belongs to another user (65534)" in str(envelope["error"])


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become somebody else")
def test_another_user_who_got_that_far_is_sent_away(ethos: Ethos) -> None:
    """Even where file modes would let them in (SO_PEERCRED)."""
    code = """
import os, socket, sys
os.setgroups([]); os.setgid(65534); os.setuid(65534)
caller = socket.socket(socket.AF_UNIX); caller.connect(sys.argv[1]); print(caller.recv(9999).decode())
"""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder, serving(ethos, path := Path(folder, "run", "s")):
        for each in (path.parent.parent, path.parent, path):
            each.chmod(0o777)
        done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert "belongs to another user" in json.loads(done.stdout)["error"]["message"]


def test_a_second_daemon_is_refused_and_a_stale_socket_is_no_obstacle(path: Path) -> None:
    """The lock beside the socket tells one from the other."""
    with Listener(path), pytest.raises(Refused) as refused, Listener(path):
        pass
    assert refused.value.problem.code == "busy"
    with socket.socket(socket.AF_UNIX) as left_behind:
        left_behind.bind(str(path))
    with Listener(path):
        assert stat.S_ISSOCK(path.stat().st_mode)


def test_it_does_not_listen_where_others_could_take_its_place(tmp_path: Path) -> None:
    """A folder that others can write to, a path that is too long, a file that is in the way: each says what to do."""
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "team").mkdir()
    (tmp_path / "team").chmod(0o770)
    (tmp_path / "run").mkdir(mode=0o700)
    (tmp_path / "run" / "notes").write_text("mine")
    (tmp_path / "file").write_text("")
    for path, says in (
        (tmp_path / "open" / "s", "can be written by others"),
        (tmp_path / "team" / "s", "can be written by others"),
        (tmp_path / ("x" * 120), "longer than 107 bytes"),
        (tmp_path / "run" / "notes", "a file where the socket should be"),
        (tmp_path / "file" / "s", "no folder for the socket"),
    ):
        with pytest.raises(Refused) as refused, Listener(path):
            pass
        assert says in refused.value.problem.what
        assert refused.value.problem.hint
    assert (tmp_path / "run" / "notes").read_text() == "mine"


def test_a_socket_that_systemd_passes_is_taken_and_any_other_is_refused(tmp_path: Path) -> None:
    """Descriptor 3, when LISTEN_PID is ours; the variables do not reach our children."""
    assert from_systemd({"LISTEN_PID": "1", "LISTEN_FDS": "1"}) is None
    code = f"""
import os, socket
from ethos.edge.server.listener import from_systemd
listener = socket.socket(socket.AF_UNIX); listener.bind({str(tmp_path / "s")!r}); listener.listen()
os.dup2(listener.fileno(), 50)
os.dup2(50, 3)
env = {{"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1", "LISTEN_FDNAMES": "ethos.socket"}}
taken = from_systemd(env)
print(taken.getsockname().endswith("/s"), os.get_inheritable(3), env)
def refused(number):
    os.dup2(number, 3)
    try: from_systemd({{"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}})
    except Exception as refused: print(refused)
refused(0)
refused(socket.socket(socket.AF_INET).detach())
refused(socket.socket(socket.AF_UNIX).detach())
refused(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).detach())
abstract = socket.socket(socket.AF_UNIX); abstract.bind("\\0ethos-test-%d" % os.getpid()); abstract.listen()
refused(abstract.detach())
os.dup2(50, 3)
try: from_systemd({{"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "2"}})
except Exception as refused: print(refused)
"""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, stdin=subprocess.DEVNULL, check=True)
    no_listener = "what systemd passed is not one listening Unix socket"
    first, no_socket, *others = done.stdout.splitlines()
    assert first == "True False {}"
    assert no_socket.startswith("what systemd passed is not a socket")
    assert others == [no_listener] * 3 + ["the socket that systemd passed has no path", no_listener]


# -- what they may do


@pytest.mark.usefixtures("hasty")
def test_a_line_has_a_deadline_as_a_whole(path: Path) -> None:
    """A caller who sends a byte now and then gains nothing by it."""
    with caller(path) as connection:
        stop = Event()

        def trickle() -> None:
            with suppress(BrokenPipeError):  # it was sent away just now
                while not stop.wait(0.05):
                    connection.send(b" ")

        thread = Thread(target=trickle)
        thread.start()
        answer = connection.recv(9999)
        stop.set()
        thread.join()
    assert "no complete line within 2 seconds" in json.loads(answer)["error"]["message"]
    with caller(path) as silent:
        assert rest(silent) == b""


@pytest.mark.usefixtures("daemon")
@pytest.mark.parametrize(
    "data",
    [b"x" * 1_000_000 + b"\n", b"\0" * 70_000 + b"\n", b'{"action":"recall","query":"' + b"y" * 66_000 + b'"}\n'],
    ids=["a megabyte", "zeros", "a long query"],
)
def test_a_long_line_is_told_the_limit(path: Path, data: bytes) -> None:
    """Its sender lives to see the answer, and the next caller is served."""
    error = exchange(path, data)["error"]
    assert "longer than 65536 bytes" in error["message"]
    assert "paths" in error["hint"]
    assert exchange(path, E27)["status"] == "ok"


@pytest.mark.usefixtures("hasty")
def test_a_long_line_without_an_end_is_told_the_limit_at_the_deadline(path: Path) -> None:
    """Who sends it sends no more, and waits."""
    assert "longer than 65536 bytes" in exchange(path, b"x" * 1_000_000)["error"]["message"]
    assert exchange(path, E27)["status"] == "ok"


@pytest.mark.usefixtures("hasty")
def test_honest_callers_are_served_while_others_hold_every_connection(path: Path) -> None:
    """Slow callers take all places there are; their deadline frees them."""
    slow = [socket.socket(socket.AF_UNIX) for _ in range(12)]
    try:
        for connection in slow:
            connection.connect(str(path))
            connection.send(b"{")
        assert exchange(path, E27)["status"] == "ok"
    finally:
        for connection in slow:
            connection.close()


@pytest.mark.usefixtures("daemon")
def test_who_is_slow_makes_room_when_every_place_is_taken(path: Path) -> None:
    """Slow callers hold all places, and have a minute yet: who comes is served, and the slowest is told why it was sent away."""
    with ExitStack() as end:
        slow = [end.enter_context(caller(path)) for _ in range(8)]
        for each in slow:
            each.send(b"{")
        assert exchange(path, E27)["status"] == "ok"
        assert "no complete line within 0.25 seconds" in json.loads(rest(slow[0]))["error"]["message"]
        slow[7].sendall(E27[1:])
        assert json.loads(rest(slow[7]))["status"] == "ok"


@pytest.mark.usefixtures("daemon")
def test_who_is_silent_after_an_answer_makes_room_for_who_asks(path: Path) -> None:
    """A kept connection may rest for a minute, but not while others stand before the door: the one that rested longest goes."""
    with ExitStack() as end:
        kept = [end.enter_context(caller(path)) for _ in range(8)]  # as many as there may be
        for number, connection in enumerate(kept):
            connection.sendall(b'{"action":"settle","id":%d}\n' % number)
            assert json.loads(connection.recv(9999))["id"] == number
        assert exchange(path, E27)["status"] == "ok"
        assert rest(kept[0]) == b""
        kept[7].sendall(b'{"action":"settle","id":8}\n')
        assert json.loads(kept[7].recv(9999))["id"] == 8


@pytest.mark.usefixtures("daemon")
def test_whoever_leaves_early_or_talks_nonsense_harms_nobody(path: Path) -> None:
    """Closed before the answer, reset in the middle, a hundred kinds of noise."""
    for noise in (
        b"",
        b"{",
        E27,
        b"\xff\xfe\n",
        b"[" * 60_000 + b"\n",
        b'{"a":' * 12_000 + b"\n",
        b"\n",
        b"\0\n",
        b'{"action":"\\ud800"}\n',
    ):
        with caller(path) as connection:
            connection.sendall(noise)
    assert exchange(path, b"\n")["status"] == "error"
    assert exchange(path, E27)["status"] == "ok"


def test_a_bug_in_an_action_is_told_and_the_next_request_is_served(ethos: Ethos, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Errors inside are logged with their traceback and take nobody else down."""

    class Broken(Loop):
        def alone(self, work: Callable[[], Any]) -> Any:
            raise ZeroDivisionError(work)

    with serving(ethos, path, Broken(ethos, RunLock(1.0), since_start=lambda: 0.0)):
        error = exchange(path, b'{"action":"settle"}\n')["error"]
        assert error["message"] == "an error inside Ethos: ZeroDivisionError"
        assert exchange(path, E27)["status"] == "ok"
    assert "ZeroDivisionError" in capsys.readouterr().out


# -- one pass at a time


class Counted(Loop):
    """Runs that wait until a test lets them go, and are counted."""

    def __init__(self, ethos: Ethos, run_lock: RunLock) -> None:
        super().__init__(ethos, run_lock, since_start=lambda: 0.0)
        self.begun = 0
        self.at_work = Event()
        self.go = Event()

    def _asked(self, *, session: str | None, reason: str, dry_run: bool) -> Cycle:
        self.begun += 1
        self.at_work.set()
        self.go.wait(PATIENCE)
        return super()._asked(session=session, reason=reason, dry_run=dry_run)


def test_triggers_for_the_same_session_share_one_cycle(ethos: Ethos, path: Path) -> None:
    """Single flight: seven callers, one cycle, one answer; another session has its own."""
    ethos.capture([said("We decided to use Rust for all backend services.")])
    loop = Counted(ethos, RunLock(PATIENCE))
    with serving(ethos, path, loop) as trigger, ThreadPoolExecutor(20) as pool:
        first = pool.submit(exchange, path, E27)
        assert loop.at_work.wait(PATIENCE)
        others = [pool.submit(exchange, path, E27) for _ in range(6)]
        until(lambda: trigger.waiting == 7)
        loop.go.set()
        runs = {future.result()["data"]["run"] for future in [first, *others]}
        assert len(runs) == loop.begun == 1
        assert exchange(path, b'{"action":"consolidate","session":"s2"}\n')["data"]["run"] not in runs


def test_who_waits_for_anothers_cycle_takes_no_place(ethos: Ethos, path: Path) -> None:
    """Forty triggers where eight callers may be: all are let in and share a cycle, and whoever asks something else is served meanwhile."""
    loop = Counted(ethos, RunLock(PATIENCE))
    with serving(ethos, path, loop) as trigger, ThreadPoolExecutor(40) as pool:
        triggers = [pool.submit(exchange, path, E27) for _ in range(40)]
        until(lambda: trigger.waiting == 40)
        assert exchange(path, b'{"action":"help"}\n')["status"] == "ok"
        loop.go.set()
        assert len({future.result()["data"]["run"] for future in triggers}) == loop.begun == 1


def test_more_than_so_many_do_not_wait_for_one_cycle(ethos: Ethos, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each holds a descriptor, of which there are not many: who comes too late is told so at once, and in a moment it gets in."""
    monkeypatch.setattr(single_flight, "MOST_FOLLOWERS", 3)
    loop = Counted(ethos, RunLock(PATIENCE))
    with serving(ethos, path, loop) as trigger, ThreadPoolExecutor(4) as pool:
        first = [pool.submit(exchange, path, E27) for _ in range(4)]
        until(lambda: trigger.waiting == 4)
        assert exchange(path, E27)["error"]["code"] == "busy"
        loop.go.set()
        assert {future.result()["status"] for future in first} == {"ok"}
        assert exchange(path, E27)["status"] == "ok"


def test_a_cycle_that_fails_is_told_to_all_who_waited_for_it(ethos: Ethos, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for ever for an answer that does not come, and the next cycle is one of its own."""
    loop = Counted(ethos, RunLock(PATIENCE))
    with serving(ethos, path, loop) as trigger, ThreadPoolExecutor(4) as pool:
        with monkeypatch.context() as broken:
            broken.setattr(ethos, "consolidate", lambda **_: 1 / 0)
            callers = [pool.submit(exchange, path, E27) for _ in range(4)]
            until(lambda: trigger.waiting == 4)
            loop.go.set()
            assert {future.result()["error"]["message"] for future in callers} == {"an error inside Ethos: ZeroDivisionError"}
        assert exchange(path, E27)["status"] == "ok"


def test_where_no_thread_can_be_had_requests_are_answered_one_by_one(ethos: Ethos, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the unit's TasksMax is reached."""
    start = Thread.start

    def full(self: Thread) -> None:
        if self.name == "request":
            raise RuntimeError("can't start new thread")
        start(self)

    with serving(ethos, path) as trigger:
        monkeypatch.setattr(Thread, "start", full)
        with ExitStack() as end:
            callers = [end.enter_context(caller(path)) for _ in range(3)]
            for connection in callers:
                connection.sendall(b'{"action":"settle","id":1}\n' * 3)
            answers = [connection.recv(9_999) for connection in callers]
        assert all(answer.startswith(b'{"id": 1, "status": "ok"') for answer in answers)
        until(lambda: not trigger.waiting)


def test_a_short_line_takes_little_memory_to_hear(settings: Settings) -> None:
    """One receive buffer serves all callers: 64 KiB for each piece, cut down to it, left a heap full of holes."""
    ear = memoryview(bytearray(BUFFER_BYTES))
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(E27)
        heard_by = Caller(ours, settings.socket)
        tracemalloc.start()
        try:
            heard = heard_by.receive(ear)
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert heard == E27.strip()
    assert most < 4_096


def requests_at_work() -> int:
    """How many threads there are for requests."""
    return sum(thread.name == "request" for thread in threading.enumerate())


def test_threads_that_a_burst_needed_go_though_requests_never_cease(ethos: Ethos, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight at once, then one after the other without a pause: who is not needed is not called in turn, and goes. Each kept a stack, and
    what it had freed: the more there had ever been at once, the larger the daemon stayed.
    """
    monkeypatch.setattr(worker_pool, "IDLE_SECONDS", 0.5)
    loop = Counted(ethos, RunLock(PATIENCE))
    with serving(ethos, path, loop), ThreadPoolExecutor(8) as pool:
        burst = [pool.submit(exchange, path, b'{"action":"consolidate","session":"s%d"}\n' % number) for number in range(8)]
        until(lambda: requests_at_work() >= 8)
        loop.go.set()
        assert all(future.result()["status"] == "ok" for future in burst)

        def few() -> bool:
            assert exchange(path, b'{"action":"help"}\n')["status"] == "ok"
            return requests_at_work() <= 2

        until(few)


@pytest.mark.usefixtures("daemon")
def test_who_sends_ahead_of_the_answers_is_served_by_one_thread(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has answered looks what is next, and calls nobody else for it: each line once woke another thread, and it was too late."""
    start, started = Thread.start, []

    def counted(self: Thread) -> None:
        started.append(self.name)
        start(self)

    monkeypatch.setattr(Thread, "start", counted)
    with caller(path) as connection:
        connection.sendall(b"".join(b'{"action":"help","id":%d}\n' % number for number in range(5)))
        assert [json.loads(line)["id"] for line in rest(connection).splitlines()] == [0, 1, 2, 3, 4]
    assert started == ["request"]


def test_who_waits_too_long_for_its_turn_gets_busy(ethos: Ethos, path: Path) -> None:
    """X-E14: a pass of another process holds the lock; the caller is told after `wait_seconds`, and gets in when it is free."""
    with serving(ethos, path, Loop(ethos, RunLock(0.3), since_start=lambda: 0.0)):
        with ethos.guard():
            error = exchange(path, E27)["error"]
            assert (error["code"], bool(error["hint"])) == ("busy", True)
        assert exchange(path, E27)["status"] == "ok"
    with serving(ethos, path, Loop(ethos, RunLock(PATIENCE), since_start=lambda: 0.0)) as trigger, ThreadPoolExecutor(1) as pool:
        with ethos.guard():
            waiting = pool.submit(exchange, path, E27)
            until(lambda: trigger.waiting == 1)
        assert waiting.result()["status"] == "ok"


def test_closing_answers_who_is_served_and_sends_the_others_home(ethos: Ethos, path: Path) -> None:
    """Shutdown: the pass in hand ends and is answered; who had not asked yet is let go; nobody new comes in."""
    loop = Counted(ethos, RunLock(PATIENCE))
    with ThreadPoolExecutor(1) as pool, caller_after(ethos, path, loop) as (trigger, silent):
        served = pool.submit(exchange, path, E27)
        assert loop.at_work.wait(PATIENCE)
        trigger.close()
        assert rest(silent) == b""
        loop.go.set()
        assert served.result()["status"] == "ok"
        assert trigger.drain(PATIENCE) == 0


@contextmanager
def caller_after(ethos: Ethos, path: Path, loop: Loop) -> Iterator[tuple[SocketServer, socket.socket]]:
    """A trigger, and a caller who keeps a connection open after its first answer."""
    service = Service(ethos, Rulebook(ethos.rules, (), ()), loop, by="socket")
    with Listener(path) as listener:
        trigger = SocketServer(listener, lambda: service)
        trigger.start()
        with caller(path) as silent:
            silent.sendall(b'{"action":"settle","id":1}\n')
            assert json.loads(silent.recv(9999))["id"] == 1
            yield trigger, silent
