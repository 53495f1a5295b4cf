"""How days and dates are written in folded text, as parts of patterns."""

from __future__ import annotations

from typing import Final

MONTH: Final = "(?:january|february|march|april|may|june|july|august|september|october|november|december)"
DATE: Final = rf"(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}|{MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?"
WEEKDAY: Final = "(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
