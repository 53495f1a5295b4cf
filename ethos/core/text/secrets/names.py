"""Names of secrets in settings and sentences, in several languages.

A space in a name matches a space, `_`, `-` or nothing: "api key" is also `API_KEY`, `apiKey` and `api-key`.
"""

from __future__ import annotations

from ethos.core.text.secrets.form import cases

PASSWORDS = (
    *("password", "passwd", "passphrase", "passcode", "pwd", "pw", "requirepass", "psk", "pre shared key", "preshared key"),
    *(
        "passwort",
        "kennwort",
        "zugangscode",
        "mot de passe",
        "contraseña",
        "contrasena",
        "clave",
        "mdp",
        "palavra passe",
        "senha",
        "parola d'ordine",
    ),
    *("wachtwoord", "lösenord", "passord", "adgangskode", "salasana", "hasło", "heslo", "jelszó", "parolă", "şifre", "parola"),
    *("пароль", "密码", "密碼", "口令", "パスワード", "비밀번호", "암호", "mật khẩu", "सीक्रेट", "κωδικός", "סיסמה", "كلمة المرور"),
)
KEYS = (
    *("secret", "token", "credential", "api key", "access key", "auth key", "encryption key", "signing key", "private key", "master key"),
    *("client key", "service key", "account key", "license key", "app key", "application key", "secret key", "session key", "shared key"),
    *("key data", "storage key", "webhook key", "deploy key", "admin key", "write key", "ingest key", "subscription key", "webhook secret"),
    *("api schlüssel", "geheimschlüssel", "zugangsschlüssel", "clé api", "clé d'api", "clé secrète", "clé privée", "jeton d'accès"),
    *("clave de api", "clave api", "clave secreta", "clave privada", "chave de api", "chave secreta", "chiave api", "chiave segreta"),
    *("api sleutel", "klucz api", "ключ api", "api ключ", "секретный ключ", "токен", "密钥", "密鑰", "令牌", "秘密鍵", "トークン", "토큰"),
)
# Suffixes that a name may have: SECRET_KEY_BASE, DB_PASSWORD_PROD, token2.
SUFFIX = r"(?:[_-](?:base|v?\d|prod|production|dev|live|staging|value|b64|base64|plain|text))?"
# Words that link a name and its value in a sentence.
IS = r"is|was|to|are|equals|lautet|ist|war|est|es|era|é|è|será|sarà|jest|är|er|on|это|будет|是|为|為|は"


def _spelled(name: str) -> str:
    return name.replace(" ", "[ _-]?")


def literals(names: tuple[str, ...]) -> list[str]:
    """Return the strings that one of these names begins with."""
    found = cases(*names).split("|")
    beginnings = [name.rpartition(" ")[0] for name in names if name.endswith(" api")]  # "clave de API" mixes cases
    return found + [f"{beginning} " for beginning in cases(*beginnings).split("|") if beginning]


def pattern(names: tuple[str, ...]) -> str:
    """Return the names as alternatives of a pattern, the longest first."""
    return "|".join(sorted(map(_spelled, names), key=len, reverse=True))
