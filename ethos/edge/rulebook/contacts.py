"""Validate and normalise e-mail addresses and telephone numbers with the established libraries (G-09).

The network is not used. Each library (10 to 30 ms and 1 to 3 MB) is loaded when a rule that needs it has matched.
"""

from __future__ import annotations

import logging
import re
from functools import cache
from ipaddress import AddressValueError, IPv4Address

from ethos.core.rules.validators import SlotForm

log = logging.getLogger("ethos.rules")

_NUMBER = re.compile(r"[\d\s+()./\u2010-\u2015-]{1,40}")  # the library reads letters as keys of a telephone, and ignores other characters
_DATE = re.compile(r"(?:19|20)\d\d([-./ ]?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])(?!\d)")  # "20250115" is also a number of Wuppertal


class Contacts:
    """Validate contacts (`core.rules.validators.Validator`).

    region: two letters of ISO 3166, the country of numbers without a +; "": such numbers are not valid.
    """

    def __init__(self, region: str = "") -> None:
        self._region = region

    def normal(self, form: SlotForm, said: str) -> str:
        """Return an address with its domain in lower case, or a number in E.164 form; "" if it is not valid. See `Validator`."""
        return _address(said) if form == "email" else _number(said, self._region)


def _address(said: str) -> str:
    from email_validator import EmailNotValidError, validate_email  # noqa: PLC0415 (loaded when an address was read)

    try:
        return validate_email(said, check_deliverability=False).normalized
    except EmailNotValidError:
        return ""


def _number(said: str, region: str) -> str:
    import phonenumbers  # noqa: PLC0415 (loaded when a number was read)

    international = said.lstrip("( ").startswith("+")
    if not _NUMBER.fullmatch(said) or not (international or (_is_supported(region) and not _is_date_or_address(said))):
        return ""
    try:
        number = phonenumbers.parse(said, None if international else region)
    except phonenumbers.NumberParseException:
        return ""
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164) if phonenumbers.is_valid_number(number) else ""


def _is_date_or_address(said: str) -> bool:
    """Return True if digits without a + are a date or an IP address: some region has such telephone numbers too."""
    try:
        return bool(_DATE.match(said)) or bool(IPv4Address(said))
    except AddressValueError:
        return False


@cache
def _is_supported(region: str) -> bool:
    """Return True if numbers of the region can be validated; log an unknown region once."""
    import phonenumbers  # noqa: PLC0415 (as above)

    if region and region not in phonenumbers.SUPPORTED_REGIONS:
        log.warning(f"rules.region is {region!r}, which is no region with telephones: numbers without a + are not read")
    return region in phonenumbers.SUPPORTED_REGIONS
