"""Passwords in command lines: options of programs, input piped into them, and logins."""

from __future__ import annotations

import regex

from ethos.core.text.secrets import values
from ethos.core.text.secrets.form import Match, PatternForm

_ARGUMENTS = r"[^\n|;&]{0,200}?"
_GIVEN = r"(?:(?P<quote>[\"'])(?P<value>[^\"'\n]{4,200})(?P=quote)|(?P<value>[^\s\"'`<>-][^\s\"'`<>]{3,199}))"
# Programs with an option whose next word is a password (for some, joined to it).
_OPTIONS: tuple[tuple[str, str], ...] = (
    ("redis-cli", "-a|--pass"),
    ("docker login|podman login|helm registry login|buildah login|skopeo login|nerdctl login|oras login|crane auth login", "-p|--password"),
    ("mongosh|mongodump|mongorestore|mongoimport|mongoexport|mongo", "-p|--password"),
    ("ldapsearch|ldapadd|ldapmodify|ldapdelete|ldapwhoami|ldappasswd", "-w"),
    ("sqlcmd|bcp|isql|mosquitto_pub|mosquitto_sub|ipmitool|zip|unzip|kinit", "-P"),
    ("az|oc|cf|ibmcloud|kubelogin", "-p|--password"),
    ("7z|7za|rar|unrar", "-p"),
    ("net use", r"/user:\S+"),
    ("net user", r"\S+"),
    ("gh secret set|gh variable set", "--body|-b"),
    ("nmcli", "password|wifi-sec.psk|psk"),
    ("iwconfig", "key"),
    ("keytool|jarsigner", "-storepass|-keypass|-srcstorepass|-deststorepass"),
    ("xfreerdp|rdesktop|wlfreerdp", "-p|/p:"),
    ("wandb|vault|snyk|huggingface-cli|hf|railway|infracost|codecov", r"(?:login|auth)(?:\s--relogin|\s--token)?"),
    ("htpasswd", r"-\w*b\w*\s\S+\s\S+"),
    ("rabbitmqctl|rabbitmqadmin", r"(?:add_user|change_password)\s\S+"),
    ("wget|lftp|ncftp|cadaver", r"--(?:http-|ftp-|proxy-)?password|-p"),
    ("sshpass", "-p"),
)
_FETCHERS = ("curl", "http ", "https ", "wget", "xh ", "ab ", "wrk", "httpie", "curlie", "lftp", "Invoke-")
_NUMERIC = regex.compile(r"[\d.:/-]+(?:/tcp|/udp)?$")  # ports and addresses


def _given(match: Match) -> bool:
    return values.is_given(match["value"], joined=False) and not _NUMERIC.match(match["value"])


def _option(match: Match) -> bool:
    return values.is_given(match["value"], joined="sign" in match.re.groupindex and match["sign"] == "=")


def _fetches(match: Match) -> bool:
    """Return whether a program that logs in by `-u user:password` precedes it: others take a user and a group, or two branches."""
    before = match.string[max(0, match.start() - 400) : match.start()]
    return values.has_no_placeholder(match) and any(program in before for program in _FETCHERS)


def _stranger(match: Match) -> bool:
    return values.is_password(match["value"], quoted=False, prose=True)


def _program_form(programs: str, option: str) -> PatternForm:
    """Return the form of a program's option. A short option may join its value with `=`."""
    literals = "|".join(f"{program} " for program in programs.split("|"))
    source = rf"(?<![\w-])(?:{programs})\s{_ARGUMENTS}(?<=\s)(?:{option})(?:\s{{1,3}}|=|(?<=:|-p|-P|-a))(?=\S){_GIVEN}"
    return PatternForm("login", literals, source, _given)


