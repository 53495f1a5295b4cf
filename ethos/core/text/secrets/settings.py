"""Reader of "name, sign, value": the value of a password, key or token in a setting, code, markup or a sentence.

It starts at a name, reads the sign after it, then the value, quoted or bare, and judges the value by the name's family and the sign.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import cache

import regex

from ethos.core.text.secrets import names, values
from ethos.core.text.secrets.form import Match, ReaderForm, Span, cases

_QUOTED = 2_000  # characters of a quoted value; a longer one is not a setting
_BARE_LENGTH = 400
_LONG = regex.compile(r"[A-Za-z0-9+/=_.-]{0,8000}")  # the rest of the bare value of a long key
_SHORT = r"(?<=[_.-])pass|(?-i:(?<=[a-z])Pass)|(?<![a-z])pass(?=[\"'\]]{0,2}[ \t]{0,60}=)"
_NAME = rf"(?P<password>{names.pattern(names.PASSWORDS)}|{_SHORT})|(?P<key>{names.pattern(names.KEYS)})"
_QUOTES = r"(?:\\{0,7}[\"'`]|%22|&quot;)"
_CLOSE = rf"(?P<close>(?:{_QUOTES}|[\])]|\*{{1,3}}|__){{0,3}})"
_BLANK = r"[ \t]{0,60}"
_TYPE = rf"(?:(?:(?<=:)|(?<=:[ \t]))\w{{2,12}}(?:\s?\|\s?None)?{_BLANK}=)?"  # password: str = "..."
_ASSIGN = (
    rf"{_BLANK}(?:(?:\|\||\?\?|:|=)?=>?|->|<-|[ \t](?:string|str|char|text)[ \t]{{0,3}}:?=|:(?!:)|[：＝→⇒⟶]"  # noqa: RUF001
    rf"|(?<=[ \t])[–—-](?=[ \t])){_BLANK}{_TYPE}(?:\*{{1,3}}|__)?"  # noqa: RUF001
)
_MARKUP = r"(?:[ \t][^<>\n]{0,80}?)?(?:\b[vV]alue=|>)|</\w{1,20}>\s{0,20}<\w{1,20}>"  # the second of two elements
_VALUE_LINE = r"(?:,?\s{0,30}[\"']?\b[vV]alue[\"']?[ \t]?[:=])"  # name: DB_PASSWORD, in the next line value: ...
_ENCODED = r"%3[ADad](?:%20|\+)?"
_NEXT = (
    rf"(?:\s(?:{names.IS}))?[:：]?\*{{0,3}}[ \t]{{0,3}}(?:[|>][-+]?)?[ \t]{{0,3}}(?:\r?\n[ \t]{{0,20}}){{1,3}}"  # noqa: RUF001
    r"(?:`{3}\w{0,10}\n[ \t]{0,20}|[>|•*-][ \t]{1,3})?"
)
_FOR = (  # the password for the staging server is ..., the token we use is ...
    r"(?:\s(?:for|to|of|on|in|at|für|von|pour|para|del?|для|от)(?:\s[\w.'-]{1,30}){1,5}?"
    r"|\s(?:we|i|you|they|that|which)(?:\s[\w']{1,20}){1,3}?)?"
)
_TO = r"\s(?:(?:has been|had to be|was|is|got|now)\s)?(?:changed|set|reset|updated|rotated)\sto\s"
_SAYS = (
    rf"{_FOR}(?:{_TO}|[ \t](?:{names.IS}|(?:should|must|will) be)(?:\s(?:now|jetzt|ahora|maintenant))?:?[ \t]|:[ \t])[ \t]{{0,2}}"
    rf"|'s[ \t]|(?<=[^\x00-\x7f])(?:是|为|為|は){_BLANK}"
)
_HEAD = (
    rf"(?i)(?:{_NAME}){names.SUFFIX}{_CLOSE}(?:"
    rf"(?P<assign>(?:{_ASSIGN}|{_VALUE_LINE}){_BLANK})(?=\S)(?![|>][-+]?[ \t]*\n)|(?P<encoded>{_ENCODED})|(?P<call>[({{][ \t]?(?=[\"'`]))"
    rf"|(?P<markup>{_MARKUP})|(?P<cell>{_BLANK}\|{_BLANK})|(?P<next>{_NEXT})|(?P<says>{_SAYS})"
    r"|(?P<comma>,[ \t]{0,20})|(?P<space>[ \t]{1,60}(?:\d[ \t])?))"
    rf"(?:[bBrRfFuU]{{1,2}}(?=[\"']))?(?P<open>{_QUOTES}|[“„«‘「])?"  # noqa: RUF001
)
_CLOSING = {"“": "”", "„": "“", "«": "»", "‘": "’", "「": "」"}  # noqa: RUF001
_STOPS = (  # ends of a bare value: the next setting, a closing quote, the end of an escaped or encoded text or of an element
    r"[,;&](?:[\"'\\]{0,3}[A-Za-z_][\w.%-]{1,40}[\"'\\]{0,3}[ \t]?[=:]|amp;)"
    r"|[\"'`](?:[\s,;:)\]}\\]|$)|\\[\"'nrt]|</|%2[26]|%0[AaDd]"
)
_BARE = regex.compile(rf"(?:[^\s,;&\"'`\\<%]++|(?!{_STOPS})\S)++")
_CELL = regex.compile(r"[^|\n]+")
_TAIL = ".,;:!?…"
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}
_CONSTANT = regex.compile(r"^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$")
_TEXT_OF_ELEMENT = regex.compile(r"[^<\n]+(?=</|\n|$)")
_REST_OF_LINE = regex.compile(r"[`\"'*|]{0,4}[ \t]*(?:[.,]?[ \t]*(?:\r?\n|$)|\\n)")


class Sign(Enum):
    """The link between a name and its value."""

    ASSIGN = "assign"  # a setting: =, :, ->
    ENCODED = "encoded"  # the same in an address
    CALL = "call"  # setPassword("...")
    MARKUP = "markup"  # <password>...</password>
    CELL = "cell"  # the next cell of a table
    NEXT = "next"  # the next line
    SAYS = "says"  # a sentence: is, was changed to
    COMMA = "comma"  # define("DB_PASSWORD", "..."), or an apposition
    SPACE = "space"  # --token ..., the password ...


_SIGNS = tuple((sign.value, sign) for sign in Sign)


@cache
def _head() -> regex.Pattern[str]:
    """Compile the pattern of names and signs on first use."""
    return regex.compile(_HEAD)


def spans_at(text: str, position: int) -> Iterable[Span]:
    """Return the span of the secret whose name is at this position."""
    head = _head().match(text, position)
    if head is None:
        return ()
    sign = next(sign for group, sign in _SIGNS if head[group] is not None)
    found = _value(text, head, sign)
    if found is None or not _counts(text, head, sign, *found):
        return ()
    start, stop = found
    return ((start, _LONG.match(text, stop).end() if stop - start >= _BARE_LENGTH - 10 else stop),)  # type: ignore[union-attr]  # may be empty, never None


def _value(text: str, head: Match, sign: Sign) -> Span | None:
    """Return the span of the value after the sign."""
    start, opening = head.end(), head["open"]
    if opening:
        stop = _closing(text, start, opening)
        return (start, stop) if stop is not None else _trimmed(text, start, _end(_BARE, text, start))
    if sign is Sign.MARKUP:
        return (
            _trimmed(text, start, _end(_TEXT_OF_ELEMENT, text, start))
            if head["markup"][0] == "<" or _in_element(text, head.start())
            else None
        )
    if sign is Sign.CELL:
        stop = _end(_CELL, text, start)
        return start, start + len(text[start:stop].rstrip())
    return _trimmed(text, start, _end(_BARE, text, start))


def _end(pattern: regex.Pattern[str], text: str, start: int) -> int:
    match = pattern.match(text, start, start + _BARE_LENGTH)
    return match.end() if match else start


def _in_element(text: str, position: int) -> bool:
    return text.rfind("<", max(0, position - 120), position) > text.rfind(">", max(0, position - 120), position)


def _closing(text: str, start: int, opening: str) -> int | None:
    """Return where a quoted value ends: at the same quote, after as many backslashes, in the same line."""
    limit = start + _QUOTED
    line = text.find("\n", start, limit)
    limit = min(limit if line < 0 else line, len(text))
    closing = _CLOSING.get(opening, opening)
    at = start
    while (at := text.find(closing, at, limit)) >= 0:
        strokes = at - len(text[start:at].rstrip("\\")) - start
        if strokes % 2 == 0 or closing[0] == "\\":
            return at if at > start else None
        at += 1
    return None


def _trimmed(text: str, start: int, stop: int) -> Span | None:
    """Return the span without punctuation of the sentence, and without brackets that were opened before the value."""
    while stop > start:
        last = text[stop - 1]
        opened = _PAIRS.get(last)
        if last in _TAIL or last in "\"'`" or (opened and text.count(last, start, stop) > text.count(opened, start, stop)):
            stop -= 1
        elif last == "*" and text.startswith("**", stop - 2):
            stop -= 2
        else:
            return start, stop
    return None


def _counts(text: str, head: Match, sign: Sign, start: int, stop: int) -> bool:
    """Return whether the value is a secret, by its shape and by how specific the sign is."""
    value, quoted = text[start:stop], bool(head["open"])
    password = head["password"] is not None
    if len(value) < (4 if password else 6):
        return False
    name = head["password"] or head["key"]
    if sign is Sign.ASSIGN:
        if name.isupper() and "=" in head["assign"] and _is_set(value):
            return True
        return values.is_password(value, quoted=quoted, prose=False) if password else values.is_key(value, quoted=quoted)
    if len(value) < 6 and not value.isdigit():
        return False
    if sign in {Sign.MARKUP, Sign.ENCODED, Sign.SAYS}:
        prose = sign is Sign.SAYS and not quoted
        return values.is_password(value, quoted=quoted, prose=prose) if password else values.is_key(value, quoted=quoted)
    if sign in {Sign.CALL, Sign.COMMA} and quoted:
        if sign is Sign.COMMA and not head["close"]:
            return False
        if password:
            return values.is_strange(value) and values.is_password(value, quoted=True, prose=True)
        return values.is_key(value, quoted=True) if sign is Sign.CALL else values.is_drawn(value)
    if sign is Sign.CELL:
        return _fits(value.strip("`* "), password=password, quoted=False)
    if sign is Sign.NEXT:
        return _REST_OF_LINE.match(text, stop) is not None and (
            (values.is_strange(value) and not value.isdigit() and values.is_password(value, quoted=quoted, prose=True))
            if password
            else values.is_drawn(value)
        )
    return _behind_blank(text, head, value, password=password, option=sign is Sign.SPACE)


def _fits(value: str, *, password: bool, quoted: bool) -> bool:
    if password:
        return values.is_mixed(value) and values.is_password(value, quoted=quoted, prose=True)
    return values.is_key(value, quoted=False)


def _is_no_number(value: str) -> bool:
    return not value.isdigit() and value[0] not in "([{<$@" and values.is_password(value, quoted=False, prose=True)


def _is_set(value: str) -> bool:
    """Return whether a variable in capitals is assigned this value, which would be a plain word otherwise."""
    return len(value) >= 6 and not (
        any(map(str.isspace, value)) or values.is_placeholder(value) or values.is_code(value) or _CONSTANT.match(value)
        or value.isdigit() or value.startswith(("http", "/", "~", "./"))
    )  # fmt: skip


def _behind_blank(text: str, head: Match, value: str, *, password: bool, option: bool) -> bool:
    """Return whether a name followed by only a space or a comma has its value next.

    It does in an option, in a line of a setting, and in a sentence whose next word can only be a secret.
    """
    if values.is_code(value) or (head["close"] and not option):
        return False
    begin = head.start()
    while begin > 0 and head.start() - begin < 60 and (text[begin - 1].isalnum() or text[begin - 1] in "_.-"):
        begin -= 1
    if option and text.startswith("-", begin):
        return values.is_given(value, joined=False) and (password or values.is_key(value, quoted=False))
    if password:
        return (values.is_strange(value) if option else values.is_mixed(value)) and _is_no_number(value)
    return values.is_drawn(value)


SETTINGS = (ReaderForm("password", (*names.literals(names.PASSWORDS), *names.literals(names.KEYS), *cases("pass").split("|")), spans_at),)
