"""The property that another process, with another hash seed, reads the same claims."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable

from ethos.edge.cli.workbench.properties.case import PropertyFailed
from ethos.edge.cli.workbench.sets import RuleSet

_ELSEWHERE = """
import json, sys
from pathlib import Path
from ethos.edge.cli.workbench.sets import rule_sets
asked = json.load(sys.stdin)
rules = rule_sets(*asked["paths"], cache=Path(asked["cache"]), clauses=asked["clauses"])
texts = [bytes.fromhex(text).decode("utf-8", "surrogatepass") for text in asked["texts"]]
read = [[ascii(claim) for claim in rules.claims(text, asked["role"])] for text in texts]
json.dump([rules.rules.hash, read], sys.stdout)
"""


def assert_same_elsewhere(rules: RuleSet, texts: Iterable[str]) -> None:
    """Check that a new process with another hash seed reads the same in these texts (property 2, for many texts at once).

    assert_same_elsewhere(rules, ["I grow leeks.", "We grow peas."])
    """
    asked = list(texts)
    encoded = [text.encode("utf-8", "surrogatepass").hex() for text in asked]
    for role in rules.roles:
        done = subprocess.run(  # noqa: S603 (this Python, on our own program)
            [sys.executable, "-c", _ELSEWHERE],
            input=json.dumps(
                {"paths": list(map(str, rules.paths)), "cache": str(rules.cache), "clauses": rules.clauses, "role": role, "texts": encoded}
            ),
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": "12345", "PYTHONPATH": ":".join(filter(None, sys.path))},
        )
        digest, read = json.loads(done.stdout)
        if digest != rules.rules.hash:
            raise PropertyFailed("deterministic", "another process has another hash of the rules")
        for text, there in zip(asked, read, strict=True):
            here = [ascii(claim) for claim in rules.claims(text, role)]
            if here != there:
                raise PropertyFailed("deterministic", f"another process reads {there}, this one {here}", text)
