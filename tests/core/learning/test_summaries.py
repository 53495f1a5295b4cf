"""Sessions told briefly, with plain values: clauses in the third person, choice within a budget, chunks, and what each sentence cites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import quality, telling
from ethos.core.learning.summaries.choosing import COST, LARGEST, SHORT, _Choice, choose, weights
from ethos.core.learning.summaries.clauses import Clause, asked, clauses, content
from ethos.core.learning.summaries.composing import compose
from ethos.core.learning.summaries.levels import SummaryText, tell
from ethos.core.learning.summaries.likeness import likeness
from ethos.core.learning.summaries.retelling import bare, is_order, leads, never_leads, retell, stays_first
from ethos.core.model.records import Origin, Role, Utterance
from ethos.core.model.settings import SummarySettings
from tests.support.telling import NOON

SETTINGS = SummarySettings()


def turn(number: int, text: str, speaker: str = "Maren", role: Role = "user", origin: Origin = Origin.USER) -> Utterance:
    """One turn of a session."""
    at = NOON + timedelta(minutes=number)
    return Utterance(f"ep_{number}", text, at, "default", "", "s1", role, speaker, origin, 0.5, False, 0, 0, "test", number)


def lively(number: int) -> Utterance:
    """A turn that tells something no other does."""
    things = ("cello", "bicycle", "sourdough", "telescope", "greenhouse", "kayak", "typewriter", "aquarium", "loom", "sailboat")
    places = ("Bergen", "Lyon", "Porto", "Graz", "Cork", "Turku", "Ghent")
    thing, place = things[number % 10], places[number % 7]
    return turn(number, f"I bought the {thing} number {number} from a neighbour in {place} last week, and I keep it in my shed now.")


def words(told: SummaryText) -> int:
    """How many words a summary has."""
    return sum(len(sentence.text.split()) for sentence in told.sentences)


# -- the third person


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Yeah, I've been hiking a lot!", "has been hiking a lot"),
        ("I really love my new job", "loves their new job"),
        ("So I went to Oslo with my sister", "went to Oslo with their sister"),
        ("I'm swamped with work", "is swamped with work"),
        ("I don't eat meat", "does not eat meat"),
        ("I usually carry two pens", "usually carries two pens"),
        ("I need a break", "needs a break"),
        ("Last Friday I went to a fair, and it rained", "went to a fair last Friday, and it rained"),
        ("Yesterday we planted a hedge", "they planted a hedge yesterday"),
        ("I retook the exam", "retook the exam"),
        ("Baking for others brings me joy", "baking for others brings them joy"),
        ("Baking until it stops", "is baking until it stops"),
        ("Baking for others isn't always easy", "baking for others isn't always easy"),
        ("Nothing is ready", "Nothing is ready"),
        ("We started a band", "they started a band"),
        ("My cat hates rain", "their cat hates rain"),
        ("Researching adoption agencies", "is researching adoption agencies"),
        ("Gonna sell the car", "is going to sell the car"),
        ('I danced a piece called "Wide Open', 'danced a piece called "Wide Open"'),
        ('I danced it twice" in Graz', "danced it twice in Graz"),
    ],
)
def test_g08_a_clause_is_told_in_the_third_person(said: str, told: str) -> None:
    """Openings and fillers go; the verb fits its subject. Whether it leads is known without telling it."""
    assert retell(bare(said, None), "Maren").text == told
    assert leads(bare(said, None), "Maren") == retell(bare(said, None), "Maren").leads


def test_g16_xg2_eight_episodes_are_the_threshold_unless_set() -> None:
    """With fewer a session may be told in so many words that there can be a sentence, from then on in an eighth of its words."""
    things = ("cello", "bicycle", "telescope", "greenhouse", "kayak", "typewriter", "aquarium", "loom")
    turns = [turn(number, f"I bought a {thing} in Bergen. What do you think?") for number, thing in enumerate(things)]
    seven, eight = tell(turns[:7], {}, SETTINGS), tell(turns, {}, SETTINGS)
    assert eight.words // SETTINGS.ratio < words(seven) <= SETTINGS.least_words
    assert 0 < words(eight) <= eight.words // SETTINGS.ratio
    assert words(tell(turns[:7], {}, replace(SETTINGS, threshold=7))) <= seven.words // SETTINGS.ratio


def test_g08_what_somebody_is_told_to_do_is_not_told() -> None:
    """In talk of people an order is addressed to the other; a noun in front is none, nor is a verb of one's own mind."""
    for said in ("Spill the beans", "Have a great time", "Keep going with it", "Make sure it lasts", "Don't give up"):
        assert is_order(said), said
    for said in ("Love the new place", "Need more time", "Dance is my life", "Family time matters", "Creating art helps", "Nature heals"):
        assert not is_order(said), said


