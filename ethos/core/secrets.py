"""Secrets: found by what they look like, and replaced before a text is written anywhere (TRUST, promise 8).

High precision first: the forms that issuers gave their keys (the ids follow gitleaks), then what a sentence or a setting calls a password.
A text without any of the literals costs one pass of the automaton. What was replaced is told apart by a keyed hash, never a plain one,
which could be guessed from a list of likely passwords.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import NamedTuple

import regex
from ahocorasick_rs import AhoCorasick

_SHOWN = 6  # hexadecimal digits of the keyed hash: tells two secrets apart, gives nothing away


class _Form(NamedTuple):
    """One form of secret: its name, the literals it begins with, and its pattern, tried only where one of them stands.

    The group `value`, else the whole match, is the secret, if `accepts` says so.
    """

    name: str
    literals: tuple[str, ...]
    pattern: regex.Pattern[str]
    accepts: Callable[[regex.Match[str]], bool]


def _always(_: regex.Match[str]) -> bool:
    return True


_PLACEHOLDER = regex.compile(
    r"""^(?:
        [*xX.•_-]+ | \.{3}.* | \[secret:.* | .*(?:\*\*\*|xxxx|XXXX).*
      | <.*>? | \{\{?.* | \$.* | %.*% | @.*
      | (?i:none|null|nil|true|false|undefined|str(?:ing)?|bytes|optional.*|required|empty|unset|todo|tbd)
      | (?i:(?:example|sample|dummy|fake|placeholder|redacted).*|hidden|masked|(?:your|my|the|a|some|new|old)[_-].*)
      | (?i:secret|passw(?:or)?d|token|api[_-]?key|change[_-]?me)
      | [0-9a-f]{40} | [0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}
      | \d{4}-\d\d-\d\d.*
    )$""",
    regex.VERBOSE,
)  # a commit and a UUID are what people call a token most often, and neither is one
_CODE = regex.compile(r"^[A-Za-z_]\w*(?:(?:\.|->|::)\w+)+\W*$|^[A-Za-z_][\w.]*[(\[].*$")  # self.password, getenv(, tokens[0]
_COMPOUND = regex.compile(r"^[A-Za-z]+\d*(?:-[A-Za-z]+)+$")  # base64-encoded


def _looks_secret(match: regex.Match[str]) -> bool:
    """Whether what a name or a sentence calls a secret looks like one: no placeholder, no code, and stranger than a word."""
    value, quoted = match["value"], bool(match["quote"])
    password = match["name"].lower().startswith(("pass", "pwd"))
    if _PLACEHOLDER.match(value) or value.startswith(("http://", "https://", "/", "~", "./")):
        return False
    if value.isdigit():
        return password
    digits = sum(letter.isdigit() for letter in value)
    if quoted and (digits or password):
        return True
    if _CODE.match(value) or _COMPOUND.match(value):
        return False
    strange = digits >= 1 if password else digits >= 2 and len(value) >= 8
    return strange or (match["sign"] == "=" and match["name"].isupper())


def _no_placeholder(match: regex.Match[str]) -> bool:
    return not _PLACEHOLDER.match(match["value"])


_MASKED = regex.compile(r"\[secret:[a-z-]{2,20}:[0-9a-f]{6}\]")  # what an earlier masking left
_NAME = r"(?P<name>passw(?:or)?d|passphrase|pwd|secret(?:[ _-]?(?:access[ _-]?)?key)?|token|credential|(?:api|access|auth)[ _-]?key)"
_VALUE = r"""(?P<quote>["'`]?)(?P<value>[^\s"'`,;(){}<>]{5,199}[^\s"'`,;(){}<>.!?])"""


def _cases(*names: str) -> str:
    """Each name of one word, and of two written together, with a blank or with a joint, in the cases people write them in."""
    found: list[str] = []
    for name in names:
        for joint in ("", " ", "_", "-") if " " in name else ("",):
            first, *rest = name.split()
            words = [joint.join((first, *rest)), joint.join((first.capitalize(), *rest)), joint.join((first.upper(), *rest))]
            titled = [joint.join((case, *map(str.capitalize, rest))) for case in (first, first.capitalize(), first.upper())]
            found += [*words, *titled, words[0].upper()]
    return "|".join(dict.fromkeys(found))


def _form(name: str, literals: str, pattern: str, accepts: Callable[[regex.Match[str]], bool] = _always) -> _Form:
    return _Form(name, tuple(literals.split("|")), regex.compile(pattern), accepts)


_FORMS = (
    _form(
        "private-key",
        "-----BEGIN",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?:[^-]|-(?!----)){0,20000}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"|(?:(?:\\n|\s){0,4}[A-Za-z0-9+/=]{16,4000}){0,400})",  # one that is cut off ends with its last line of code letters
    ),
    _form("aws-key", "AKIA|ASIA|ABIA|ACCA", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b"),
    _form(
        "aws-secret",
        "aws|AWS",
        r"""(?i)aws.{0,20}?(?:secret|key).{0,20}?[=:\s"']{1,4}(?P<value>[a-z0-9/+]{40})(?![a-z0-9/+=])""",
    ),
    _form("github", "ghp_|gho_|ghu_|ghs_|ghr_|github_pat_", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})"),
    _form("gitlab", "glpat-|gldt-|glrt-|glptt-|glcbt-", r"\bgl(?:pat|dt|rt|ptt|cbt)-[\w-]{20,100}"),
    _form("slack", "xox|xapp-", r"\b(?:xox[abeoprs]-[A-Za-z0-9-]{10,250}|xapp-\d-[A-Za-z0-9-]{20,200})"),
    _form("slack-webhook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows)/(?P<value>[A-Za-z0-9/+]{20,120})"),
    _form("stripe", "sk_live_|sk_test_|rk_live_|rk_test_", r"\b[sr]k_(?:live|test)_[A-Za-z0-9]{10,150}"),
    _form("webhook", "whsec_", r"\bwhsec_[A-Za-z0-9+/=]{24,100}"),
    _form("anthropic", "sk-ant-", r"\bsk-ant-[\w-]{16,200}"),
    _form("openrouter", "sk-or-", r"\bsk-or-(?:v1-)?[A-Za-z0-9]{32,100}"),
    _form("openai", "sk-", r"\bsk-(?!ant-|or-)(?:(?:proj|svcacct|admin|None)-[\w-]{20,250}|[A-Za-z0-9]{20,64}(?![\w-]))"),
    _form("google", "AIza|GOCSPX-|ya29.", r"\b(?:AIza[\w-]{35}|GOCSPX-[\w-]{28}|ya29\.[\w-]{20,300})"),
    _form("jwt", "eyJ", r"\beyJ[\w-]{8,4000}\.eyJ[\w-]{8,8000}\.[\w-]{8,2000}"),
    _form("npm", "npm_", r"\bnpm_[A-Za-z0-9]{36}\b"),
    _form("pypi", "pypi-", r"\bpypi-[\w-]{50,400}"),
    _form("telegram", ":AA", r"(?<=\b\d{8,10}):AA[\w-]{33}(?![\w-])"),
    _form("sendgrid", "SG.", r"\bSG\.[\w-]{16,32}\.[\w-]{32,64}"),
    _form("huggingface", "hf_", r"\bhf_[A-Za-z0-9]{30,64}\b"),
    _form("digitalocean", "doo_v1_|dop_v1_|dor_v1_", r"\bdo[opr]_v1_[0-9a-f]{64}\b"),
    _form("shopify", "shpat_|shpca_|shppa_|shpss_", r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b"),
    _form("vault", "hvs.|hvb.", r"\bhv[sb]\.[\w-]{24,300}"),
    _form("docker", "dckr_pat_", r"\bdckr_pat_[\w-]{20,60}"),
    _form("groq", "gsk_", r"\bgsk_[A-Za-z0-9]{40,64}\b"),
    _form("linear", "lin_api_", r"\blin_api_[A-Za-z0-9]{32,64}\b"),
    _form("age", "AGE-SECRET-KEY-", r"\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b"),
    _form("azure", "AccountKey=|SharedAccessKey=", r"(?:Account|SharedAccess)Key=(?P<value>[A-Za-z0-9+/=]{40,120})"),
    _form("authorization", _cases("authorization"), r"(?i)authorization\W{1,4}(?:bearer|basic|token)\s{1,3}(?P<value>[\w.~+/=-]{8,4000})"),
    _form("url", "://", r"(?<=[A-Za-z0-9+.-])://[^\s:/@]{0,80}:(?P<value>[^\s@/]{2,200})@(?=[\w\[])", _no_placeholder),
    _form(
        "password",
        _cases("password", "passwd", "passphrase", "pwd", "secret", "token", "credential", "api key", "access key", "auth key"),
        rf"""(?i){_NAME}["'`]?(?:\s{{0,3}}(?P<sign>=>|:=|=|:)\s{{0,3}}|\s(?P<sign>is|was)(?:\snow)?:?\s){_VALUE}""",
        _looks_secret,
    ),
)
_LITERALS = [literal for form in _FORMS for literal in form.literals]
_FORM_OF = [number for number, form in enumerate(_FORMS) for _ in form.literals]
_AUTOMATON = AhoCorasick(_LITERALS)


def mask(text: str, key: bytes) -> tuple[str, tuple[str, ...]]:
    """The text with `[secret:<form>:<6 hex digits>]` in place of every secret, and the forms that were found, in order of place.

    key: of the keyed hash (HMAC-SHA-256); the same secret under the same key always gives the same digits. Masking twice changes nothing.
    """
    hits = _AUTOMATON.find_matches_as_indexes(text, overlapping=True)
    if not hits:
        return text, ()
    spans = _spans(text, sorted({(_FORM_OF[literal], start) for literal, start, _ in hits}))
    if not spans:
        return text, ()
    pieces: list[str] = []
    end = 0
    for start, stop, name in spans:
        shown = hmac.digest(key, text[start:stop].encode("utf-8", "surrogatepass"), "sha256").hex()[:_SHOWN]
        pieces += (text[end:start], f"[secret:{name}:{shown}]")
        end = stop
    return "".join((*pieces, text[end:])), tuple(name for _, _, name in spans)


def _spans(text: str, hits: list[tuple[int, int]]) -> list[tuple[int, int, str]]:
    """Where secrets stand, in order, given (form number, position of its literal); where two overlap, the earlier form has it."""
    taken = [match.span() for match in _MASKED.finditer(text)]
    found: list[tuple[int, int, str]] = []
    for number, position in hits:
        form = _FORMS[number]
        match = form.pattern.match(text, position)
        if match is None or not form.accepts(match):
            continue
        start, stop = match.span("value" if "value" in form.pattern.groupindex else 0)
        if not any(start < other_stop and other_start < stop for other_start, other_stop in taken):
            taken.append((start, stop))
            found.append((start, stop, form.name))
    return sorted(found)
