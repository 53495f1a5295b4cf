"""Forms of secrets: how each issuer's keys look, and what a sentence, a setting or an address calls a secret (TRUST, promise 8).

A form is a name, the literals that begin each of its matches, and a pattern that is tried where one of them stands. Precision first:
a form without a mark of its own needs a name beside it ("api key = ..."), and a value that is stranger than a word.
The marks are those that issuers publish so that scanners can find lost keys; the ids follow gitleaks where it has one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import regex

Match = regex.Match[str]


class Form:
    """One form of secret. Its pattern is tried where one of `literals` stands, and compiled when that first happens.

    The pattern's group `value`, else its whole match, is the secret, if `accepts` says so.
    """

    def __init__(self, name: str, literals: str, source: str, accepts: Callable[[Match], bool]) -> None:
        self.name = name
        self.literals = tuple(literals.split("|"))
        self.source = source
        self.accepts = accepts

    @cached_property
    def pattern(self) -> regex.Pattern[str]:
        """The source, compiled."""
        return regex.compile(self.source)

    def secret_at(self, text: str, position: int) -> tuple[int, int] | None:
        """Where the secret stands whose literal is at this position; None: it is none."""
        match = self.pattern.match(text, position)
        if match is None or not self.accepts(match):
            return None
        return match.span("value" if "value" in self.pattern.groupindex else 0)


_PLACEHOLDER = regex.compile(
    r"""^(?:
        [*xX.•_-]+ | \.{3}.* | \[secret:.* | .*(?:\*\*\*|xxxx|XXXX).*
      | <.*>? | \{\{?.* | \$.* | %.*% | @.*
      | (?i:none|null|nil|true|false|undefined|str(?:ing)?|bytes|optional.*|required|empty|unset|todo|tbd)
      | (?i:(?:example|sample|dummy|fake|placeholder|redacted).*|hidden|masked|(?:your|my|the|a|some|new|old)[_-].*)
      | (?i:secret|passw(?:or)?d|token|pass|api[_-]?key|change[_-]?me)
      | [0-9a-f]{40} | [0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}
      | (?i:(?:sha\d{1,3}|md5|blake\w{1,4})[:-].*)
      | \d{4}-\d\d-\d\d.*
    )$""",
    regex.VERBOSE,
)  # a commit, a UUID and a digest are what people call a token most often, and none of them is one
_CODE = regex.compile(r"^[A-Za-z_]\w*(?:(?:\.|->|::)\w+)+\W*$|^[A-Za-z_][\w.]*[(\[].*$")  # self.password, getenv(, tokens[0]
_COMPOUND = regex.compile(r"^[A-Za-z]+\d*(?:-[A-Za-z]+)+$")  # base64-encoded
_CODED = regex.compile(
    r"^(?:base|sha|md|utf|aes|rsa|rot|b)\d+(?:-[A-Za-z]+)+$", regex.IGNORECASE
)  # the same of a password: zebra9-Lisboa is one
_STRANGE = regex.compile(r"\w[@#$%^&*+=~!]\w")  # what stands inside of a password and not inside of a word
_ADDRESS = regex.compile(r"^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$")


def _always(_: Match) -> bool:
    return True


def no_placeholder(match: Match) -> bool:
    """Whether the value is more than what stands where a secret should be put."""
    return not _PLACEHOLDER.match(match["value"])


def _looks_secret(match: Match) -> bool:
    """Whether what a name or a sentence calls a secret looks like one: no placeholder, no code, and stranger than a word."""
    value, quoted = match["value"], bool(match["quote"])
    password = match["name"].lower().startswith(("pass", "pwd", "pw", "login"))
    if _PLACEHOLDER.match(value) or value.startswith(("http://", "https://", "/", "~/", "./")):
        return False
    if value.isdigit():
        return password
    digits = sum(letter.isdigit() for letter in value)
    if quoted and (digits or password):
        return True
    if _CODE.match(value) or (_CODED if password else _COMPOUND).match(value) or _ADDRESS.match(value):
        return False
    strange = digits >= 1 or _STRANGE.search(value) is not None if password else digits >= 2 and len(value) >= 8
    return strange or (match["sign"] == "=" and match["name"].isupper())


def _mixed(match: Match) -> bool:
    """Whether letters and digits stand in the value side by side, as they do in what was drawn by chance."""
    value = match["value"]
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value)) and not _PLACEHOLDER.match(value)


def _given(match: Match) -> bool:
    """Whether what stands behind an option is a password: not the next word of a sentence about it, nor a name for what to put there."""
    value = match["value"]
    if _PLACEHOLDER.match(value) or _CODE.match(value) or value.isupper():
        return False
    return match["sign"] == "=" or any(map(str.isdigit, value)) or _STRANGE.search(value) is not None


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


def _form(name: str, literals: str, source: str, accepts: Callable[[Match], bool] = _always) -> Form:
    return Form(name, literals, source, accepts)


_NAME = (
    r"(?P<name>passw(?:or)?d|passphrase|passcode|pwd|\bpw|(?<=[_-])pass|secret(?:[ _-]?(?:access[ _-]?)?key)?|token|credential"
    r"|(?:api|access|auth|encryption|signing|private|master|client|service|account|license)[ _-]?key)"
)
_SUFFIX = r"(?:[_-](?:base|v?\d|prod|production|dev|live|staging|value))?"  # SECRET_KEY_BASE
_FOR = r"(?:\s(?:for|to|of|on|in|at)(?:\s[\w.'-]{1,30}){1,5}?)?"  # the password for the staging server is ...
_TO = r"(?:\s(?:has been|had to be|was|is|got|now))?\s(?:changed|set|reset|updated|rotated)\s"  # ... to
_SIGN = rf"(?:\s{{0,3}}(?P<sign>=>|:=|=|:)\s{{0,3}}|{_FOR}(?:{_TO}(?P<sign>to)|\s(?P<sign>is|was|to)(?:\snow)?:?|(?P<sign>:))\s)"
_VALUE = r"""(?P<quote>["'`]?)(?P<value>[^\s"'`,;(){}<>]{5,199}[^\s"'`,;(){}<>.!?])"""
_NAMES = _cases(
    *("password", "passwd", "passphrase", "passcode", "pwd", "pw", "secret", "token", "credential"),
    *("api key", "access key", "auth key", "encryption key", "signing key", "private key", "master key", "client key", "service key"),
    *("account key", "license key"),
)

_SEED = (  # twelve to twenty-four words of BIP 39
    r"(?i)(?:(?:seed|recovery|secret)[ _-](?:phrase|words)|mnemonic(?:[ _-](?:phrase|words))?)(?:\s(?:is|was|are))?"
    r"""\s{0,2}[:=]?\s{0,2}["'`]?(?P<value>(?:[a-z]{3,8}[ ,\n]{1,2}){11,23}[a-z]{3,8})\b"""
)

FORMS = (
    _form(
        "private-key",
        "-----BEGIN",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?:[^-]|-(?!----)){0,20000}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"|(?:(?:\\n|\s){0,4}[A-Za-z0-9+/=]{16,4000}){0,400})",  # one that is cut off ends with its last line of code letters
    ),
    _form("private-key", "PuTTY-User-Key-File-", r"PuTTY-User-Key-File-\d: [\s\S]{0,8000}?Private-MAC: [0-9a-f]{40,64}"),
    _form("aws-key", "AKIA|ASIA|ABIA|ACCA", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b"),
    _form(
        "aws-secret",
        "aws|AWS",
        r"""(?i)aws.{0,20}?(?:secret|key).{0,20}?[=:\s"']{1,4}(?P<value>[a-z0-9/+]{40})(?![a-z0-9/+=])""",
    ),
    _form("aws-bedrock", "ABSK", r"\bABSK[A-Za-z0-9+/]{100,280}={0,2}"),
    _form("github", "ghp_|gho_|ghu_|ghs_|ghr_|github_pat_", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})"),
    _form(
        "gitlab",
        "glpat-|gldt-|glrt-|glptt-|glcbt-|glsoat-|glffct-|glimt-|glagent-|gloas-",
        r"\bgl(?:pat|dt|rt|ptt|cbt|soat|ffct|imt|agent|oas)-[\w-]{20,300}",
    ),
    _form("bitbucket", "ATBB|ATCTT3", r"\b(?:ATBB[A-Za-z0-9]{28,36}|ATCTT3[\w=-]{100,300})"),
    _form("atlassian", "ATATT3", r"\bATATT3[\w=-]{60,300}"),
    _form("slack", "xox|xapp-", r"\b(?:xox[abceoprs](?:\.xox[a-z])?-[A-Za-z0-9-]{10,250}|xapp-\d-[A-Za-z0-9-]{20,200})"),
    _form("slack-webhook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<value>[A-Za-z0-9/+]{20,120})"),
    _form("discord-webhook", "/api/webhooks/", r"/api/webhooks/\d{15,22}/(?P<value>[\w-]{50,90})"),
    _form("discord", "MT|Mj|Mz|ND|NT|Nj|Nz|OD|OT", r"\b[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])"),
    _form("stripe", "sk_live_|sk_test_|rk_live_|rk_test_|sk_org_", r"\b(?:[sr]k_(?:live|test)|sk_org_live)_[A-Za-z0-9]{10,250}"),
    _form("webhook", "whsec_", r"\bwhsec_[A-Za-z0-9+/=]{24,100}"),
    _form("square", "sq0atp-|sq0csp-|sq0idp-|EAAAE", r"\b(?:sq0(?:atp|csp)-[\w-]{22,60}|EAAAE[\w-]{55,80})"),
    _form("anthropic", "sk-ant-", r"\bsk-ant-[\w-]{16,200}"),
    _form("openrouter", "sk-or-", r"\bsk-or-(?:v1-)?[A-Za-z0-9]{32,100}"),
    _form("openai", "sk-", r"\bsk-(?!ant-|or-)(?:(?:proj|svcacct|admin|None|lf|or)-[\w-]{20,250}|[A-Za-z0-9]{20,64}(?![\w-]))"),
    _form("xai", "xai-", r"\bxai-[A-Za-z0-9]{60,100}\b"),
    _form("perplexity", "pplx-", r"\bpplx-[A-Za-z0-9]{40,64}\b"),
    _form("replicate", "r8_", r"\br8_[A-Za-z0-9]{37,40}\b"),
    _form("groq", "gsk_", r"\bgsk_[A-Za-z0-9]{40,64}\b"),
    _form("huggingface", "hf_|api_org_", r"\b(?:hf|api_org)_[A-Za-z0-9]{30,64}\b"),
    _form("nvidia", "nvapi-", r"\bnvapi-[\w-]{60,80}"),
    _form("pinecone", "pcsk_", r"\bpcsk_\w{50,90}\b"),
    _form("langsmith", "lsv2_", r"\blsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}\b"),
    _form("google", "AIza|GOCSPX-|ya29.", r"\b(?:AIza[\w-]{35}|GOCSPX-[\w-]{28}|ya29\.[\w-]{20,300})"),
    _form("google-refresh", "1//0", r"\b1//0[\w-]{40,150}"),
    _form("jwt", "eyJ", r"\beyJ[\w-]{8,4000}\.eyJ[\w-]{8,8000}\.[\w-]{8,2000}"),
    _form("npm", "npm_", r"\bnpm_[A-Za-z0-9]{36}\b"),
    _form("pypi", "pypi-", r"\bpypi-[\w-]{50,400}"),
    _form("rubygems", "rubygems_", r"\brubygems_[0-9a-f]{48}\b"),
    _form("crates", "cio", r"\bcio[A-Za-z0-9]{32}\b", lambda match: any(map(str.isdigit, match[0]))),
    _form("nuget", "oy2", r"\boy2[a-z0-9]{43}\b"),
    _form("telegram", ":AA", r"(?<=\b\d{8,10}):AA[\w-]{33}(?![\w-])"),
    _form("sendgrid", "SG.", r"\bSG\.[\w-]{16,32}\.[\w-]{32,64}"),
    _form("brevo", "xkeysib-|xsmtpsib-", r"\bx(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}\b"),
    _form("mailgun", "key-", r"(?<![\w-])key-[0-9a-f]{32}\b"),
    _form("mailchimp", "-us", r"(?<=\b(?P<value>[0-9a-f]{32}))-us\d{1,2}\b"),
    _form("resend", "re_", r"\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\b"),
    _form("twilio", "SK", r"\bSK[0-9a-f]{32}\b"),
    _form("digitalocean", "doo_v1_|dop_v1_|dor_v1_", r"\bdo[opr]_v1_[0-9a-f]{64}\b"),
    _form("heroku", "HRKU-", r"\bHRKU-[\w-]{36,70}"),
    _form("fly", "fm1_|fm1a_|fm1r_|fm2_|fo1_", r"\b(?:fm1[ar]?_|fm2_|fo1_)[A-Za-z0-9+/=_-]{40,800}"),
    _form("cloudflare", "v1.0-", r"\bv1\.0-[0-9a-f]{24}-[0-9a-f]{146}\b"),
    _form("netlify", "nfp_|nfc_", r"\bnf[pc]_[A-Za-z0-9]{36,40}\b"),
    _form("vercel", "vcp_|vck_|vci_|vca_|vcr_", r"\bvc[pkiar]_[A-Za-z0-9]{24,80}\b"),
    _form("supabase", "sbp_|sb_secret_", r"\b(?:sbp_[0-9a-f]{40}|sb_secret_[\w-]{24,64})"),
    _form("planetscale", "pscale_", r"\bpscale_(?:tkn|pw|oauth)_[\w.=-]{30,64}"),
    _form("neon", "napi_", r"\bnapi_[a-z0-9]{50,80}\b"),
    _form("databricks", "dapi", r"\bdapi[0-9a-f]{32}(?:-\d)?\b"),
    _form("shopify", "shpat_|shpca_|shppa_|shpss_", r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b"),
    _form("vault", "hvs.|hvb.|hvr.", r"\bhv[sbr]\.[\w-]{24,300}"),
    _form("terraform", ".atlasv1.", r"(?<=\b[A-Za-z0-9]{14})\.atlasv1\.[\w=-]{60,70}"),
    _form("pulumi", "pul-", r"\bpul-[0-9a-f]{40}\b"),
    _form("doppler", "dp.", r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}\b"),
    _form("onepassword", "ops_eyJ", r"\bops_eyJ[A-Za-z0-9+/=_-]{100,1500}"),
    _form("docker", "dckr_pat_|dckr_oat_", r"\bdckr_[po]at_[\w-]{20,60}"),
    _form("linear", "lin_api_|lin_oauth_", r"\blin_(?:api|oauth)_[A-Za-z0-9]{32,64}\b"),
    _form("notion", "ntn_|secret_", r"\b(?:ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{43})\b"),
    _form("airtable", "pat", r"\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b"),
    _form("asana", "1/", r"(?<![\w/.])1/\d{15,17}:[0-9a-f]{32}\b"),
    _form("figma", "figd_|figo_", r"\bfig[do]_[\w-]{38,60}"),
    _form("postman", "PMAK-", r"\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}\b"),
    _form("dropbox", "sl.", r"\bsl\.(?:u\.)?[\w-]{80,1500}"),
    _form("grafana", "glsa_|glc_", r"\b(?:glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/=]{32,400})"),
    _form("newrelic", "NRAK-|NRII-|NRJS-", r"\bNR(?:AK|II|JS)-[A-Za-z0-9-]{19,40}\b"),
    _form("sentry", "sntrys_|sntryu_", r"\bsntry[su]_[A-Za-z0-9+/=_-]{40,400}"),
    _form("posthog", "phx_", r"\bphx_[A-Za-z0-9]{40,60}\b"),
    _form("sonarqube", "squ_|sqp_|sqa_", r"\bsq[upa]_[0-9a-f]{40}\b"),
    _form("circleci", "CCIPAT_|CCIPRJ_", r"\bCCIP(?:AT|RJ)_[A-Za-z0-9]{20,24}_[0-9a-f]{40}\b"),
    _form("buildkite", "bkua_", r"\bbkua_[0-9a-f]{40}\b"),
    _form("artifactory", "AKCp", r"\bAKCp[A-Za-z0-9]{69,73}\b"),
    _form("tailscale", "tskey-", r"\btskey-[a-z]{2,12}-[\w-]{15,80}"),
    _form("ngrok", "cr_", r"\bcr_[A-Za-z0-9]{25,40}\b", lambda match: any(map(str.isdigit, match[0]))),
    _form("age", "AGE-SECRET-KEY-", r"\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b"),
    _form("azure", "AccountKey=|SharedAccessKey=", r"(?:Account|SharedAccess)Key=(?P<value>[A-Za-z0-9+/=]{40,120})"),
    _form("azure-sas", "sig=", r"\bsig=(?P<value>[A-Za-z0-9%+/=]{40,120})"),
    _form("azure-ad", "8Q~|7Q~", r"(?<=[\w~.-]{3})[78]Q~[\w~.-]{31,34}(?![\w~.-])"),
    _form("azure-devops", "AZDO", r"(?<=\b(?P<value>[A-Za-z0-9]{60,80}))AZDO[A-Za-z0-9]{4}\b"),
    _form("alibaba", "LTAI", r"\bLTAI[A-Za-z0-9]{12,24}\b"),
    _form("facebook", "EAA", r"\bEAA[A-Za-z0-9]{80,300}\b"),
    _form("twitter", "AAAAAAAAA", r"\bA{12,24}[A-Za-z0-9%+/=]{60,100}"),
    _form(
        "authorization",
        _cases("authorization"),
        r"(?i)authorization\W{1,4}(?:bearer|basic|token|digest|apikey)\s{1,3}(?P<value>[\w.~+/=-]{8,4000})",
    ),
    _form("authorization", _cases("bearer"), r"(?i)\bbearer\s{1,3}(?P<value>[\w.~+/=-]{20,4000})", _mixed),
    _form(
        "cookie",
        _cases("cookie"),
        r"(?i)cookie\W{1,4}[\w.-]{0,40}(?:sess|sid|auth|token)[\w.-]{0,40}=(?P<value>[\w.~+/=%-]{16,4000})",
        _mixed,
    ),
    _form("url", "://", r"(?<=[A-Za-z0-9+.-])://[^\s:/@]{0,80}:(?P<value>[^\s@/]{2,200})@(?=[\w\[])", no_placeholder),
    _form("login", "-u|--user", r"""-(?:u|-user)[ =]{0,2}["']?[\w.@+-]{1,80}:(?P<value>[^\s"':@/]{4,200})""", no_placeholder),
    _form("login", "sshpass", r"""sshpass\s{1,3}-p\s{0,3}["']?(?P<value>[^\s"']{4,200})""", no_placeholder),
    _form(
        "login",
        "--pass|--pwd",
        r"""--(?:passw(?:or)?d|passphrase|pass|pwd)(?P<sign>=|\s{1,2})["']?(?P<value>[^\s"'`<>=-][^\s"'`,;(){}<>]{3,199})""",
        _given,
    ),
    _form(
        "login", "mysql", r"""mysql(?:dump|admin|import)?\s(?:[^\n|;&]{1,120}?\s)?-(?P<sign>p)(?P<value>[^\s"'`,;(){}<>]{4,199})""", _given
    ),
    _form("login", "machine ", r"machine [\w.-]{1,100}\s{1,3}login \S{1,100}\s{1,3}password (?P<value>\S{4,200})", no_placeholder),
    _form(
        "pin",
        _cases("pin"),
        r"(?i)(?<=\b(?:my|our|the|card|door|alarm|sim|phone|bank|atm|debit|credit|unlock|garage|gate|safe)[ '])pin(?:\scode)?"
        r"(?:\s(?:for|to|of|on)(?:\s[\w'-]{1,20}){1,4}?)?(?:\sis(?:\snow)?:?\s{1,2}|\s{0,2}[=:]\s{0,2})(?P<value>\d{4,8})\b",
    ),
    _form("seed-phrase", _cases("seed", "recovery", "mnemonic", "secret phrase"), _SEED),
    _form("password", _NAMES, rf"(?i){_NAME}{_SUFFIX}[\"'`]?{_SIGN}{_VALUE}", _looks_secret),
    _form("password", "pass|PASS|Pass", rf"(?i){_NAME}[\"'`]?{_SIGN}{_VALUE}", _looks_secret),  # DB_PASS=
    _form(
        "password",
        _cases("password", "passphrase", "passcode"),  # log in as ada, password hunter22
        rf"""(?i)(?<=\b(?:(?:user(?:name)?|login|account|e-?mail|as)\W{{1,3}}\S{{1,60}}[\s,;/&]{{1,4}}|use\s|try\s|enter\s|type\s)"""
        r"""(?:(?:and|with|the|my)\s){0,2})"""
        rf"""(?P<name>passw(?:or)?d|passphrase|passcode)(?P<sign>\s){_VALUE}""",
        _looks_secret,
    ),
    _form(
        "password",
        _cases("as the password", "as password", "as its password", "as my password", "as the passphrase", "as a password"),
        rf"""(?i)(?<={_VALUE}["'`]?\s)(?P<sign>as)\s(?:(?:the|its|my|a)\s)?(?P<name>passw(?:or)?d|passphrase)""",
        _looks_secret,
    ),
)