def test_g08_a_summary_has_no_order_in_it() -> None:
    """The clause before it in its turn is told all the same."""
    found = clauses(turn(1, "I loved that book as a kid. Spill the beans."), 0, (), ())
    assert [clause.text for clause in found] == ["loved that book as a kid"]


def test_g08_an_adverb_before_the_verb_stays_as_it_is() -> None:
    """And a verb that ends like one is put into the third person."""
    assert retell("I immediately jumped to the code", "Maren").text == "immediately jumped to the code"
    assert retell("I quickly fix the gate", "Maren").text == "quickly fixes the gate"
    assert retell("I apply for the grant", "Maren").text == "applies for the grant"


def test_g08_an_order_is_told_as_one() -> None:
    """X-G8: the user has no name, and is told as "The user"."""
    assert retell("rename the flag to quiet", "user") == ("asked to rename the flag to quiet", True)
    assert retell("the log has each line twice, fix this", "user") == ("the log has each line twice and asked to fix this", False)
    assert retell("rename the flag, move the test", "user") == ("asked to rename the flag, move the test", True)
    assert retell("the log is full, fix this", "Maren").text == "the log is full, fix this"
    orders = ("please rename the verbose flag to quiet", "is there anything else that you would have to know about it?")
    told = tell([turn(number, text, "user") for number, text in enumerate(orders)], {}, SETTINGS)
    assert told.sentences[0].text == "The user asked to rename the verbose flag to quiet."


@pytest.mark.parametrize(
    "said",
    [
        "Did you see the northern lights over the harbour?",
        "You should visit the northern lights museum",
        "It was the best thing about the whole northern trip",
        "```\nI printed the northern lights table\n```",
        "Been a busy week with the northern lights",
        "Our last chat by the northern harbour",
    ],
)
def test_g08_what_cannot_stand_alone_is_left_out(said: str) -> None:
    """Questions, what speaks to somebody, pronouns whose noun stands elsewhere or is left out, code, what has no verb."""
    assert clauses(turn(0, said), 0, frozenset({"maren"}), ()) == []


def test_g08_a_while_ago_is_no_clause() -> None:
    """A sentence is cut at "while", but not within a time."""
    told = clauses(turn(0, "I painted the lake a while ago, while I slept in the boat house"), 0, frozenset({"maren"}), ())
    assert [clause.text for clause in told] == ["painted the lake a while ago", "slept in the boat house"]


def test_g08_an_address_to_the_other_is_left_out() -> None:
    """By the whole name or a short form."""
    (told,) = clauses(turn(0, "Thanks, Mel! I painted the lake at sunrise, Melanie."), 0, frozenset({"maren", "melanie", "mel"}), ())
    assert told.text == "painted the lake at sunrise"


# -- how much, and from where


def test_g08_five_sentences_at_most() -> None:
    """However much was chosen."""
    many = [Clause(f"e{at}", at, 0, "Ada", f"moved box {at}", leads=True, held=False, value=0.5, terms=(f"{at}",)) for at in range(40)]
    assert len(compose(many, 1_000)) == 5


@given(count=st.integers(8, 70), first=st.integers(0, 500))
def test_g10_eight_words_are_told_in_one(count: int, first: int) -> None:
    """And never in more than five sentences, of which each cites the episodes that it was taken from."""
    turns = [lively(first + number) for number in range(count)]
    told = tell(turns, {}, SETTINGS)
    assert words(told) * SETTINGS.ratio <= told.words
    assert words(told) <= SETTINGS.max_words
    assert (2 if count >= 16 else 1) <= len(told.sentences) <= 5
    said = {each.id: each.text for each in turns}
    for sentence in told.sentences:
        assert sentence.episodes
        for episode in sentence.episodes:
            assert len({*content(sentence.text)} & {*content(said[episode])}) >= 2


