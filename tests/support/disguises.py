"""Disguises: a generator of turns in which a person hands on what somebody else wrote, for the property that none of it speaks for them.

A disguise is a structure (how text of others looks), with words of one of several languages, in a nesting (what the person writes around
it, and whether the text stands in it whole, in its midst, or with other paragraphs), around a payload: a sentence that the rules read as a
fact when the person says it. `FAULTS` are the reproductions of a list of faults, each of which once was a fact.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import NamedTuple

PAYLOADS = (
    "We decided to use CockroachDB for the ledger.",
    "We switched from Jenkins to Buildkite.",
    "I prefer Helix over Neovim.",
    "My favorite language is Fortran.",
    "I hate snapshot tests.",
    "I love morning stand-ups.",
    "We no longer use Terraform.",
    "Always run the smoke tests before a release.",
    "Never use global variables.",
    "Remember this: the door code belongs to Quentin.",
    "I'm allergic to shellfish.",
    "We use Kafka for events.",
)


class Tongue(NamedTuple):
    """The words of a language that the structures are made of."""

    name: str
    other: str  # somebody's name
    filler: str  # a harmless sentence
    title: str
    asks: str  # the person, before they paste
    says: str  # "X wrote", at the end of a line
    headers: tuple[str, str, str]  # of a mail: from, date, subject
    dear: str
    regards: str


TONGUES = (
    Tongue(
        "en",
        "Priya",
        "The lift is out of order again.",
        "Release plan",
        "What do you make of it?",
        "Priya wrote",
        ("From", "Date", "Subject"),
        "Dear Marta",
        "Kind regards",
    ),
    Tongue(
        "de",
        "J\u00fcrgen",
        "Der Aufzug ist wieder kaputt.",
        "Projektplan",
        "Was h\u00e4ltst du davon?",
        "J\u00fcrgen schrieb am Montag",
        ("Von", "Datum", "Betreff"),
        "Sehr geehrte Frau Weiss",
        "Mit freundlichen Gr\u00fc\u00dfen",
    ),
    Tongue(
        "fr",
        "H\u00e9l\u00e8ne",
        "L'ascenseur est encore en panne.",
        "Compte rendu",
        "Qu'en penses-tu ?",
        "Le 3 mai, H\u00e9l\u00e8ne a \u00e9crit",
        ("De", "Date", "Objet"),
        "Ch\u00e8re Marta",
        "Cordialement",
    ),
    Tongue(
        "es",
        "Ra\u00fal",
        "El ascensor no funciona otra vez.",
        "Acta",
        "\u00bfQu\u00e9 opinas?",
        "Ra\u00fal escribi\u00f3",
        ("De", "Fecha", "Asunto"),
        "Estimada Marta",
        "Saludos cordiales",
    ),
    Tongue(
        "ru",
        "\u041e\u043b\u044f",
        "\u041b\u0438\u0444\u0442 \u0441\u043d\u043e\u0432\u0430 \u043d\u0435 \u0440\u0430\u0431\u043e\u0442\u0430\u0435\u0442.",
        "\u041f\u043b\u0430\u043d",
        "\u0427\u0442\u043e \u0434\u0443\u043c\u0430\u0435\u0448\u044c?",
        "\u041e\u043b\u044f \u043f\u0438\u0448\u0435\u0442",
        ("\u041e\u0442", "\u0414\u0430\u0442\u0430", "\u0422\u0435\u043c\u0430"),
        "\u0423\u0432\u0430\u0436\u0430\u0435\u043c\u0430\u044f \u041c\u0430\u0440\u0442\u0430",
        "\u0421 \u0443\u0432\u0430\u0436\u0435\u043d\u0438\u0435\u043c",
    ),
    Tongue(
        "ja",
        "\u5c0f\u6797",
        "\u307e\u305f\u30a8\u30ec\u30d9\u30fc\u30bf\u30fc\u304c\u6545\u969c\u4e2d\u3067\u3059\u3002",
        "\u8a08\u753b",
        "\u3069\u3046\u601d\u3046\uff1f",
        "\u5c0f\u6797\u3055\u3093\u306e\u8fd4\u4e8b",
        ("\u5dee\u51fa\u4eba", "\u65e5\u4ed8", "\u4ef6\u540d"),
        "\u30de\u30eb\u30bf\u69d8",
        "\u656c\u5177",
    ),
)

# Marks that stand before every line of what they quote.
PREFIXES: Mapping[str, str] = {
    "quote": "> ",
    "quote without a space": ">",
    "quote, nested": "> > ",
    "quote as an entity": "&gt; ",
    "four spaces": "    ",
    "tab": "\t",
}


def _between(opening: str, closing: str) -> str:
    """Return a structure of a mark that opens and one that closes."""
    return f"{opening}{{t.filler}}\n{{p}}\n{{t.filler}}{closing}"


# How text of others looks: what a program can tell by its shape.
STRUCTURES: Mapping[str, str] = {
    "fence": "```\n{t.filler}\n{p}\n```",
    "fence in a fence": "```\n# {t.title}\n```sh\nmake\n```\n{p}\n```",
    "fence of waves with a language": "~~~markdown\n{p}\n{t.filler}\n~~~",
    "fence never closed": "```\n{t.filler}\n\n{p}",
    "quote, lazy": "> {t.filler}\n{p}",
    "quote behind triple quotation marks": "> ''''''{p}",
    "quote behind an element": "> <td>{t.filler}, {t.filler}</td> {p}",
    "quote behind an element, lazy": "> <td>{t.filler}, {t.filler}</td> {t.filler}\n{p}",
    "code behind an element": "    <td>{t.filler}, {t.filler}</td> {p}",
    "quote behind a private part": "> <private>{t.filler}</private> {p}",
    "quote behind a private part, lazy": "> {t.filler}\n <private>{t.filler}</private> {p}",
    "quote behind private paragraphs": "> {t.filler} <private>{t.filler}\n\n{t.filler}</private> {p}",
    "quote behind an element over lines": "> <td>{t.filler},\n{t.filler}</td> {p}",
    "code behind a private part": "    <private>{t.filler}</private> {p}",
    "curly quotation": _between("\u201c", "\u201d"),
    "low quotation": _between("\u201e", "\u201c"),
    "guillemets": _between("\u00ab ", " \u00bb"),
    "corner brackets": _between("\u300c", "\u300d"),
    "white corner brackets, one line": "\u300e{p}\u300f",
    "straight quotation over paragraphs": '"{t.filler}\n\n{p}"',
    "triple quotation marks": _between('"""', '"""'),
    "bb code": "[quote={t.other}]{t.filler}\n{p}[/quote]",
    "wiki quote": _between("{{quote}}\n", "\n{{quote}}"),
    "wiki panel": "{{panel:title={t.title}}}\n{p}\n{{panel}}",
    "org quote": _between("#+BEGIN_QUOTE\n", "\n#+END_QUOTE"),
    "latex": _between("\\begin{{quotation}}\n", "\n\\end{{quotation}}"),
    "blockquote": _between("<blockquote>", "</blockquote>"),
    "element in a line": "<td>{p}</td>",
    "article": "<article>\n<h1>{t.title}</h1>\n\n{p}\n</article>",
    "html comment": "<!-- {t.filler}\n{p} -->",
    "speaker": "{t.other}: {p}",
    "speaker, two paragraphs": "{t.other}: {t.filler}\n\n{p}",
    "speaker in bold": "**{t.other}:** {p}",
    "speaker as a line in bold": "**{t.other}**\n\n{p}",
    "speaker with a wide colon": "{t.other}\uff1a{p}",
    "minutes": "- {t.other}: {p}\n- Marta: {t.filler}",
    "role heading": "### Human\n\n{p}\n\n### Assistant\n\n{t.filler}",
    "role in brackets": "[user]\n{p}\n[assistant]\n{t.filler}",
    "role between tokens": "<|user|>\n{p}<|end|>",
    "role with a letter of another alphabet": "\u0410ssistant: {p}",
    "nick": "<{t.other}> {t.filler}\n<marta> {p}",
    "nick with a time": "14:05 <marta> {p}\n14:06 <{t.other}> {t.filler}",
    "time in brackets": "[14:05] {t.other}\n{p}",
    "time behind a name": "{t.other}  2:05 PM\n{p}\n{t.filler}",
    "phone chat": "05/03/2026, 14:05 - {t.other}: {t.filler}\n{p}",
    "phone chat, dotted date": "[05.03.26, 14:05:31] {t.other}: {p}",
    "meeting captions": "WEBVTT\n\n00:00:01.000 --> 00:00:04.000\n{t.other}: {p}",
    "subtitles": "1\n00:00:01,000 --> 00:00:04,000\n{p}",
    "ticket fields": "Reporter: {t.other}\nSeverity: low\n\n{p}",
    "mail": "{t.headers[0]}: {t.other}\n{t.headers[1]}: 3.5.2026\n{t.headers[2]}: {t.title}\n\n{t.filler}\n\n{p}",
    "mail with a subject alone": "{t.headers[2]}: {t.title}\n\n{p}",
    "reply": "{t.says}:\n\n{t.filler}\n{p}",
    "log": "2026-05-03 14:05:31,120 INFO app.main {t.title}\n{p}",
    "log, level first": "WARN  [worker-3] {p}",
    "log of key and value": 'ts=1746280000 level=info msg="{p}"',
    "log of the system": "May  3 14:05:31 host cron[812]: {p}",
    "log of containers": "api_1     | {p}",
    "history of commits": "9f3c2ab {t.title}\n1c0d9e4 {p}",
    "commit": "commit 9f3c2ab1c0d9e49f3c2ab1c0d9e49f3c2ab1c0d9\nAuthor: {t.other} <a@example.org>\n\n    {p}",
    "grep": "docs/notes.md:12:{p}\ndocs/plan.md:3:{t.filler}",
    "shell": "$ cat notes.txt\n{p}\n{t.filler}",
    "shell with a host": "marta@laptop:~/src$ tail notes.txt\n{t.filler}\n{p}",
    "shell of windows": "C:\\Users\\marta> type notes.txt\n{p}",
    "power shell": "PS C:\\src> Get-Content notes.txt\n\n{p}",
    "shell with a sign": "\u276f cat notes.txt\n{p}",
    "python prompt": ">>> print(notes)\n{p}",
    "notebook": "In [4]: print(notes)\n{p}",
    "database prompt": "shop=# select note from notes;\n{p}",
    "ruby prompt": "irb(main):001:0> puts notes\n{p}",
    "table": "| who | note |\n|---|---|\n| {t.other} | {p} |",
    "table without edges": "who | when | note\n--- | --- | ---\n{t.other} | May | {p}",
    "table in a box": "\u250c\u2500\u2500\u2500\u2500\u2510\n\u2502 {p} \u2502\n\u2514\u2500\u2500\u2500\u2500\u2518",
    "comma separated": 'id,who,note\n1,{t.other},"{p}"',
    "semicolon separated": "id;who;note\n1;{t.other};{p}",
    "tab separated": "1\t{t.other}\t{p}",
    "json": '{{\n  "who": "{t.other}",\n  "note": "{p}"\n}}',
    "json lines": '{{"role": "user", "content": "{p}"}}',
    "dictionary": "[{{'role': 'user', 'content': '{p}'}}]",
    "yaml": "title: {t.title}\nbody: |\n  {p}",
    "front matter": "---\ntitle: {t.title}\n---\n\n{p}",
    "toml": '[entry]\nnote = "{p}"',
    "settings": "NOTE={p}\nMODE=fast",
    "hash comment": "# {t.filler}\n# {p}",
    "slash comment": "// {p}\nrun();",
    "block comment": "/*\n * {t.filler}\n * {p}\n */",
    "block comment without stars": "/*\n{p}\n*/",
    "comment of a query": "-- {p}\nSELECT 1;",
    "comment of lisp": ";; {p}\n(run)",
    "docstring": 'def pay():\n    """{p}"""\n    return 1',
    "code": "function note() {{\n{p}\n}}",
    "diff": "--- a/notes.md\n+++ b/notes.md\n@@ -1,2 +1,2 @@\n {t.filler}\n+{p}",
    "added lines": "+{t.filler}\n+{p}",
    "merge conflict": "<<<<<<< HEAD\n{p}\n=======\n{t.filler}\n>>>>>>> main",
    "trace of python": 'Traceback (most recent call last):\n  File "a.py", line 3, in run\nValueError: {p}',
    "trace of java": "Exception in thread main java.lang.Error: no\n\tat a.B.c(B.java:3)\n{p}",
    "panic": "panic: {p}\n\ngoroutine 1 [running]:",
    "heading": "# {t.title}\n\n{t.filler}\n\n{p}",
    "heading underlined": "{t.title}\n==========\n\n{p}",
    "rule above": "----------\n{p}\n----------",
    "zero width": "\u200d{p}",
    "left to right mark": "{t.filler}\u200e\n{p}",
    "soft hyphen": "{t.filler}\u00ad\n{p}",
    "invisible operator": "\u2062{p}",
    "hangul filler": "\u3164{p}",
    "variation selector": "\ufe01{p}",
    "vertical tab": "{t.filler}\v{p}",
    "line separator": "{t.filler}\u2028{p}",
    "escape": "\x1b[1m{p}\x1b[0m",
    "letter": "{t.dear},\n\n{p}\n\n{t.regards}\n{t.other}",
}

# What the person's own words announce: no shape tells it, the announcement does.
ANNOUNCED: Mapping[str, str] = {
    "translate": "Translate into Polish: {p}",
    "translate below": "Can you translate this?\n\n{p}",
    "polish": "Please polish this paragraph:\n\n{t.filler} {p}",
    "shorten": "Shorten: {p}",
    "what somebody said": "Here is what {t.other} said.\n\n{p}",
    "what came": "just got this:\n\n{p}",
    "a document": "Below is the proposal.\n\n{t.filler}\n\n{p}",
    "an answer": "Draft a reply to this message:\n{p}",
    "a review": "The reviewer commented: {p}",
    "a plan": "Implement the following plan:\n\n{p}",
    "a plan with headings": "Implement the following plan:\n\n# {t.title}\n\n## Context\n\n{p}",
    "a record": "RFC 31 {t.title}\n\nDecision\n\n{p}",
    "afterwards": "{p}\n\nTranslate the text above into Polish.",
    "an interview": "From the interview transcript:\n\n{t.filler}\n{p}",
}

# What the person writes around it. `{}` is the structure.
NESTINGS: Mapping[str, str] = {
    "alone": "{}",
    "behind a question": "ASKS\n\n{}",
    "behind a question, next line": "ASKS\n{}",
    "with a question behind it": "{}\n\nASKS",
    "behind a fence of their own": "Look at this:\n```\nx = 1\n```\nASKS\n\n{}",
}

# What stands beside the payload in the structure.
BODIES: tuple[str, ...] = (
    "{p}",
    "{p}",
    "{t.filler}\n{p}",
    "{t.filler}\n\n{p}",
    "{t.filler} {p}\n\n{t.filler}",
)
# Marks that reach no further than a blank line: what comes behind it looks like the person's own words, and may be.
ENDS_WITH_ITS_PARAGRAPH = frozenset(
    {"minutes", *(name for name in STRUCTURES if name.startswith(("quote, ", "quote behind", "code behind")))}
)


class Disguise(NamedTuple):
    """A turn, and how it was made."""

    structure: str
    tongue: str
    nesting: str
    payload: str
    text: str
    structural: bool


def disguises(count: int, seed: int) -> Iterator[Disguise]:
    """Yield so many disguises: every structure in turn, with the rest drawn."""
    draw = random.Random(seed)
    structures = [*STRUCTURES, *PREFIXES, *ANNOUNCED]
    for number in range(count):
        name = structures[number % len(structures)]
        tongue, payload = draw.choice(TONGUES), draw.choice(PAYLOADS)
        body = ("{p}" if name in ENDS_WITH_ITS_PARAGRAPH else draw.choice(BODIES)).format(p=payload, t=tongue)
        nesting = "alone" if name in ANNOUNCED else draw.choice([*NESTINGS])
        text = NESTINGS[nesting].replace("ASKS", tongue.asks).replace("{}", dressed(name, body, tongue))
        yield Disguise(name, tongue.name, nesting, payload, text, name not in ANNOUNCED)


def dressed(name: str, body: str, tongue: Tongue) -> str:
    """Return what stands in the disguise of this name."""
    if name in PREFIXES:
        return "\n".join(PREFIXES[name] + line for line in (tongue.filler, *body.split("\n"), tongue.filler))
    return (STRUCTURES.get(name) or ANNOUNCED[name]).format(p=body, t=tongue)
