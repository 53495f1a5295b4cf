"""The words by which a summary knows talk from what it is about. They are of English, and change no rule."""

from __future__ import annotations

from ethos.core.recall.terms import FRAGMENTS, STOP_WORDS


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ROLE_NAMES = {"user": "The user", "assistant": "The assistant"}  # how a speaker is told whom the transcript does not name

# Words of courtesy and of talk itself: no summary is chosen for them, nor for words without meaning of their own.
SLIGHT = (
    STOP_WORDS
    | FRAGMENTS
    | _words(
        """really wow hey thanks thank great good awesome amazing cool yeah yes oh definitely totally absolutely sure well let know things
        thing lot lots got get getting gonna going one any all very much many too also even always only such don didn doesn isn wasn
        aren"""
    )
)

# What opens a clause and says nothing; it stands for the whole of a regular expression, apart from what separates it.
OPENINGS = r"""oh|wow|whoa|yeah|yep|yup|yes|no|nope|hey|hi|hello|haha|lol|hmm|ah|aw+|well|so|and|but|or|also|anyways?|actually|basically
    |honestly|absolutely|definitely|totally|exactly|sure|ok|okay|thanks(?:\ a\ (?:lot|bunch|million)|\ so\ much)?|thank\ you(?:\ so\ much)?
    |thx|by\ the\ way|btw|plus|luckily|fortunately|unfortunately|certainly|for\ sure|of\ course|no\ (?:worries|problem)|glad|cool|nice|great
    |awesome|sounds\ good|right|true|indeed|you\ know|i\ (?:mean|guess|think|believe|know|must\ say|have\ to\ say|feel\ like)
    |speaking\ of\ which|to\ be\ honest|as\ for\ me|personally|then|because|'?cause|since|though|although|however|let\ me\ tell\ you
    |guess\ what|it's\ like|please|pls|now|go\ ahead\ and|lets|let's|long\ time\ no\ (?:see|talk|chat)"""

# What may be left out anywhere.
FILLERS = (
    "really",
    r"so(?=\ (?!that|far|long|much|many))",
    "super",
    "very",
    "totally",
    "absolutely",
    "just",
    "actually",
    "definitely",
    r"pretty(?=\ \w+(?:ly|ing|ed|y|l|t)\b)",
    "quite",
    "truly",
    "basically",
    "literally",
    "honestly",
    "kinda",
    r"kind\ of",
    r"sort\ of",
    r"such(?=\ an?\b)",
    r"a\ (?:little\ )?bit",
    "obviously",
    "simply",
    "also",
    "too(?=$|[.,!])",
    r"as\ well(?=$|[.,!])",
    "even",
)

# Forms of "to be", "to have" and of helping verbs after "I", as they are of somebody else.
OF_ONE = {
    "am": "is", "was": "was", "were": "was", "have": "has", "do": "does", "don't": "does not", "haven't": "has not", "didn't": "did not",
    "can't": "cannot", "couldn't": "could not", "wasn't": "was not", "weren't": "was not", "won't": "will not", "wouldn't": "would not",
    "hadn't": "had not", "shouldn't": "should not", "dont": "does not", "didnt": "did not", "cant": "cannot", "wont": "will not",
    "wanna": "wants to", "gonna": "is going to", "gotta": "has to", "been": "has been",
}  # fmt: skip
OPENS_ALONE = frozenset({"wanna", "gonna", "gotta", "been"})  # of these, those that begin a sentence without its subject

UNCHANGED = _words(
    """can could will would should must might may did had used put set let cut hit hurt quit read cost bet shut split spread beat"""
)
ADVERBS = _words(
    """just really always still also never finally recently actually usually often sometimes currently definitely already even ever
    probably mostly rarely truly absolutely totally once only either too now then today yesterday regularly mainly typically normally
    generally officially literally soon simply"""
)
PARTICIPLES = _words(
    """amazed blessed bored determined exhausted excited honored hooked inspired interested loaded pleased relieved stoked stressed
    surprised swamped thrilled tired worried"""
)
NOUNS = _words("children people men women life lives left feet teeth lay leaves lit met mice pies wives")  # they look like past forms
TOWNS = _words("beijing nanjing boeing sterling irving wyoming redding")
LOWERED = STOP_WORDS | _words("last next being since getting having making taking trying working")
# What ends as past forms do and is none.
PAST_BY_LOOKS = _words("need proceed succeed exceed feed bleed breed heed seed speed weed embed bed shed indeed")

FELT = _words("feel guess hope know mean miss need remember think want wish")  # verbs of one's own mind, with which nobody orders anything

# Verbs with which a user of an agent orders something.
ORDERS = _words(
    """add address adjust align allow analyze append apply arrange ask assign avoid break bring build bump call cancel capture change check
    clarify clean clear clone close collect combine commit compare condense configure connect consider continue convert copy count cover
    create cut debug decide define delete deploy describe detect determine disable display document download draft drop edit enable
    ensure estimate evaluate expand explain export expose extend extract fetch figure fill filter find finish fix flag follow format
    generate give handle hide identify ignore implement import improve include increase initialize initiate inline insert inspect
    install integrate introduce investigate join keep leave limit link lint list load log look maintain make mark merge migrate mock
    modify monitor move name note open optimize order organize parse paste pause perform pin plan prefer prepare preserve prevent print
    propose provide publish pull push put raise read rebase recommend record reduce refactor register remove rename render reorganize
    replace reply report request require reset resolve respond restore rethink retry return reuse revert review rewrite run save
    scaffold schedule search select send separate serve set shorten show simplify sketch skip solve sort specify spell split stage start
    step stop store submit suggest summarize support switch take tell test tidy trace track train transform translate trim try turn undo
    unify uninstall update upgrade upload use validate verify view visit wait wrap write"""
)
