"""Key material: private keys whole and in part, encrypted and wallet tokens, seed phrases, the private part of a JSON web key."""

from __future__ import annotations

import regex

from ethos.core.text.secrets.form import Match, PatternForm, cases

_BASE64_LINES = (  # the last one may be short, but is not a word
    r"(?:(?:\\n|\s){0,4}[A-Za-z0-9+/=]{16,4000}){0,400}"
    r"(?:(?:\\n|\s){0,4}(?=[^\s\\]{0,63}[0-9=])(?=[^\s\\]{0,63}[A-Z=])[A-Za-z0-9+/=]{4,63}(?=\s|\\n|$|[\"'`]))?"
)
_HEADERS = r"(?:(?:\\n|\s){0,4}(?:Proc-Type|DEK-Info|Comment|Version|Hash): [^\n\\]{1,100}){0,6}"
_BASE58 = "[1-9A-HJ-NP-Za-km-z]"
# The first Base64 characters of a private key: PKCS 1, PKCS 8, EC, Ed25519, OpenSSH, encrypted PKCS 8.
_BEGINNINGS = "MIIB|MIIC|MIIE|MIIF|MIIG|MIIJ|MIIK|MIIS|MC4CAQ|MHcCAQ|MIGHAg|MIGkAg|MHQCAQ|MFECAQ|MIG2Ag|b3BlbnNzaC1rZXk"
_PUBLIC = regex.compile(
    r"-----BEGIN (?:CERTIFICATE|PUBLIC KEY|RSA PUBLIC KEY|PKCS7|X509 CRL|CERTIFICATE REQUEST|NEW CERTIFICATE REQUEST)-----"
)


def _private(match: Match) -> bool:
    """Return whether Base64 with the header of a key is a private key: it is not a certificate, and not part of one."""
    before = match.string[max(0, match.start() - 100) : match.start()]
    return _PUBLIC.search(before) is None and "ertificate" not in before


def _of_a_key(match: Match) -> bool:
    around = match.string[max(0, match.start() - 2_000) : match.end() + 2_000]
    return '"kty' in around or "'kty" in around or '\\"kty' in around


def _mixed_case(match: Match) -> bool:
    value = match[0]
    return any(map(str.isupper, value)) and any(map(str.islower, value)) and any(map(str.isdigit, value))


_WORD = r"(?:\d{1,2}[.):]?[ \t]{0,2})?[a-z]{3,8}"
_SEED = (  # twelve to twenty-four words of BIP 39, numbered or not
    r"(?i)(?:(?:seed|recovery|secret|backup|mnemonic)[ _-](?:phrase|words|code)|mnemonic)(?:\s(?:is|was|are))?"
    rf"""[\"']?\s{{0,3}}[:=]?\s{{0,3}}["'`]?(?P<value>(?:{_WORD}[ ,\n]{{1,2}}){{11,23}}{_WORD})\b"""
)
_NUMBERED = (
    r"(?<![\w.])1[.)][ \t]{1,2}(?-i:[a-z]{3,8})[ ,\n]{1,2}"
    r"(?:\d{1,2}[.)][ \t]{1,2}[a-z]{3,8}[ ,\n]{1,2}){10,22}\d{1,2}[.)][ \t]{1,2}[a-z]{3,8}\b"
)

MATERIAL = (
    PatternForm(
        "private-key",
        "-----BEGIN",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?:[^-]|-(?!----)){0,20000}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        rf"|{_HEADERS}{_BASE64_LINES})",  # a truncated key ends with its last line of Base64
    ),
    PatternForm(
        "private-key",
        "PuTTY-User-Key-File-",
        r"PuTTY-User-Key-File-\d: (?:[^P]|P(?!uTTY-User|rivate-MAC)){0,8000}Private-MAC: [0-9a-f]{40,64}",
    ),
    PatternForm("private-key", "DEK-Info: ", rf"DEK-Info: [\w-]{{3,20}},[0-9A-Fa-f]{{8,64}}(?P<value>{_BASE64_LINES})"),
    PatternForm(
        "private-key", _BEGINNINGS, rf"(?<![A-Za-z0-9+/])(?:{_BEGINNINGS})[A-Za-z0-9+/]{{24,4000}}={{0,2}}{_BASE64_LINES}", _private
    ),
    PatternForm("jwt", "eyJ", r"\beyJ[\w-]{8,4000}\.eyJ[\w-]{8,8000}\.[\w-]{8,2000}"),
    PatternForm("jwe", "eyJ", r"\beyJ[\w-]{8,4000}\.[\w-]{0,2000}\.[\w-]{8,200}\.[\w-]{8,8000}\.[\w-]{16,100}"),
    PatternForm(
        "paseto",
        "v1.local.|v2.local.|v3.local.|v4.local.|v1.public.|v2.public.|v3.public.|v4.public.",
        r"\bv[1-4]\.(?:local|public)\.[\w-]{32,8000}(?:\.[\w-]{2,2000})?",
    ),
    PatternForm("wallet-key", "xprv|yprv|zprv|tprv|uprv|vprv|Yprv|Zprv|Uprv|Vprv", rf"\b[xyztuvYZUV]prv{_BASE58}{{90,112}}\b"),
    PatternForm(
        "wallet-key",
        "|".join(("5H", "5J", "5K", *(f"K{letter}" for letter in "wxyz"), *(f"L{digit}" for digit in "12345"))),
        rf"(?<![\w/+=.-])(?:5[HJK]{_BASE58}{{49}}|(?:K[w-z]|L[1-5]){_BASE58}{{50}})(?![\w/+=])",
        _mixed_case,
    ),
    PatternForm(
        "json-web-key",
        '"d"|\'d\'|"d\\"|"dp"|"dq"|"qi"|"k"|"p"|"q"',
        r"[\"'](?:d|dp|dq|qi|k|p|q)\\{0,3}[\"']\s{0,3}:\s{0,3}\\{0,3}[\"'](?P<value>[\w-]{32,1400})",
        _of_a_key,
    ),
    PatternForm("seed-phrase", cases("seed", "recovery", "mnemonic", "secret phrase", "backup phrase"), _SEED),
    PatternForm("seed-phrase", "1. |1) ", _NUMBERED),
)
