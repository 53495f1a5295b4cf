"""How days and dates are written in folded text: names, and parts of patterns."""

from __future__ import annotations

from typing import Final

MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DAYS_AND_MONTHS: Final = (*WEEKDAYS, *(month for month in MONTHS if month != "may"))  # which is more often a verb
CALENDAR: Final = frozenset({*DAYS_AND_MONTHS, *(f"{day}s" for day in WEEKDAYS)})
MONTH: Final = f"(?:{'|'.join(MONTHS)})"
DATE: Final = rf"(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}|{MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?"
WEEKDAY: Final = f"(?:{'|'.join(WEEKDAYS)})s?"