def test_g10_a_short_session_may_have_a_sentence() -> None:
    """X-G2: an eighth of two turns is too little for one."""
    told = tell([lively(1), lively(2)], {}, SETTINGS)
    assert 0 < words(told) <= SETTINGS.least_words


def test_g08_facts_that_are_held_go_first() -> None:
    """What a rule read in a turn is told before what only looks lasting."""
    turns = [lively(number) for number in range(24)]
    plain = turn(24, "The support is great there and a window seat is worth the walk")
    span = (0, len(plain.text))
    assert "window seat" not in str(tell([*turns, plain], {}, SETTINGS).sentences)
    assert "window seat" in str(tell([*turns, plain], {plain.id: (span,)}, SETTINGS).sentences)


def test_g08_a_decision_goes_before_other_held_facts() -> None:
    """However much else was read in the session."""
    turns = [lively(number) for number in range(24)]
    plain = turn(24, "We decided to keep the old fence")
    held = {each.id: ((0, len(each.text)),) for each in (*turns, plain)}
    assert "old fence" not in str(tell([*turns, plain], held, SETTINGS).sentences)
    assert "old fence" in str(tell([*turns, plain], held, SETTINGS, decided={plain.id: held[plain.id]}).sentences)


@st.composite
def sets_of_clauses(draw: st.DrawFn) -> list[Clause]:
    """Clauses of three speakers, with terms in common."""
    found = []
    for place in range(draw(st.integers(1, 25))):
        terms = tuple(sorted(draw(st.sets(st.sampled_from("abcdefgh"), min_size=1, max_size=5))))
        text = "word " * draw(st.integers(3, 14))
        value = draw(st.integers(0, 10)) / 10
        found.append(Clause(f"e{place}", place, 0, draw(st.sampled_from("ABC")), text, True, False, value, terms))
    return found


@given(told=sets_of_clauses(), room=st.integers(5, 60))
def test_l37_the_lazy_choice_is_that_of_the_plain_greedy(told: list[Clause], room: int) -> None:
    """Each time the clause that adds most of those that fit, every gain computed anew."""
    worth_of = weights(told)
    choice = _Choice(worth_of, room, {})
    candidates = [clause for clause in told if clause.size <= max(SHORT, LARGEST * room)]

    def gain(clause: Clause) -> float:
        return choice._gain(clause, clause.size**COST)

    while fitting := [clause for clause in candidates if choice._left >= clause.size + choice._naming(clause)]:
        best = max(fitting, key=gain)
        if gain(best) <= 0:
            break
        candidates.remove(best)
        choice._choose(best)
    assert choose(told, worth_of, room) == sorted(choice.chosen, key=lambda clause: clause.place)


def test_g07_what_an_earlier_summary_told_is_not_told_again_while_there_is_something_new() -> None:
    """Earlier summaries of the session are context."""
    old = [lively(number) for number in range(10)]
    first = tell(old, {}, SETTINGS)
    known = {term for sentence in first.sentences for term in content(sentence.text)}
    new = turn(30, "I planted four apple trees behind the old barn yesterday")
    assert "apple trees" in str(tell([*old, new], {}, SETTINGS, known=known).sentences)


# -- chunks


class Failing:
    """A digest that gives nothing for the chunks with these numbers, counted from 1."""

    def __init__(self, *failing: int) -> None:
        self.failing = failing
        self.seen = 0

    def __call__(self, found: Sequence[Clause], _: Mapping[str, float], __: int) -> Sequence[Clause]:
        """All of them, or nothing."""
        self.seen += 1
        return [] if self.seen in self.failing else list(found)


