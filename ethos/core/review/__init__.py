"""Review: questions as Markdown, and Markdown as answers. Pure; `edge/inbox` keeps the file (E-30, E-31, X-E11).

The grammar is version 1 of TRUST, The review inbox. `grammar` defines the lines, `kinds` the kinds of questions, `reading` parses a file,
`merging` merges versions, `writing` renders it.
"""

from ethos.core.review.grammar import TAIL, TITLE, VERSION
from ethos.core.review.kinds import CONFLICT, KINDS, EntryKind, kind_of
from ethos.core.review.merging import merge
from ethos.core.review.reading import Block, Review, parse, read
from ethos.core.review.writing import RESOLVED_SHOWN, SHOWN, orphans, render

__all__ = [
    "CONFLICT",
    "KINDS",
    "RESOLVED_SHOWN",
    "SHOWN",
    "TAIL",
    "TITLE",
    "VERSION",
    "Block",
    "EntryKind",
    "Review",
    "kind_of",
    "merge",
    "orphans",
    "parse",
    "read",
    "render",
]
