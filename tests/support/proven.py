"""The shipped rules, proven and loaded once for all tests: to do it anew for each memory of a test would take most of the suite's time."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ethos.core.model.records import Claim, Origin
from ethos.core.rules.matcher import Rules
from ethos.edge.rulebook import Rulebook, load, shipped_rules
from ethos.edge.rulebook.engine_digest import engine_digest
from ethos.edge.rulebook.source import SharedFiles, Source, read

# By the code that proves and by content, so that what is there is right or not looked at.
PROOFS = Path(tempfile.gettempdir()) / f"ethos-tests-{os.getuid()}" / f"rules-{engine_digest()}"


def prove() -> None:
    """Prove the shipped packs as a build does, where that is not done: once for all workers and the processes they start, unwatched."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    command = "from ethos.edge.rulebook import prove_shipped_packs; prove_shipped_packs()"
    subprocess.run([sys.executable, "-c", command], env=environment, cwd=shipped_rules().parent, check=True)


@cache
def book(*, clauses: bool = False) -> Rulebook:
    """Return the shipped packs, loaded once: what is loaded never changes. clauses: with the second reader, as commands have it."""
    return load([shipped_rules()], cache=PROOFS, clauses=clauses)


def rules() -> Rules:
    """The shipped packs."""
    return book().rules


def rules_by_default() -> Rules:
    """The shipped packs as the defaults read them: by patterns and by clauses."""
    return book(clauses=True).rules


def claims_of(text: str) -> tuple[Claim, ...]:
    """What the defaults read in a turn of the user Ada."""
    return rules_by_default().claims(text, role="user", speaker="Ada", origin=Origin.USER)


def held_in(text: str) -> list[str]:
    """The held claims of a turn of the user Ada, as subject, predicate and object."""
    return [f"{claim.subject} {claim.predicate} {claim.object}" for claim in claims_of(text) if claim.grade == "held"]


_READ: dict[object, Source] = {}


def read_once(path: Path, *, own: bool, shared: SharedFiles | None = None) -> Source:
    """Stand in for `read` where packs are loaded: a shipped file is parsed once for all tests, because that takes a third of a loading."""
    if shipped_rules() not in path.parents:
        return read(path, own=own, shared=shared)
    key = (path, own, shared is None, path.stat().st_mtime_ns)
    if key not in _READ:
        _READ[key] = read(path, own=own, shared=shared)
    return _READ[key]


_LOADED: dict[object, Rulebook] = {}  # by what is in the files


def loaded(
    sources: Sequence[Path], *, cache: Path | None = None, region: str = "", clauses: bool = False, languages: Sequence[str] = ("en",)
) -> Rulebook:
    """Stand in for `load` where a command runs in the tests' own process: packs are loaded once, the shipped ones for all tests."""
    if tuple(sources) == (shipped_rules(),) and not region and tuple(languages) == ("en",):
        return book(clauses=clauses)
    own = [file for source in sources if source != shipped_rules() for file in (source, *sorted(source.rglob("*"))) if file.is_file()]
    key = (tuple(sources), tuple((file, file.read_bytes()) for file in own), region, clauses, tuple(languages))
    if key not in _LOADED:
        _LOADED[key] = load(sources, cache=cache, region=region, clauses=clauses, languages=languages)
    return _LOADED[key]


def seed(state: Path) -> None:
    """Give a memory's state folder the proofs. There may be none: what the build has proved beside the rules is not proved again."""
    rules()
    PROOFS.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not (state / "rules").exists():
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        (state / "rules").mkdir(mode=0o700)
        for proof in PROOFS.iterdir():
            if not proof.suffix:  # else another worker of the tests is just writing it, and it takes its name at once
                shutil.copyfile(proof, state / "rules" / proof.name)
                (state / "rules" / proof.name).chmod(0o600)