@pytest.mark.parametrize(
    ("episodes", "failing", "told_of"),
    [(25, (2,), 20), (40, (2,), 20), (25, (), 25), (19, (1,), 0), (40, (1, 2), 0), (0, (), 0)],
)
def test_g06_a_chunk_that_fails_leaves_its_episodes_untold(episodes: int, failing: tuple[int, ...], told_of: int) -> None:
    """25 episodes with a second chunk that fails: the first 20 are told, in one summary."""
    told = tell([lively(number) for number in range(episodes)], {}, SETTINGS, digest=Failing(*failing))
    assert told.sources == tuple(f"ep_{number}" for number in range(told_of))
    assert told.failed == tuple(f"ep_{number}" for number in range(told_of, episodes))
    assert bool(told.sentences) == bool(told_of)


def test_g06_a_long_session_is_told_from_all_of_it() -> None:
    """Three chunks, one choice among what they offer."""
    turns = [lively(number) for number in range(60)]
    turns[3] = turn(3, "My daughter opened her own pottery school yesterday")
    turns[27] = turn(27, "I won the regional fencing championship on Saturday")
    turns[55] = turn(55, "My brother adopted two rescued greyhounds recently")
    told = " ".join(sentence.text for sentence in tell(turns, {}, SETTINGS).sentences)
    assert all(news in told for news in ("pottery school", "fencing championship", "greyhounds"))


def test_xg7_g06_what_the_system_says_is_no_source_and_counts_as_told() -> None:
    """It stands in no summary, and is not asked for again."""
    prompt = turn(99, "I am a careful assistant and I keep the secret handbook of Trondheim", "system", role="system")
    told = tell([prompt, *(lively(number) for number in range(12))], {}, SETTINGS)
    assert (told.silent, len(told.sources)) == (("ep_99",), 12)
    assert "Trondheim" not in str(told.sentences)


def test_g08_what_comes_from_outside_is_not_told() -> None:
    """A page that somebody fetched speaks for nobody."""
    page = turn(99, "I transferred the money to the account in Zurich last week", origin=Origin.EXTERNAL)
    told = tell([page, *(lively(number) for number in range(12))], {}, SETTINGS)
    assert told.silent == ("ep_99",)
    assert "Zurich" not in str(told.sentences)


@pytest.mark.parametrize("texts", [["ok", "thanks!", "and you?"], ["   ", ""], ["```\nx = 1\n```"]])
def test_g05_where_there_is_nothing_to_tell_nothing_is_told(texts: list[str]) -> None:
    """An empty summary leaves its episodes untold."""
    told = tell([turn(number, text) for number, text in enumerate(texts)], {}, SETTINGS)
    assert (told.sentences, told.sources, len(told.failed)) == ((), (), len(texts))


@given(st.lists(st.text(max_size=200), max_size=12))
def test_g08_any_text_can_be_told(texts: list[str]) -> None:
    """Whatever was captured, the same turns give the same summary, within the budget."""
    turns = [turn(number, text) for number, text in enumerate(texts)]
    told = tell(turns, {}, SETTINGS)
    assert told == tell(turns, {}, SETTINGS)
    assert words(told) <= SETTINGS.max_words
    assert {*told.sources, *told.failed, *told.silent} == {each.id for each in turns}


def test_g05_likeness_tells_a_repetition_from_news() -> None:
    """Word order and small words do not count."""
    assert likeness("Maren bought the cello in Bergen.", "In Bergen Maren bought a cello.") == 1.0
    assert likeness("Maren bought the cello in Bergen.", "Maren sold the kayak in Bergen.") < 0.9
    assert likeness("", "Maren sold the kayak") == 0.0


@pytest.mark.no_cover  # the same lines, hundreds of times
def test_g10_more_of_what_is_lasting_is_told_than_by_common_means() -> None:
    """On sessions of our own sentences: at least one and a half times what first sentences and a TF-IDF centroid tell."""
    made = list(islice(telling.sessions(quality.rows("people"), quality.rows("nothing")), 20))
    shares = {name: telling.share_told(tell_it, made) for name, tell_it in telling.TELLERS.items()}
    assert shares["ours"] >= 1.5 * max(shares["first sentences"], shares["TF-IDF centroid"]), shares


# -- what the user asked


def test_g08_a_past_form_that_ends_as_shed_does_stays_as_it_is() -> None:
    """Only a few words end as past forms do and are none."""
    assert retell("I finally finished the fence", "Maren").text == "finally finished the fence"
    assert retell("I described the plan", "Maren").text == "described the plan"
    assert retell("I need a fence", "Maren").text == "needs a fence"


