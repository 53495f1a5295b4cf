"""Secrets in web addresses and headers: logins, keys in a query, addresses that are secrets themselves, authorization headers."""

from __future__ import annotations

from ethos.core.text.secrets import values
from ethos.core.text.secrets.form import Match, PatternForm, cases


def _logs_in(match: Match) -> bool:
    """Return whether the text before `@` is a password or, without a user, a key: not a port followed by a path, not a placeholder."""
    value = match["value"]
    if match["user"] is None:
        return values.is_drawn(value)
    return not values.is_placeholder(value) and not ("/" in value and value.split("/")[0].isdigit())


def _mixed(match: Match) -> bool:
    return values.is_mixed(match["value"])


def _drawn(match: Match) -> bool:
    return values.is_drawn(match["value"])


def _authorizes(match: Match) -> bool:
    value = match["value"]
    return values.has_no_placeholder(match) and (match["scheme"] is not None or values.is_drawn(value))


def _is_login(match: Match) -> bool:
    return values.is_login(match["value"])


_SCHEMES = "bearer|basic|token|digest|apikey|api-key|key|bot|jwt|negotiate|glpat|oauth|splunk|genieKey|dpop|shared"
_HOOKS = (  # addresses that grant write access to anyone who knows them
    ("webhook", "webhook.office.com/", r"webhook\.office\.com/webhookb2/(?P<value>[\w@/.-]{30,300})"),
    ("webhook", "outlook.office.com/webhook/", r"outlook\.office\.com/webhook/(?P<value>[\w@/.-]{30,300})"),
    ("webhook", "hooks.zapier.com/", r"hooks\.zapier\.com/hooks/(?:catch|standard)/(?P<value>\w{3,20}/\w{4,40})"),
    ("webhook", "maker.ifttt.com/", r"maker\.ifttt\.com/trigger/[\w-]{1,80}/(?:json/)?with/key/(?P<value>[\w-]{10,80})"),
    ("webhook", ".make.com/", r"(?<=hook\.\w{2,4}\d?)\.make\.com/(?P<value>\w{20,60})"),
    ("webhook", "/bot/v2/hook/", r"/bot/v2/hook/(?P<value>[\w-]{16,60})"),
    ("webhook", "/hooks/", r"/hooks/(?P<value>[a-z0-9]{26})\b"),
)

ADDRESSES = (
    PatternForm(
        "url",
        "://",
        r"(?<=[A-Za-z0-9+.-])://(?:(?P<user>[^\s:/@]{0,80}):(?:(?P<value>[^\s\"'`<>/]{2,200})|(?P<value>[^\s\"'`<>]{2,200}))"
        r"|(?P<value>[\w~.-]{16,200}))@(?=[\w\[])",
        _logs_in,
    ),
    PatternForm("url", ":thin:", r":thin:[\w.-]{1,60}/(?P<value>[^\s\"'@/]{3,100})@", values.has_no_placeholder),
    PatternForm("url", "://", r"://(?P<value>[\w~.-]{20,200}):[\w-]{0,40}@(?=[\w\[])", _drawn),
    PatternForm(
        "url",
        "key=|code=|ignature=|auth=|jwt=|ticket=|Token=|Credential=",
        r"(?<=[?&;][\w-]{0,30})(?:key|code|ignature|auth|jwt|ticket|Token|Credential)=(?P<value>[\w~.%+/=-]{12,4000})",
        _drawn,
    ),
    *(PatternForm(name, literal, source) for name, literal, source in _HOOKS),
    PatternForm(
        "authorization",
        cases("authorization"),
        rf"(?i)authorization[\"'\\\])]{{0,4}}\s{{0,3}}(?:[:=,(]|=>)\s{{0,3}}[\"'`\\fb]{{0,4}}(?:(?P<scheme>{_SCHEMES})\s{{1,3}})?(?P<value>[\w.~+/=-]{{8,4000}})",
        _authorizes,
    ),
    PatternForm("authorization", cases("bearer"), r"(?i)\bbearer\s{1,3}(?P<value>[\w.~+/=-]{20,4000})", _mixed),
    PatternForm("authorization", "Basic |basic |BASIC ", r"(?i)\bbasic\s{1,3}(?P<value>[A-Za-z0-9+/]{8,400}={0,2})", _is_login),
    PatternForm(
        "authorization",
        "_auth|auth",
        r"(?<![A-Za-z])auth\\{0,3}[\"']?\s{0,3}[:=]\s{0,3}\\{0,3}[\"']?(?P<value>[A-Za-z0-9+/]{8,400}={0,2})",
        _is_login,
    ),
    PatternForm(
        "cookie",
        cases("cookie"),
        r"(?i)cookie\W{1,4}[\w.-]{0,40}(?:sess|sid|auth|token)[\w.-]{0,40}=(?P<value>[\w.~+/=%-]{16,4000})",
        _mixed,
    ),
)
