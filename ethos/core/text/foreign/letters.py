"""Find a letter in a turn: a greeting that has a line to itself, and a closing with a name at the end of the text.

It is a text to be sent or answered, not what its writer tells here. A greeting to the assistant begins no letter.
"""

from __future__ import annotations

import re

import regex

_ASSISTANTS = r"(?:claude|chatgpt|gpt|gemini|copilot|cursor|ethos|assistant|ai|bot|there|again|everyone|everybody|all|you)\b"
_GREETS = re.compile(
    rf"^[ \t>]*(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening|day)|greetings|to whom it may concern)\b(?! {_ASSISTANTS})"
    r"[ \w.'-]{0,60}[,!:]?[ \t]*$",
    re.MULTILINE,
)
_CLOSES = (
    r"(?:(?:best|kind|kindest|warm|warmest|many)(?: regards| wishes| thanks)?|regards|cheers|sincerely|respectfully|cordially|love"
    r"|yours(?: \w{5,10})?|sincerely yours|thanks(?: again| a lot| so much)?|thank you(?: so much)?|all the best|take care"
    r"|(?:viele|liebe|beste|sch\u00f6ne|herzliche|freundliche)n? gr\u00fc(?:\u00df|ss)e?|mit freundlichen gr\u00fc(?:\u00df|ss)en"
    r"|cordialement|bien \u00e0 vous|amicalement|saludos|un saludo|atentamente|un abrazo|distinti saluti|saluti)"
)
_SIGNED = re.compile(
    rf"^[ \t>]*{_CLOSES}[,.!]?[ \t]*\r?\n\s{{0,3}}[ \t>]*[^\W\d_][\w.'-]{{0,30}}(?: [\w.'-]{{1,30}}){{0,3}}\s{{0,9}}\Z", re.MULTILINE
)
_END = 200  # characters in which a signature stands
# In another script than Latin, by the shape: a short line with a comma at its end; further on, between blank lines, a closing and a name.
_GREETS_OTHERWISE = regex.compile(
    r"^[ \t>]*+(?=\p{L})(?=[^\n]{1,40}[,\u3001\uff0c\u060c:\uff1a!\uff01][ \t]*$)[^\n\p{Latin}]{1,42}$", regex.MULTILINE
)
_SIGNED_OTHERWISE = regex.compile(
    r"\n[ \t>]*+\n[ \t>]*+(?=\p{L})[^\n\p{Latin}.?\u3002\uff1f]{1,30}\n[ \t>]*+(?=\p{L})[^\n.?\u3002\uff1f]{1,40}"
    r"(?=\n[ \t>]*+\n|\s{0,9}\Z)"
)


def letter(low: str) -> int | None:
    """Return where a letter begins that is signed at the end of the text; None if there is none."""
    if "\n" not in low:
        return None
    if _SIGNED.search(low, max(0, low.rfind("\n", 0, max(0, len(low) - _END)) + 1)) is not None:
        greeting = _GREETS.search(low)
        return greeting.start() if greeting is not None else None
    if low.isascii() or (other := _GREETS_OTHERWISE.search(low)) is None:
        return None
    return other.start() if _SIGNED_OTHERWISE.search(low, other.end()) is not None else None
