"""Values of secrets: exclude values that are none (placeholders, code, words), and recognise random ones."""

from __future__ import annotations

from base64 import b64decode
from binascii import Error

import regex

_PLACEHOLDER = regex.compile(
    r"""^(?:
        [*xX.•_-]+ | \.{3}.* | \[secret:.* | .*(?:\*\*\*|xxxx|XXXX|\[secret:).*
      | <[^<>]*>? | \{\{.* | \{[\w.\s\[\]()]*\}\W* | .*(?:\$|\#(?=\{\w+\}))\{.* | \$[\w({].* | %[\w.]*%? | .*%\(\w+\)s.* | @\w+@?
      | (?i:none|null|nil|true|false|undefined|str(?:ing)?|bytes|optional.*|required|empty|unset|todo|tbd|n/a)
      | (?i:(?:example|sample|dummy|fake|placeholder|redacted).*|hidden|masked|(?:your|my|the|a|some|new|old)[_-].*)
      | (?i:secret|passw(?:or)?d|token|pass|api[_-]?key|change[_-]?me)
      | (?i:(?:sha\d{1,3}|md5|blake\w{1,4})[:-].*)
      | \d{4}-\d\d-\d\d(?:[T\s].*)? | \#[0-9a-fA-F]{3,8} | [a-z_-]+\.[a-z]{2,5}
    )$""",
    regex.VERBOSE | regex.DOTALL,
)
_WORD = r"(?>(?:[A-Z]?[a-z]{2,}|[A-Z]{2,})(?:\d{1,3}(?![A-Za-z]))?)"  # atomic, so that a long run of letters is read once
_NAME = rf"(?>_{{0,2}}{_WORD}(?:_{{0,2}}{_WORD}){{0,7}}_{{0,2}})"
_CODE = regex.compile(  # self.password, getenv(, tokens[0], a?.b, x->y
    rf"^[!&*(]{{0,3}}(?:\$?{_NAME}(?:(?:\.|\?\.|->|::)(?:{_NAME}|\w))+\W*|{_NAME}(?:(?:\.|\?\.|->|::){_NAME}){{0,6}}[(\[].*|[A-Za-z_]\w{{2,40}}\([a-z_][a-z_.]*\))$",
    regex.DOTALL,
)
_ALGORITHM = regex.compile(  # base64-encoded, JWT-RS256, 4096bits
    r"^(?i:(?:base|sha|md|utf|aes|rsa|rot|b|hs|rs|es|ed|hmac|jwt|argon|bcrypt|pbkdf|x|v|oauth|http|ipv|utf-|latin|chacha|curve|secp)-?\d*"
    r"(?:[-_/.](?:[A-Za-z]+|(?:hs|rs|es|sha|v)?\d{1,4}[a-z]?))*|\d{1,5}-?(?:bits?|bytes?|chars?|characters?|digits?|[kmg]b|days?|hours?|h|m|s|ms|min))$"
)
_COMPOUND = regex.compile(r"^[A-Za-z]+\d{0,2}(?:-[A-Za-z]+)+$")
_STRANGE = regex.compile(r"\w[@#$%^&*+=~!;(){}\[\]|?]\w")
_EMAIL = regex.compile(r"^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$")
_PATH = ("http://", "https://", "/", "~/", "./", "../", "file:", "secret://", "vault:", "op://", "arn:")
_FILE = regex.compile(r"^[\w./-]{1,80}\.(?:txt|pem|key|json|ya?ml|toml|env|py|js|ts|md|crt|cfg|ini|html?|sh|go|rs)$")
_VERSION = regex.compile(r"^v?\d+(?:\.\d+){1,3}\S{0,12}$|^\w{1,4}-\d")
_HEX_OR_UUID = regex.compile(r"^(?:[0-9a-f]{32,128}|[0-9A-F]{32,128}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$")


def is_placeholder(value: str) -> bool:
    """Return whether the value is a placeholder for a secret."""
    return _PLACEHOLDER.match(value) is not None


def has_no_placeholder(match: regex.Match[str]) -> bool:
    """Return whether the value of a match is no placeholder."""
    return not is_placeholder(match["value"])


def is_code(value: str) -> bool:
    """Return whether a bare value is an expression: a call, an item, an attribute."""
    return _CODE.match(value) is not None


def _is_reference(value: str) -> bool:
    return value.startswith(_PATH) or _FILE.match(value) is not None or _EMAIL.match(value) is not None


def is_mixed(value: str) -> bool:
    """Return whether the value has letters and digits, as random strings do, and is not a placeholder."""
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value)) and not is_placeholder(value)


def is_drawn(value: str) -> bool:
    """Return whether the value is long and mixed enough to be a machine-made key."""
    if len(value) < 16 or not is_mixed(value) or is_code(value) or _is_reference(value):
        return False
    return _HEX_OR_UUID.match(value) is not None or sum(map(str.isdigit, value)) >= 3 or _both_cases(value)


def _both_cases(value: str) -> bool:
    return any(map(str.isupper, value)) and any(map(str.islower, value)) and any(map(str.isdigit, value))


def is_strange(value: str) -> bool:
    """Return whether the word is unlike the words of a sentence: with a digit, or with a sign inside it."""
    return any(map(str.isdigit, value)) or _STRANGE.search(value) is not None


def is_password(value: str, *, quoted: bool, prose: bool) -> bool:
    """Return whether the value of a password name looks like one. Four digits do; a plain word only does in quotes after a plain sign."""
    if is_placeholder(value) or _is_reference(value):
        return False
    if any(map(str.isspace, value)):
        return quoted and _is_spaced_password(value)
    if value.isdigit():
        return True
    if _ALGORITHM.match(value) or (prose and _VERSION.match(value)):
        return False
    if quoted and not prose:
        return True
    return not is_code(value) and is_strange(value)


def _is_spaced_password(value: str) -> bool:
    words = value.split()
    return len(words) <= 5 and any(is_mixed(word) and not _ALGORITHM.match(word) and not is_code(word) and len(word) >= 6 for word in words)


def is_key(value: str, *, quoted: bool) -> bool:
    """Return whether the value of a key or token name looks like one: two digits and eight letters, or a digit in quotes."""
    if is_placeholder(value) or _is_reference(value) or value.isdigit() or any(map(str.isspace, value)):
        return False
    digits = sum(map(str.isdigit, value))
    if _ALGORITHM.match(value):
        return False
    if quoted:
        return digits > 0 and len(value) >= 6
    return not is_code(value) and not _COMPOUND.match(value) and digits >= 2 and len(value) >= 8


def is_given(value: str, *, joined: bool) -> bool:
    """Return whether the value of an option is a password: not the next word of a sentence, nor a name for the value to insert."""
    if is_placeholder(value) or is_code(value) or value.isupper() or value.startswith(("-", "/", "./", "~")):
        return False
    return joined or is_strange(value)


def is_login(value: str) -> bool:
    """Return whether the value is `user:password` in Base64, as in basic authentication."""
    try:
        decoded = b64decode(value + "=" * (-len(value) % 4), validate=True).decode("ascii")
    except (Error, ValueError):
        return False
    return ":" in decoded and decoded.isprintable()
