"""The house itself: its floors, its parts, what the wheel carries, and that nothing in it reaches for a network."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from ethos.edge.rulebook import engine_digest, load, shipped_rules
from tests.support import proven
from tests.support.commands import TALK, Commands, commands

__all__ = ["commands"]

TOP = Path(__file__).parents[2]
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_import_contract_holds() -> None:
    """Floors, one importer of the store, stages that do not know one another, a core that does not touch the world."""
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]


def test_one_module_reads_the_database_as_a_path() -> None:
    """So that a memory may be kept otherwise than in a file. The configuration makes the path absolute."""
    readers: set[str] = set()
    for path in (TOP / "ethos").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and ast.unparse(node).endswith(".ethos.database"):
                readers.add(str(path.relative_to(TOP / "ethos")))
    assert readers == {"edge/config/loading.py", "edge/files/store_files.py"}


def test_a_memory_kept_in_the_checkout_is_ignored_by_git(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its config.toml is found by whoever types a command there; so all that a memory leaves beside it is ignored."""
    checkout = commands.home / "checkout"
    checkout.mkdir()
    for name in ("config.toml", ".gitignore"):
        shutil.copy(TOP / name, checkout / name)
    monkeypatch.chdir(checkout)
    assert commands("capture", "-", stdin=TALK.encode()).code == 0
    for words in (["consolidate"], ["sleep", "--date", "2026-03-01"], ["backup"]):
        assert commands(*words).code == 0
    (checkout / "rules.d").mkdir()
    (checkout / "rules.d" / "local.toml").touch()
    assert {"backups", "ethos.db", "inbox", "reports", "state"} <= {path.name for path in checkout.iterdir()}
    subprocess.run(["git", "init", "--quiet"], cwd=checkout, check=True)
    seen = subprocess.run(["git", "status", "--porcelain", "-uall"], cwd=checkout, check=True, capture_output=True, text=True).stdout
    assert {line.split()[-1] for line in seen.splitlines()} == {".gitignore", "config.toml"}


def test_proofs_of_rules_are_void_when_the_code_that_made_them_changes() -> None:
    """Every folder of the core that the rulebook's folders import, directly or not, is part of the digest under which proofs are kept."""

    def imported(folder: Path) -> set[str]:
        nodes = [node for path in folder.rglob("*.py") for node in ast.walk(ast.parse(path.read_text("utf-8")))]
        names = [str(node.module) for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
        return {"/".join(name.split(".")[1:3]) for name in names if name.startswith("ethos.core.")}

    found, pending = {"edge/rulebook"}, {"edge/rulebook"}
    while pending:
        fresh = imported(TOP / "ethos" / pending.pop()) - found
        found, pending = found | fresh, pending | fresh
    assert found <= set(engine_digest.FOLDERS), "name them all in edge/rulebook/engine_digest.py"


def _needed_at_run_time(names: set[str]) -> set[str]:
    """Return these packages and everything they need, extras aside."""
    needed, pending = set[str](), {name.replace("_", "-") for name in names}
    while pending:
        needed.add(name := pending.pop())
        wanted = [Requirement(each) for each in requires(name) or ()]
        pending |= {
            each.name.lower().replace("_", "-") for each in wanted if not each.marker or each.marker.evaluate({"extra": ""})
        } - needed
    return needed


def test_e42_the_parts_of_the_design_card_are_there() -> None:
    """The libraries it names are depended on, and no language model or network client is; rules, units and inbox have their places."""
    wanted = {name.split(">")[0].split(";")[0].strip().lower() for name in PROJECT["project"]["dependencies"]}
    assert {"regex", "psutil", "sqlmodel", "apscheduler", "structlog"} <= wanted
    assert "hypothesis" in str(PROJECT["project"]["optional-dependencies"]["testing"])
    unwanted = {"openai", "anthropic", "litellm", "httpx", "httpx2", "requests", "torch", "mcp"}
    assert not unwanted & _needed_at_run_time(wanted)
    assert {path.name for path in TOP.iterdir()} >= {"pyproject.toml", "ethos", "rules", "config.toml", "tests", "inbox"}
    assert len(load([shipped_rules()], cache=proven.PROOFS).packs) >= 1
    assert list((TOP / "ethos" / "edge" / "ops" / "systemd").glob("*.service*"))


LINE = '{"id": "t1", "role": "user", "speaker": "Ada", "text": "We decided to use Rust.", "said_at": "2026-05-01T10:00:00Z"}\n'
OFFLINE = """
import socket, sys
def refuse(event, args):
    if event == "socket.__new__" and args[1] in (socket.AF_INET, socket.AF_INET6):
        raise PermissionError("no network here")
sys.addaudithook(refuse)
from ethos.__main__ import main
sys.argv = ["ethos", *sys.argv[1:]]
sys.exit(main())
"""


def test_e14_a_cycle_needs_no_network_and_no_model(tmp_path: Path) -> None:
    """Capture, consolidate and facts run with every internet socket refused; status says that no model was called."""
    plain = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "ETHOS_"))}
    environment = {**plain, "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path), "PYTHONPATH": str(TOP)}
    proven.seed(tmp_path / ".local" / "state" / "ethos")
    talk = tmp_path / "talk.jsonl"
    talk.write_text(LINE)

    def ethos(*words: str) -> str:
        command = [sys.executable, "-c", OFFLINE, *words]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    ethos("capture", str(talk))
    ethos("consolidate")
    assert "Rust" in ethos("facts", "--json")
    assert '"model_calls": 0' in ethos("status", "--json")


def test_a_test_that_hangs_ends_with_the_story_of_where(tmp_path: Path) -> None:
    """After its time each thread's stack is told, down to the line; the tests after it are run by another worker, and the run fails."""
    (tmp_path / "test_hanging.py").write_text("import time\ndef test_hangs():\n    time.sleep(600)\ndef test_after():\n    pass\n")
    words = ["-m", "pytest", "-q", "-n", "1", "-p", "no:cacheprovider", "-c", str(TOP / "pyproject.toml"), "-o", "faulthandler_timeout=1"]
    done = subprocess.run([sys.executable, *words, str(tmp_path)], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 1, done.stdout
    assert 'test_hanging.py", line 3 in test_hangs' in done.stderr
    assert "1 failed, 1 passed" in done.stdout
    assert PROJECT["tool"]["pytest"]["ini_options"]["faulthandler_timeout"] > 0


def test_a_wheel_works_outside_the_tree(tmp_path: Path) -> None:
    """Rules, units and the default configuration are inside; `ethos extract` runs from it with the tree out of sight, and need not prove
    the shipped rules, because that was done when it was built.
    """
    build = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(tmp_path), str(TOP)]
    built = subprocess.run(build, capture_output=True, text=True, check=False)
    if built.returncode and "hatchling" in built.stdout + built.stderr:
        pytest.skip("hatchling is not installed here; `make setup` installs it")
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(unpacked)
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from ethos.__main__ import main; sys.exit(main())"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", code, str(unpacked), "extract", "-"],
        input=LINE,
        cwd=tmp_path,
        env={**environment, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert '"object": "Rust"' in done.stdout
    assert list((unpacked / "ethos" / "rules" / "proved").iterdir())
    assert not list(tmp_path.glob(".local/state/ethos/rules/proved-*"))
