"""Pasted text: what stands in a person's turn and is not their own word, told by its form (TRUST: it counts as a tool's output).

Fences, quoted lines and traces are `core.sentences`' own affair. Here are the things that people paste whole: conversations with their
speakers' names, e-mails, markup, logs, JSON, what a line announces as somebody else's words, memories that a program put there, and lines
with signs that no keyboard gives. What is announced reaches to the end of the turn, because pasted text has blank lines of its own:
a thought of the person that comes after it is lost to the rules, which is the lesser harm.
"""

from __future__ import annotations

from collections.abc import Iterator

import regex

_SIGNS = "\x1b\u200b\u2060\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # escapes, bidi, zero width: nobody types these
_UNTYPED = regex.compile(rf"^[^\n]*[{_SIGNS}\U000e0000-\U000e007f][^\n]*", regex.MULTILINE)
_BRACKETED = regex.compile(r"\x1b\[200~.*?(?:\x1b\[201~|\Z)", regex.DOTALL)  # how a terminal marks a paste

_SPEAKERS = (
    "user", "human", "assistant", "ai", "system", "developer", "chatgpt", "claude", "copilot", "gemini", "tool result", "tool output",
    "function result", "system prompt", "system message",
)  # fmt: skip
_SPOKEN = regex.compile(  # to the end of the paragraph
    r"^[ \t]*(?:\[[\d:., t/apm-]{1,24}\][ \t]*)?(?:\*\*|__|#{1,6} |- )?"
    rf"(?:{'|'.join(_SPEAKERS)})(?: \([^)\n]{{0,40}}\))?(?:\*\*|__)?[ \t]*:(?:\*\*|__)?.*?(?=\n[ \t]*\n|\Z)"
    r"|^[ \t]*(?:<\|[\w-]{1,30}\|>|\[/?(?:inst|sys)\]|<<sys>>|#{2,4} (?:instructions?|system|response)\b:?).*?(?=\n[ \t]*\n|\Z)",
    regex.DOTALL | regex.MULTILINE,
)
_HEADER = r"(?:from|to|cc|bcc|subject|date|sent|reply-to|message-id|return-path|x-[\w-]{1,30}):[ \t]"
_MAIL = regex.compile(
    rf"^(?:{_HEADER}[^\n]*\n[ \t]*{_HEADER}|[ \t]*-{{2,}} ?(?:original|forwarded) message|begin forwarded message"
    r"|on [^\n]{5,120} wrote:)",
    regex.MULTILINE,
)
_SAYS = "says|said|wrote|writes|printed|prints|outputs?|returned|returns|responded|replied|answered|reads|logged|gave|shows"
_TEXTS = (
    r"output|logs?|error|stack ?trace|traceback|readme(?:\.md)?|docs|documentation|(?:web ?)?page|website|article|e-?mail|comments?"
    r"|response|reply|transcript|results?|issue|ticket|pull request|post|thread|tweet|letter|pasted?|snippet|dump|diff|changelog"
    r"|contents?|clipboard|scraped text|quote|conversation"
)
_COLON = regex.compile(r":(?:\*\*)?[ \t]*\n")
_ANNOUNCES = regex.compile(  # how a line ends that announces somebody else's words, less its colon
    rf"(?:(?<!\bi )(?<!\bwe )\b(?:{_SAYS})(?: (?:me|us|this|that|the following|back|out|in (?:the|his|her|their) \w{{1,20}}))?"
    rf"|\b(?:{_TEXTS})(?: (?:is|are|was|were|says?|below|follows?|here|of \S{{1,60}}|from \S{{1,60}}|in \S{{1,60}}))?)\Z"
)
_TAIL = 120  # characters of such a line that are looked at
_REMEMBERED = regex.compile(
    r"^[ \t]*(?:#{1,6} |\*\*|\[)?(?:(?:relevant|recalled|retrieved|stored|injected|saved|long-term|previous|user|your|past)[ _-])?"
    r"(?:memor(?:y|ies)|memory (?:context|bank|notes)|user (?:profile|facts|preferences)|known facts)"
    r"(?: (?:about|of|from|for) [^\n:]{1,40})?(?:\*\*|\])?(?::(?:\*\*)?[^\n]*|[ \t]*(?=\n))",
    regex.MULTILINE,
)
_LINE = regex.compile(
    r"^[ \t]*(?:</?[a-z!?][^\n]*|[{\[] ?[\"{\[][^\n]*|\"[\w .-]{1,40}\" ?:[^\n]*"  # markup, JSON
    r"|\[?\d{4}-\d\d-\d\d[t ]\d\d:\d\d[^\n]{0,30}?\b(?:info|warn(?:ing)?|error|debug|trace|notice|critical|fatal)\b[^\n]*"  # a log
    r"|(?:info|warn(?:ing)?|debug|trace|fatal)[ \t]?[:|\]][^\n]*"
    r"|(?:[a-z][\w.]{0,60}(?:error|warning|exception)|(?:error|warning)\[[\w-]{1,30}\]): [^\n]*)",  # an error by its name
    regex.MULTILINE,
)
_NAMED = ("error: ", "warning: ", "exception: ", "error[", "warning[")
_HEAD = 80  # characters in which a single line names what it is
_TAG = regex.compile(r"(?P<open>^[ \t]*<)(?P<name>[a-z][\w:.-]{0,40})(?=[\s>/])|</(?P<close>[a-z][\w:.-]{0,40})[ \t]*>", regex.MULTILINE)