COMMANDS = (
    PatternForm(
        "login",
        "-u|--user|--auth",
        r"-(?:u|-user|-auth)[ =]{0,2}[\"']?[\w.@+-]{1,80}:"
        r"(?:(?<=[\"'][^\"'\s]{1,80}:)(?P<value>[^\"'\n]{4,200})|(?P<value>[^\s\"']{4,200}))",
        _fetches,
    ),
    PatternForm(
        "login",
        "smbclient|smbget|rpcclient|mount.cifs|crackmapexec",
        r"\w[\w.]{3,12}\s[^\n|;&]{0,200}?(?:-U|--user)[ =][\"']?[\w.@\\+-]{1,80}%(?P<value>[^\s\"'%]{4,200})",
        _given,
    ),
    PatternForm(
        "login",
        "--pass|--pwd",
        r"--(?:passw(?:or)?d|passphrase|pass|pwd)(?:(?P<sign>=)|\s{1,2})(?:(?P<quote>[\"'])(?P<value>[^\"'\n]{4,200})(?P=quote)|(?P<value>[^\s\"'`<>=-][^\s\"'`<>]{3,199}))",
        _option,
    ),
    PatternForm(
        "login",
        "mysql",
        r"mysql(?:dump|admin|import|sh)?\s(?:[^\n|;&]{1,120}?\s)?-p(?P<sign>=?)(?P<quote>[\"']?)(?P<value>[^\s\"'`<>=][^\s\"'`<>]{3,199})",
        _given,
    ),
    PatternForm(
        "login", "machine ", r"machine [\w.-]{1,100}\s{1,3}login \S{1,100}\s{1,3}password (?P<value>\S{4,200})", values.has_no_placeholder
    ),
    PatternForm(
        "login",
        "pass:",
        r"(?<![\w])(?<=(?:-pass|-passin|-passout|-k|-password|ENC|pass)[ =]{1,3}[\"']?)pass:(?P<value>[^\s\"'`<>]{4,200})",
        values.has_no_placeholder,
    ),
    PatternForm(
        "login",
        "echo |printf ",
        r"(?:echo|printf)\s(?:-\w+\s|[\"']%s(?:\\n)?[\"']\s)?[\"']?(?P<value>[^\s\"'|]{4,200})[\"']?\s{0,3}\|\s{0,3}"
        r"(?:sudo\s[^\n|]{0,40}?-\w{0,4}S|(?:docker|podman|helm registry|gh auth|az|npm) login"
        r"|passwd|chpasswd|cryptsetup|openssl|gpg|kinit|su\b|vault|twine)",
        values.has_no_placeholder,
    ),
    PatternForm(
        "login",
        "<<<",
        r"(?<=(?:sudo|cryptsetup|kinit|passwd|login|auth|gpg|su)[^\n]{0,60})<<<\s{0,2}[\"']?(?P<value>[^\s\"']{4,200})",
        _stranger,
    ),
    PatternForm(
        "login",
        "auth=(|auth = (|Auth(|auth(|Credential(|Credentials(|credentials(",
        r"(?:[aA]uth(?:\s?=\s?)?|[cC]redentials?)\(\s{0,3}[\"'][^\"'\n]{1,80}[\"']\s{0,2},\s{0,3}[\"'](?P<value>[^\"'\n]{4,200})[\"']",
        _stranger,
    ),
    PatternForm(
        "login",
        "login|Login|LOGIN|ogin data|redentials|creds|Creds|ugangsdaten|dentifiants|log in|sign in",
        r"(?:(?i:login)(?:\sdata)?|[cC]red(?:ential)?s|[zZ]ugangsdaten|[iI]dentifiants|log in|sign in)(?:\s(?:is|are|as|with))?"
        r"\s{0,2}[:=]?\s{0,3}[\w.@+-]{2,60}\s{0,2}[/:|]\s{0,2}(?P<value>[^\s\"'`,;/]{5,100}[^\s\"'`,;/.!?)])",
        lambda match: values.is_mixed(match["value"]) and values.is_password(match["value"], quoted=False, prose=True),
    ),
    *(_program_form(programs, option) for programs, option in _OPTIONS),
)
