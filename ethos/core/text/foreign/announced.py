"""Find where a person announces the words of others: "Translate into German: ...", "Bob wrote:", "Below is the design doc.".

Announced text has no visible end, so it extends to the end of the turn. A line that ends in a colon announces, unless it says that the
person continues ("I want:", "please do the following:") or a list of the person's own follows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum, auto

TEXTS = (
    r"(?:outputs?|logs?|errors?|stack ?traces?|tracebacks?|readme(?:\.md)?|docs?|documents?|documentation"
    r"|(?:web ?)?pages?|website|articles?"
    r"|e-?mails?|mails?|comments?|responses?|repl(?:y|ies)|transcripts?|results?|issues?|tickets?|pull requests?|posts?"
    r"|threads?|tweets?|letters?"
    r"|snippets?|dump|diff|changelog|contents?|clipboard|(?:scraped |source )?text|quotes?|quotation|conversations?"
    r"|chats?|messages?|specs?"
    r"|specification|adrs?|rfcs?|minutes|memos?|reports?|papers?|abstracts?|chapters?|essays?|drafts?|paragraphs?"
    r"|passages?|sentences?|excerpts?"
    r"|reviews?|descriptions?|prompts?|polic(?:y|ies)|contracts?|terms|proposals?|meeting notes|notes from|release notes"
    r"|proverbs?|poems?|lyrics"
    r"|subtitles|captions?|log ?files?|config(?:uration)?|files?|codes?|functions?|scripts?|json|yaml|csv|tables?"
    r"|quer(?:y|ies)|interviews?"
    r"|stor(?:y|ies)|statements?|announcements?|bios?|tests?|screenshots?|recipes?|blog ?posts?|threads?|dialogues?|speech|slides?)"
)
_LEAD = (  # words before a request
    r"(?:(?:please|pls|kindly|now|then|also|and|so|hey|hi|hello|ok|okay|claude|can you|could you|would you|will you|help me(?: to)?|help"
    r"|i(?:'d| would) like you to|i (?:need|want) you to|let's|let us|try to|quickly|just|next)[ ,]+){0,5}"
)
_LANGUAGE_WORK = (  # verbs that take a text as their object
    r"(?:translate|proof-?read|summari[sz]e|rephrase|paraphrase|reword|re-?write|polish|shorten|critique|transcribe"
    r"|annotate|grade|copy-?edit"
    r"|spell[- ]?check|grammar[- ]?check|\u00fcbersetze|traduis|traduire|traduce|traduci|traduza|vertaal|resume|r\u00e9sume)"
)
_WORK = (
    rf"(?:{_LANGUAGE_WORK}|correct|edit|review|analy[sz]e|explain|interpret|classify|categori[sz]e|label|extract|convert|comment on"
    r"|(?:respond|reply|react) to|answer|parse|reformat|tidy|check|read|look at|see|debug|diagnose|improve|simplify"
    r"|expand|continue|complete"
    r"|finish|evaluate|assess|compare|consider|give (?:me )?feedback|what do you think|what does|is this|turn this"
    r"|make this|count|quote|cite"
    r"|forward|post|send|tl;?dr|repeat|echo|say|print|type|draft|render|highlight|search for|grep for|find|rate|score|decode|spot)"
)
_GENRE = (  # kinds of text that people ask to be worked on, or made of their words
    r"(?:sentences?|paragraphs?|texts?|e-?mails?|mails?|letters?|messages?|repl(?:y|ies)|tweets?|posts?|captions?|headlines?"
    r"|taglines?|slogans?|bios?|blurbs?|statements?|reviews?|poems?|haikus?|limericks?|sonnets?|songs?|raps?|toasts?|speech(?:es)?"
    r"|jokes?|stor(?:y|ies)|lyrics|quotes?|phrases?|lines?)"
)
_TEXT_WORK = (  # the whole of a request that is about a text, before a colon or a dash
    rf"{_LEAD}(?:{_LANGUAGE_WORK}\b.{{0,80}}"
    r"|(?:fix|correct|check|improve|tidy|clean)(?: up)? (?:the |my |this |its |any |all )?"
    r"(?:grammar|spelling|typos?|wording|punctuation|english|style|tone|phrasing)\b.{0,60}"
    r"|make (?:it|this|that) (?:(?:sound|read)\b.{1,40}|(?:more|less) \w+"
    r"|(?:much |a bit |a little )?(?:short|long|nic|clear|simpl|polit|friendli|funni|punchi|warm|soft)e?r|formal|polite)"
    rf"|.{{0,80}}\b(?:this|these|the following|following) (?:\w+ )?{_GENRE}"
    rf"|(?:\w+ ){{1,2}}(?:this|it|that|the following) as (?:an?|the|my) (?:\w+ )?{_GENRE}"
    rf"|(?:an? |the )?{_GENRE} (?:to (?:translate|proof-?read|correct|rewrite|rephrase|summari[sz]e)|for (?:me|us|(?:the|my|our) \w+))"
    rf"|(?:i(?:'m| am| have|'ve got| need| want|'d like| would like) (?:trying )?|help me )to {_LANGUAGE_WORK}\b.{{0,60}}"
    rf"|(?:i |we )?(?:need|want|looking for) (?:an?|some|the) (?:[\w-]+ ){{0,2}}{_GENRE}\b.{{0,40}}"
    r"|turn .{1,60}? into .{1,40}"
    r"|(?:eli5|tl;?dr|tone check)\b.{0,60})(?:,? (?:please|pls|for me|if you can))?\Z"
)
_SAYS = (
    r"(?:says|said|wrote|writes|asked|asks|told|tells|texted|mailed|emailed|posted|messaged|sent|printed|prints|returned"
    r"|returns|responded|replied"
    r"|answered|reads|logged|gave|gives|shows|states|noted|commented|suggested|claims|schrieb|sagte|a \u00e9crit"
    r"|\u00e9crit|escribi\u00f3|dijo|ha scritto"
    r"|escreveu|schreef|skrev|\u043f\u0438\u0441\u0430\u043b\w?|\u043d\u0430\u043f\u0438\u0441\u0430\u043b\w?|\u5199\u9053|\u8bf4)"
)
_PLANS = (
    r"(?:implement|execute|follow|carry out|apply) (?:the |this |that )?(?:following |attached )?"
    r"(?:plan|design|spec(?:ification)?|proposal|prd|rfc|adr)\b"
)

_PLAN = re.compile(_LEAD + _PLANS)
_HANDS_OVER = re.compile(  # before a colon anywhere in a line
    rf"{_LEAD}{_WORK}\b|{_LEAD}{_PLANS}"
    rf"|.{{0,100}}?(?:(?<!\bi )(?<!\bwe )(?<!\bi've )(?<!\balso )\b{_SAYS})(?: (?:to )?(?:me|us|this|that|the following"
    rf"|back|out|in .{{1,40}}"
    r"|on .{1,40}|here)){0,2}\Z"
    rf"|.{{0,100}}?\b(?:what|as|according to) (?!i\b|we\b)[\w .'-]{{1,40}}\b{_SAYS}\b"
    r"|.{0,100}?\b(?:here(?:'s| is| are)|below|attached|pasted?|copied|this is|these are|following|got|get|getting"
    r"|received|found|saw|came across)\b"
    rf".{{0,60}}?\b{TEXTS}(?: (?:below|here|is|are|was|were|says?|reads?|follows?|(?:of|from|in|by|on|for|about|to|with"
    rf"|between|i|we)\b.{{1,60}}))?\Z"
    r"|(?:.{0,60}?\bi )?(?:just )?(?:got|received|found|saw|copied|pasted|overheard|was (?:sent|told|given))(?: (?:this|that|it|these))\Z"
)
_TEXT_REQUEST = re.compile(_TEXT_WORK)
_HANDS_OVER_LINES = re.compile(  # before a colon that ends its line
    rf".{{0,120}}?\b{TEXTS}(?: (?:is|are|was|were|says?|below|follows?|here|(?:of|from|in|by)\b.{{1,60}}))?\Z"
    r"|.{0,60}?\bi (?:just )?(?:got|get|received|found|saw|see|read)(?: .{1,40})?\Z"
)
_OWN_WORDS = re.compile(
    r"\b(?:i|we)(?:'d|'ll|'ve|'m|'re)?(?: (?:would|will|have|had|just|also|really|already|still|do|am|are)){0,2} "
    r"(?:said|wrote|told|asked|mentioned|want|wanted|need|needed|like|prefer|decided|mean|meant|use|think|plan|agreed"
    r"|chose|expect|request)"
    r"|\b(?:please|remember|keep in mind|make sure|going forward|from now on|instead|the following|as follows|do (?:this"
    r"|these)|you (?:missed|forgot"
    r"|should|must|need)|requirements?|rules?|changes?|conventions?|guidelines?|preferences?|decisions?|goals?|steps?"
    r"|tasks?|todos?|constraints?|my|our)\b"
)
_OWN_TEXT = re.compile(
    r"\b(?:what|as|like) (?:i|we)(?:'ve| have)? \w{2,12}\Z|\b(?:i|we)(?:'ve| have)? (?:\w{2,10} )?(?:said|wrote|asked"
    r"|told you|mentioned|meant|requested|decided|agreed)\b"
)
_PRESENTS = re.compile(  # a sentence at the end of a line, without a colon
    rf"(?:{_LEAD}|.{{0,300}}[.!?] )(?:(?:here(?:'s| is| are)|below(?: is| are| you)|attached (?:is|are)|this is|these are"
    rf"|pasted|copied|following (?:is|are))\b"
    rf".{{0,80}}(?:\b{TEXTS}\b|\bwhat (?!i\b|we\b)[\w .'-]{{1,40}}\b{_SAYS}\b).{{0,60}}"
    rf"|{_LEAD}{_LANGUAGE_WORK}\b.{{0,80}}\b(?:this|these|the following|below|following|it|{TEXTS})\b.{{0,40}}"
    rf"|{_LEAD}translate(?: (?:it|this|that))?(?: from \w{{4,12}})? (?:in)?to \w{{4,12}}(?: for me)?(?:,? (?:please|pls))?"
    rf"|{_LEAD}(?:translate|proof-?read|summari[sz]e|rephrase|paraphrase|reword|re-?write)(?: (?:this|it))?(?:,? (?:please|pls))?"
    r"|see below|text below|pasted below)[.!?)]?\Z"
)
# one of these is in each line of plain words that asks for work on a text
WORKED_ON = (
    *(" - ", "translat", "proof", "summari", "rephras", "paraphras", "reword", "rewrit", "re-writ", "following"),
    *(f" this {word}" for word in ("sentence", "paragraph", "text", "e-mail", "email", "letter", "message", "reply", "tweet", "post")),
)
_PRESENTS_NEXT = re.compile(  # the first sentence of a line, about the rest of it
    rf"{_LEAD}(?:{_WORK}\b[^.!?:\n]{{0,60}}\bthe following\b[^.!?:\n]{{0,40}}|{_LANGUAGE_WORK} (?:this|these)\b[^.!?:\n]{{0,50}}"
    rf"|(?:is|does|are) (?:this|the following|these) {_GENRE}\b[^.!?:\n]{{0,40}})[.!?](?= +\w)"
)
_TITLE = re.compile(
    r"(?:adr|rfc|pep|prd|kip|jep|tdd|bip|eip)[ #-]?\d{1,5}\b[^.!?\n]{0,120}\Z|abstract\Z|executive summary\Z"
    r"|meeting (?:notes|minutes)\b.{0,60}\Z"
)
_AFTERWARDS = re.compile(rf"^[ \t]*{_LEAD}{_WORK}\b[^\n]{{0,60}}\b(?:above|preceding)\b", re.MULTILINE)

_DASH = re.compile(r" (?:-{1,2}|\u2013|\u2014) (?=\w)")
_COLON = re.compile(r":(?=[*_]{0,2}(?:[ \t\"']|\r?\Z))")
_HEAD = 160  # characters examined before a colon
_TAIL = 300  # characters examined at the end of a line


class Follows(Enum):
    """The kind of the next line that has words."""

    PROSE = auto()
    LIST = auto()
    ENCLOSED = auto()  # a fence, a quotation or the like: the announced text ends with it


def announced(low: str, start: int, end: int, follows: Callable[[], Follows]) -> int | None:
    """Return where the text begins that a line of prose announces: after a colon, or at the line's end; None if it announces nothing.

    follows: gives the kind of the next line. Few lines ask for it, and to tell it costs as much as all else about a line.
    """
    for colon in _COLON.finditer(low, start, min(end, start + 2_000)):
        head = low[max(start, colon.start() - _HEAD) : colon.start()].strip(" *_")
        head = head[max(head.rfind(". "), head.rfind("! "), head.rfind("? ")) + 1 :].strip()
        last = not low[colon.end() : end].strip(" *_\r\t")
        kind = follows() if last else None
        if kind is Follows.ENCLOSED and not _PLAN.match(head):
            return None
        if (
            _hands_over(head, last=last)
            or (_TEXT_REQUEST.match(head) and not _OWN_TEXT.search(head))
            or (kind is Follows.PROSE and not _OWN_WORDS.search(head))
        ):
            return colon.end()
    if (found := _presented(low, start, end)) is not None:
        return found
    tail = low[max(start, end - _TAIL) : end].strip()
    presents = _PRESENTS.match(tail) or _TITLE.match(tail)
    return end if presents and follows() is not Follows.ENCLOSED else None


def _presented(low: str, start: int, end: int) -> int | None:
    """Return where the text begins that the first words of a line ask to work on: after a dash, or their full stop; None if they do not."""
    first = start + len(low[start:end]) - len(low[start:end].lstrip(" *_"))
    dash = _DASH.search(low, first, min(end, first + _HEAD))
    if dash and _TEXT_REQUEST.match(head := low[first : dash.start()]) and not _OWN_TEXT.search(head):
        return dash.end()
    request = _PRESENTS_NEXT.match(low, first, end)
    return request.end() if request and not _OWN_TEXT.search(request[0]) else None


def _hands_over(head: str, *, last: bool) -> bool:
    """Return whether the words before a colon announce the words of others; last: the colon ends its line."""
    return bool(_HANDS_OVER.match(head) or (last and _HANDS_OVER_LINES.match(head))) and not _OWN_TEXT.search(head)


def looked_back_upon(low: str) -> int:
    """Return the length of the text that later words refer to ("translate the above"): all text before them; 0 for none."""
    if "above" not in low and "preceding" not in low:
        return 0
    found = list(_AFTERWARDS.finditer(low))
    return found[-1].start() if found else 0
