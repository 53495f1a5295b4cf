"""The shipped rules, proven once for all tests: proving them anew for each memory of a test would take most of the suite's time."""

from __future__ import annotations

import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from ethos.core.matching import Rules
from ethos.edge.rulebook import load, shipped_rules
from ethos.edge.rulebook.standards import standards

# By the code that proves and by content, so that what is there is right or not looked at.
PROOFS = Path(tempfile.gettempdir()) / f"ethos-tests-{os.getuid()}" / f"rules-{standards()}"


@cache
def rules() -> Rules:
    """The shipped packs."""
    return load([shipped_rules()], cache=PROOFS).rules


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
