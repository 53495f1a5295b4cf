"""The rulebook: read rule packs from TOML, check them, prove them by their own examples, and compile them.

A pack with a mistake is not used, and the others load; each mistake is a `RuleProblem` with file, line and caret. The shipped packs are in
`rules/`. The user's own packs come after them and may disable rules, change them, or filter what they read.

* source: a file's bytes and tables, and the position of every key
* validation: values of the right type, or a complaint
* patterns: fragments, the portable subset, literals, the cost check
* packs: a file -> a Pack; word_files: modifiers.toml, classes.toml, lessons.toml
* layering: disable, override, filter; proving: examples
* contacts: e-mail addresses, telephone numbers
* counterexample: write a misreading into a pack
* isolated_check: check a large pack in a subprocess; cache: earlier results
* budgets: time limits of patterns; regex_worker: the subprocess that runs unproved patterns
* engine_digest: the version of the checking code; loading: all of it, in order
"""

from ethos.edge.rulebook.loading import LoadedPack, Rulebook, files_of, load, prove_shipped_packs, shipped_rules
from ethos.edge.rulebook.packs import SCHEMA
from ethos.edge.rulebook.word_files import WORDS

__all__ = ["SCHEMA", "WORDS", "LoadedPack", "Rulebook", "files_of", "load", "prove_shipped_packs", "shipped_rules"]