_BEGINNINGS = (  # of a single line that is pasted
    *_SPEAKERS, *"<{[\"#*_- \t12",
    *("relevant", "recalled", "retrieved", "stored", "injected", "saved", "long-term", "previous", "your", "past", "memor", "known facts"),
)  # fmt: skip
_FIRST = frozenset(beginning[0] for beginning in _BEGINNINGS)


def blank(low: str) -> str:
    """The folded text with what is pasted turned to line breaks; of the same length."""
    typed = low.isascii() and "\x1b" not in low
    if typed and "\n" not in low and not (low[:1] in _FIRST and low.startswith(_BEGINNINGS)) and not _named(low[:_HEAD]):
        return low
    spans = sorted(_spans(low, typed=typed))
    pieces: list[str] = []
    done = 0
    for start, end in spans:
        if end > done:
            pieces += (low[done : max(start, done)], "\n" * (end - max(start, done)))
            done = end
    return "".join((*pieces, low[done:]))


def _named(head: str) -> bool:
    """Whether a line may begin with the name of an error or a warning."""
    return ": " in head and any(name in head for name in _NAMED)


def _spans(low: str, *, typed: bool) -> Iterator[tuple[int, int]]:
    """Where something pasted stands; the spans may overlap."""
    if not typed:
        for pattern in (_BRACKETED, _UNTYPED):
            yield from (found.span() for found in pattern.finditer(low))
    if "<" in low:
        yield from _elements(low)
    for pattern in (_SPOKEN, _LINE):
        yield from (found.span() for found in pattern.finditer(low))
    for pattern in (_MAIL, _REMEMBERED):
        if found := pattern.search(low):
            yield found.start(), len(low)
    if (announced := _announced(low)) is not None:
        yield announced, len(low)


def _announced(low: str) -> int | None:
    """Where somebody else's words begin that a line announces."""
    for colon in _COLON.finditer(low):
        line = low[max(low.rfind("\n", 0, colon.start()) + 1, colon.start() - _TAIL) : colon.start()]
        if _ANNOUNCES.search(line):
            return colon.end()
    return None


def _elements(low: str) -> Iterator[tuple[int, int]]:
    """Each element that begins a line, to the last end of one of its name."""
    opened: list[tuple[int, str]] = []
    ends: dict[str, int] = {}
    for tag in _TAG.finditer(low):
        if name := tag["name"]:
            opened.append((tag.start(), name))
        else:
            ends[tag["close"]] = tag.end()
    covered = 0
    for start, name in opened:
        if start >= covered and ends.get(name, 0) > start:
            covered = ends[name]
            yield start, covered