def test_g08_a_file_that_a_turn_points_to_is_not_told() -> None:
    """What follows it is."""
    assert bare("@notes.md @todo.md the changelog has two dates", None) == "the changelog has two dates"


def test_g08_a_session_of_questions_is_told_by_what_was_asked() -> None:
    """Where hardly anything is stated; a question whose words stand as a question asks it is left out."""
    said = ["Which modules import the parser?", "Why is it so slow on the big machine?", "What backups exist?"]
    turns = [turn(at, text, speaker="user") for at, text in enumerate(said)]
    told = tell(turns, {}, SETTINGS)
    assert [sentence.text for sentence in told.sentences] == [
        "The user asked which modules import the parser.",
        "The user asked what backups exist.",
    ]


def test_g08_what_follows_which_is_not_told_by_itself() -> None:
    """Its subject stands before the cut."""
    said = turn(0, "I filled the barn with a shelf of metadata, which initially will be two long lists")
    assert [clause.text for clause in clauses(said, 0, frozenset(), ())] == ["filled the barn with a shelf of metadata"]


# -- what an assistant says


@pytest.mark.no_cover  # the same lines, hundreds of times
def test_the_first_word_of_a_clause_leaves_out_no_clause_that_would_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a shorter way to the same: so of every sentence of the corpus, and of those with words before them."""
    names = ("assistant", "user", "Maren", "The", "Once")
    texts = [row["text"] for name in (*quality.TALKS, "nothing") for row in quality.rows(name)]
    openings = ("", "Well, the other day ", "Just ", "Also, Maren, ", "The other day I saw it. The ", "Everything: ", "I guess ", "`a` ")
    turns = [turn(at, opening + text, "assistant", role="assistant") for at, text in enumerate(texts) for opening in openings]
    shorter = [clauses(each, 0, frozenset(map(str.lower, names)), ()) for each in turns]
    monkeypatch.setattr("ethos.core.learning.summaries.clauses._surely_does_not_lead", lambda *_: False)
    assert [clauses(each, 0, frozenset(map(str.lower, names)), ()) for each in turns] == shorter
    assert sum(map(len, shorter)) > 500


@pytest.mark.parametrize("first", ["the", "it", "tests", "postgres", "both"])
def test_a_first_word_tells_what_does_not_lead(first: str) -> None:
    """Most clauses of an assistant begin with such a word, and are left out by it alone."""
    assert stays_first(first)
    assert never_leads(first, "assistant")


@pytest.mark.parametrize("first", ["i", "been", "fixed", "running", "last", "worried"])
def test_a_first_word_does_not_tell_what_may_lead(first: str) -> None:
    """As the subject, a verb, or before one."""
    assert not (stays_first(first) and never_leads(first, "assistant"))


@pytest.mark.parametrize("first", ["just", "well", "thanks", "awww", "a", "kind", "`it`", "don't", ""])
def test_a_first_word_may_be_taken_away(first: str) -> None:
    """With what only opens a clause, with fillers and signs."""
    assert not stays_first(first)


def test_g09_a_sentence_with_a_masked_secret_is_not_told() -> None:
    """Nor its other half, nor a question about it; the sentences beside it are."""
    turns = [
        turn(1, "I rent a flat above the old bakery. The deploy key is [secret:aws-key:a0aea1] and my password is set for staging."),
        turn(2, "I rotated the token [secret:github:0a1b2c] on Friday, and I keep the [redacted] one in the safe."),
        turn(3, "I sold the kayak to a colleague last week."),
    ]
    told = tell(turns, {}, SETTINGS)
    assert told.sentences
    said = " ".join(clause.text for each in turns for clause in clauses(each, 0, ["Maren"], ()))
    assert "bakery" in said
    assert "kayak" in said
    assert not any(word in said for word in ("secret", "password", "token", "redacted", "safe"))
    assert asked(turn(4, "Which lock takes [secret:github:0a1b2c] as its key?", speaker="user"), 0, ["user"]) == []
    assert asked(turn(5, "Which lock takes a card as its key?", speaker="user"), 0, ["user"])
