"""The key formats of issuers, and the list of all forms of secrets, in the order in which they are tried (docs/threats.md, promise 7).

Issuers publish these prefixes so that scanners can find lost keys; the ids follow gitleaks where it has one.
"""

from __future__ import annotations

from ethos.core.text.secrets import values
from ethos.core.text.secrets.addresses import ADDRESSES
from ethos.core.text.secrets.commands import COMMANDS
from ethos.core.text.secrets.form import Match, PatternForm, SecretForm, cases
from ethos.core.text.secrets.key_material import MATERIAL
from ethos.core.text.secrets.payment_numbers import PAYMENT
from ethos.core.text.secrets.settings import SETTINGS
from ethos.core.text.secrets.tables import TABLES


def _has_digit(match: Match) -> bool:
    return any(map(str.isdigit, match[0]))


def _named(match: Match) -> bool:
    return values.is_password(match["value"], quoted=bool(match["quote"]), prose=True)


_VALUE = r"""(?P<quote>["'`]?)(?P<value>[^\s"'`,;(){}<>]{5,199}[^\s"'`,;(){}<>.!?])"""

_ISSUERS = (
    PatternForm("aws-key", "AKIA|ASIA|ABIA|ACCA", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b"),
    PatternForm(
        "aws-secret",
        "aws|AWS",
        r"""(?i)aws.{0,20}?(?:secret|key).{0,20}?[=:\s"']{1,4}(?P<value>[a-z0-9/+]{40})(?![a-z0-9/+=])""",
    ),
    PatternForm("aws-bedrock", "ABSK", r"\bABSK[A-Za-z0-9+/]{100,280}={0,2}"),
    PatternForm("github", "ghp_|gho_|ghu_|ghs_|ghr_|github_pat_", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})"),
    PatternForm(
        "gitlab",
        "glpat-|gldt-|glrt-|glptt-|glcbt-|glsoat-|glffct-|glimt-|glagent-|gloas-",
        r"\bgl(?:pat|dt|rt|ptt|cbt|soat|ffct|imt|agent|oas)-[\w-]{20,300}",
    ),
    PatternForm("bitbucket", "ATBB|ATCTT3", r"\b(?:ATBB[A-Za-z0-9]{28,36}|ATCTT3[\w=-]{100,300})"),
    PatternForm("atlassian", "ATATT3", r"\bATATT3[\w=-]{60,300}"),
    PatternForm("slack", "xox|xapp-", r"\b(?:xox[abceoprs](?:\.xox[a-z])?-[A-Za-z0-9-]{10,250}|xapp-\d-[A-Za-z0-9-]{20,200})"),
    PatternForm("slack-webhook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<value>[A-Za-z0-9/+]{20,120})"),
    PatternForm("discord-webhook", "/api/webhooks/", r"/api/webhooks/\d{15,22}/(?P<value>[\w-]{50,90})"),
    PatternForm("discord", "MT|Mj|Mz|ND|NT|Nj|Nz|OD|OT", r"\b[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])"),
    PatternForm("stripe", "sk_live_|sk_test_|rk_live_|rk_test_|sk_org_", r"\b(?:[sr]k_(?:live|test)|sk_org_live)_[A-Za-z0-9]{10,250}"),
    PatternForm("webhook", "whsec_", r"\bwhsec_[A-Za-z0-9+/=]{24,100}"),
    PatternForm("square", "sq0atp-|sq0csp-|sq0idp-|EAAAE", r"\b(?:sq0(?:atp|csp)-[\w-]{22,60}|EAAAE[\w-]{55,80})"),
    PatternForm("anthropic", "sk-ant-", r"\bsk-ant-[\w-]{16,200}"),
    PatternForm("openrouter", "sk-or-", r"\bsk-or-(?:v1-)?[A-Za-z0-9]{32,100}"),
    PatternForm("openai", "sk-", r"\bsk-(?!ant-|or-)(?:(?:proj|svcacct|admin|None|lf|or)-[\w-]{20,250}|[A-Za-z0-9]{20,64}(?![\w-]))"),
    PatternForm("xai", "xai-", r"\bxai-[A-Za-z0-9]{60,100}\b"),
    PatternForm("perplexity", "pplx-", r"\bpplx-[A-Za-z0-9]{40,64}\b"),
    PatternForm("replicate", "r8_", r"\br8_[A-Za-z0-9]{37,40}\b"),
    PatternForm("groq", "gsk_", r"\bgsk_[A-Za-z0-9]{40,64}\b"),
    PatternForm("huggingface", "hf_|api_org_", r"\b(?:hf|api_org)_[A-Za-z0-9]{30,64}\b"),
    PatternForm("nvidia", "nvapi-", r"\bnvapi-[\w-]{60,80}"),
    PatternForm("pinecone", "pcsk_", r"\bpcsk_\w{50,90}\b"),
    PatternForm("langsmith", "lsv2_", r"\blsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}\b"),
    PatternForm("google", "AIza|GOCSPX-|ya29.", r"\b(?:AIza[\w-]{35}|GOCSPX-[\w-]{28}|ya29\.[\w-]{20,300})"),
    PatternForm("google-refresh", "1//0", r"\b1//0[\w-]{40,150}"),
    PatternForm("npm", "npm_", r"\bnpm_[A-Za-z0-9]{36}\b"),
    PatternForm("pypi", "pypi-", r"\bpypi-[\w-]{50,400}"),
    PatternForm("rubygems", "rubygems_", r"\brubygems_[0-9a-f]{48}\b"),
    PatternForm("crates", "cio", r"\bcio[A-Za-z0-9]{32}\b", _has_digit),
    PatternForm("nuget", "oy2", r"\boy2[a-z0-9]{43}\b"),
    PatternForm("telegram", ":AA", r"(?<=(?<!\d)\d{8,10}):AA[\w-]{33}(?![\w-])"),
    PatternForm("sendgrid", "SG.", r"\bSG\.[\w-]{16,32}\.[\w-]{32,64}"),
    PatternForm("brevo", "xkeysib-|xsmtpsib-", r"\bx(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}\b"),
    PatternForm("mailgun", "key-", r"(?<![\w-])key-[0-9a-f]{32}\b"),
    PatternForm("mailchimp", "-us", r"(?<=\b(?P<value>[0-9a-f]{32}))-us\d{1,2}\b"),
    PatternForm("resend", "re_", r"\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\b"),
    PatternForm("twilio", "SK", r"\bSK[0-9a-f]{32}\b"),
    PatternForm("digitalocean", "doo_v1_|dop_v1_|dor_v1_", r"\bdo[opr]_v1_[0-9a-f]{64}\b"),
    PatternForm("heroku", "HRKU-", r"\bHRKU-[\w-]{36,70}"),
    PatternForm("fly", "fm1_|fm1a_|fm1r_|fm2_|fo1_", r"\b(?:fm1[ar]?_|fm2_|fo1_)[A-Za-z0-9+/=_-]{40,800}"),
    PatternForm("cloudflare", "v1.0-", r"\bv1\.0-[0-9a-f]{24}-[0-9a-f]{146}\b"),
    PatternForm("netlify", "nfp_|nfc_", r"\bnf[pc]_[A-Za-z0-9]{36,40}\b"),
    PatternForm("vercel", "vcp_|vck_|vci_|vca_|vcr_", r"\bvc[pkiar]_[A-Za-z0-9]{24,80}\b"),
    PatternForm("supabase", "sbp_|sb_secret_", r"\b(?:sbp_[0-9a-f]{40}|sb_secret_[\w-]{24,64})"),
    PatternForm("planetscale", "pscale_", r"\bpscale_(?:tkn|pw|oauth)_[\w.=-]{30,64}"),
    PatternForm("neon", "napi_", r"\bnapi_[a-z0-9]{50,80}\b"),
    PatternForm("databricks", "dapi", r"\bdapi[0-9a-f]{32}(?:-\d)?\b"),
    PatternForm("shopify", "shpat_|shpca_|shppa_|shpss_", r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b"),
    PatternForm("vault", "hvs.|hvb.|hvr.", r"\bhv[sbr]\.[\w-]{24,300}"),
    PatternForm("terraform", ".atlasv1.", r"(?<=\b[A-Za-z0-9]{14})\.atlasv1\.[\w=-]{60,70}"),
    PatternForm("pulumi", "pul-", r"\bpul-[0-9a-f]{40}\b"),
    PatternForm("doppler", "dp.", r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}\b"),
    PatternForm("onepassword", "ops_eyJ", r"\bops_eyJ[A-Za-z0-9+/=_-]{100,1500}"),
    PatternForm("docker", "dckr_pat_|dckr_oat_", r"\bdckr_[po]at_[\w-]{20,60}"),
    PatternForm("linear", "lin_api_|lin_oauth_", r"\blin_(?:api|oauth)_[A-Za-z0-9]{32,64}\b"),
    PatternForm("notion", "ntn_|secret_", r"\b(?:ntn_[A-Za-z0-9]{40,50}|secret_[A-Za-z0-9]{43})\b"),
    PatternForm("airtable", "pat", r"\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b"),
    PatternForm("asana", "1/", r"(?<![\w/.])1/\d{15,17}:[0-9a-f]{32}\b"),
    PatternForm("figma", "figd_|figo_", r"\bfig[do]_[\w-]{38,60}"),
    PatternForm("postman", "PMAK-", r"\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}\b"),
    PatternForm("dropbox", "sl.", r"\bsl\.(?:u\.)?[\w-]{80,1500}"),
    PatternForm("grafana", "glsa_|glc_", r"\b(?:glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/=]{32,400})"),
    PatternForm("newrelic", "NRAK-|NRII-|NRJS-", r"\bNR(?:AK|II|JS)-[A-Za-z0-9-]{19,40}\b"),
    PatternForm("sentry", "sntrys_|sntryu_", r"\bsntry[su]_[A-Za-z0-9+/=_-]{40,400}"),
    PatternForm("posthog", "phx_", r"\bphx_[A-Za-z0-9]{40,60}\b"),
    PatternForm("sonarqube", "squ_|sqp_|sqa_", r"\bsq[upa]_[0-9a-f]{40}\b"),
    PatternForm("circleci", "CCIPAT_|CCIPRJ_", r"\bCCIP(?:AT|RJ)_[A-Za-z0-9]{20,24}_[0-9a-f]{40}\b"),
    PatternForm("buildkite", "bkua_", r"\bbkua_[0-9a-f]{40}\b"),
    PatternForm("artifactory", "AKCp", r"\bAKCp[A-Za-z0-9]{69,73}\b"),
    PatternForm("tailscale", "tskey-", r"\btskey-[a-z]{2,12}-[\w-]{15,80}"),
    PatternForm("ngrok", "cr_", r"\bcr_[A-Za-z0-9]{25,40}\b", _has_digit),
    PatternForm("age", "AGE-SECRET-KEY-", r"\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b"),
    PatternForm("azure", "AccountKey=|SharedAccessKey=", r"(?:Account|SharedAccess)Key=(?P<value>[A-Za-z0-9+/=]{40,120})"),
    PatternForm("azure-sas", "sig=", r"\bsig=(?P<value>[A-Za-z0-9%+/=]{40,120})"),
    PatternForm("azure-ad", "8Q~|7Q~", r"(?<=[\w~.-]{3})[78]Q~[\w~.-]{31,34}(?![\w~.-])"),
    PatternForm("azure-devops", "AZDO", r"(?<=\b(?P<value>[A-Za-z0-9]{60,80}))AZDO[A-Za-z0-9]{4}\b"),
    PatternForm("alibaba", "LTAI", r"\bLTAI[A-Za-z0-9]{12,24}\b"),
    PatternForm("facebook", "EAA", r"\bEAA[A-Za-z0-9]{80,300}\b"),
    PatternForm("twitter", "AAAAAAAAA", r"\bA{12,24}[A-Za-z0-9%+/=]{60,100}"),
    PatternForm(
        "pin",
        cases("pin"),
        r"(?i)(?<=\b(?:my|our|the|card|door|alarm|sim|phone|bank|atm|debit|credit|unlock|garage|gate|safe)[ '])pin(?:\scode)?"
        r"(?:\s(?:for|to|of|on)(?:\s[\w'-]{1,20}){1,4}?)?(?:\sis(?:\snow)?:?\s{1,2}|\s{0,2}[=:]\s{0,2})(?P<value>\d{4,8})\b",
    ),
    PatternForm(
        "pin",
        "PIN",
        r"(?<=(?:\A|\n|[.,;:!?]\s))PIN(?:\s(?:for|to|of|on)(?:\s[\w'-]{1,20}){1,4}?)?"
        r"(?:\sis(?:\snow)?:?\s{1,2}|\s{0,2}[=:]\s{0,2})(?P<value>\d{4,8})\b",
    ),
    PatternForm(
        "password",
        cases("as the password", "as password", "as its password", "as my password", "as the passphrase", "as a password"),
        rf"""(?i)(?<={_VALUE}["'`]?\s)(?P<sign>as)\s(?:(?:the|its|my|a)\s)?(?P<name>passw(?:or)?d|passphrase)""",
        _named,
    ),
)

FORMS: tuple[SecretForm, ...] = (*MATERIAL, *_ISSUERS, *ADDRESSES, *COMMANDS, *SETTINGS, *TABLES, *PAYMENT)
