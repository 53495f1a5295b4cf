"""The rulebook: rule packs read from TOML, checked, proved by their own examples, and compiled.

A pack with a mistake is set aside whole and the others load; each mistake is a `RuleProblem` with file, line and caret. The shipped
packs lie in `rules/`; packs of the user's own come after them and may switch rules off, change them, or filter what they read.

    source     a file's bytes and tables, and the place of every key
    asking     values of the right kind, or a complaint
    patterns   fragments, the subset, literals, the gate
    packs      a file -> a Pack                      words      modifiers.toml, classes.toml
    layering   disable, override, filter             proving    examples
    contacts   e-mail addresses, telephone numbers
    counterexample  what was misread, written into a pack
    trial      a large pack in a process of its own  cache      what was found out before
    standards  by which code                         loading    all of it, in order
"""

from ethos.edge.rulebook.loading import LoadedPack, Rulebook, files_of, load, prove_shipped_packs, shipped_rules
from ethos.edge.rulebook.packs import SCHEMA
from ethos.edge.rulebook.word_files import CLASSES_FILE, MODIFIERS_FILE

__all__ = ["CLASSES_FILE", "MODIFIERS_FILE", "SCHEMA", "LoadedPack", "Rulebook", "files_of", "load", "prove_shipped_packs", "shipped_rules"]
