"""Two claims side by side: the runbook's table, its worked pairs, and what must hold for any pair."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethos.core.facts.containment import compatible
from ethos.core.facts.statement import Statement, statement_for, statement_of
from ethos.core.facts.weighing import Confirms, Contradicts, Fresh, Refines, Supersedes, exceeds, weigh
from ethos.core.model.records import Claim, Fact, Kind, Origin, Polarity
from ethos.core.model.settings import ConflictSettings
from ethos.core.text import folding
from ethos.core.text.language.inflection import predicate_key, third_person_form
from ethos.core.text.language.lexicon import lines_of, word_class
from ethos.core.text.language.phrasing import phrase, sure_words
from ethos.core.text.language.tagging import possible_tags
from tests.support.telling import NOON, claimed, fact

USUAL = ConflictSettings()
LITERAL = ConflictSettings(literal=True)
both_modes = pytest.mark.parametrize("mode", [USUAL, LITERAL], ids=["usual", "literal"])


def test_e20_the_key_is_subject_and_predicate_folded_and_in_base_form() -> None:
    """`Michael's`, `MICHAEL` and `michael` are one subject (X-E18); `use`, `uses`, `using` one predicate."""
    assert folding.key("Michael's") == folding.key("MICHAEL") == folding.key("  michael ") == "michael"
    assert {predicate_key(word) for word in ("use", "uses", "using", "Used")} == {"use"}
    assert predicate_key("favourite language") == predicate_key("favorite language")


def _claim(subject: str, predicate: str, obj: str, *, kind: Kind = "decision", purpose: str | None = None) -> Claim:
    return Claim(kind, subject, predicate, obj, "+", "single", 0.9, "test/rule", 1, "1.0.0", 0, 1, purpose=purpose)


def _place(claim: Claim, *, literal: bool = False) -> Statement:
    classes = {"postgres": "databases", "rust": "languages"}
    return statement_for(claim, user="u", project="p", origin=3, said_at=NOON, class_of=lambda name: classes.get(name, ""), literal=literal)


def test_e20_the_slot_is_the_purpose_else_the_class() -> None:
    """Redis for caching and Postgres do not meet; in literal mode everything with one subject and predicate does."""
    assert _place(_claim("team", "uses", "Redis", purpose="caching")).key.slot == "caching"
    assert _place(_claim("team", "uses", "Postgres")).key.slot == "databases"
    assert _place(_claim("team", "uses", "Postgres"), literal=True).key.slot == ""


def test_e20_decisions_belong_to_a_project_and_preferences_to_the_user() -> None:
    """What a person likes does not change with the folder they work in."""
    assert _place(_claim("team", "uses", "Rust")).key.project == "p"
    assert _place(_claim("Michael", "prefers", "Rust", kind="preference")).key.project == ""


@both_modes
def test_e21_nothing_held_is_fresh(mode: ConflictSettings) -> None:
    """A first claim is a new row."""
    assert weigh(claimed("Rust", 0.9), [], mode) == Fresh()


@both_modes
def test_e22_compatible_objects_refine(mode: ConflictSettings) -> None:
    """Part C: (Test, uses, Rust, .80) and "Rust language" .75: updated, and the longer object stays (X-E4)."""
    held = fact("Test", "uses", "Rust", 0.80)
    assert weigh(claimed("Rust language", 0.75), [held], mode) == Refines(held)
    longer = fact("Test", "uses", "Rust language", 0.80)
    assert weigh(claimed("Rust", 0.75), [longer], mode) == Confirms(longer)


@pytest.mark.parametrize(
    ("one", "other", "want"),
    [
        ("Rust", "Rust language", True),
        ("rust  LANGUAGE", "Rust", True),
        ("Rust", "Python", False),
        ("Go", "MongoDB", False),
        ("Java", "JavaScript", False),
        ("C", "anything", False),
        ("C", "C++", False),
        ("Python 3.11", "Python", True),
        ("", "Rust", False),
        ("a dog", "a dog walker", False),
        ("a red bike", "a bike", True),
        ("oak table", "oak table in the hall", True),
        ("30 minutes", "30 minutes walk", True),
    ],
)
def test_xe2_containment_is_by_whole_words(one: str, other: str, want: bool) -> None:
    """Go is not contained in MongoDB; `substring` is there for parity with the runbook."""
    assert compatible(one, other) is want
    assert compatible(other, one) is want


def test_xe2_substring_mode_is_literal() -> None:
    """The switch brings back what the runbook's code did."""
    assert compatible("go", "mongodb", "substring")
    held = fact("Test", "uses", "MongoDB", 0.8)
    assert isinstance(weigh(claimed("Go", 0.8), [held], ConflictSettings(containment="substring")), Confirms)


def test_e23_a_decision_supersedes_within_its_slot() -> None:
    """Part C: (Project, uses, Python, .70) and decision Rust .80: superseded; by default because both are languages."""
    held = fact("Project", "uses", "Python", 0.70, slot="languages")
    assert weigh(claimed("Rust", 0.80, kind="decision", slot="languages"), [held], USUAL) == Supersedes((held,))
    held = fact("Project", "uses", "Python", 0.70)
    assert weigh(claimed("Rust", 0.80, kind="decision"), [held], LITERAL) == Supersedes((held,))


def test_e23_two_decisions_with_neither_slot_nor_class_are_asked() -> None:
    """We can not know that one takes the place of the other, and a thing has one value."""
    held = fact("team", "value", "ship on Friday", 0.9, kind="decision")
    assert weigh(claimed("rest", 0.9, kind="decision"), [held], USUAL) == Contradicts(held)


@pytest.mark.parametrize("predicate", ["uses", "prefers", "goes with"])
def test_fault_m1_what_one_may_say_of_many_things_does_not_collide(predicate: str) -> None:
    """Nothing ties functional style to aisle seats: neither takes the other's place, and nobody is asked, however sure one of them is."""
    held = fact("team", predicate, "functional style", 0.5, kind="decision")
    new = statement_of(fact("team", predicate, "aisle seats", 0.95, kind="decision", days=1))
    assert weigh(new, [held], USUAL) == Fresh()
    assert weigh(new, [held], LITERAL) == Supersedes((held,))
    tied = replace(new, object_key="prose", over_key="functional style")
    assert weigh(replace(tied, kind="preference", confidence=0.5), [held], USUAL) == Contradicts(held)
    assert weigh(replace(new, replaces_key="functional style"), [held], USUAL) == Supersedes((held,))


def test_xe3_an_identical_decision_repeated_is_no_supersession() -> None:
    """Compatible comes before decision: a decision said twice does not retire itself."""
    held = fact("team", "uses", "Rust", 0.9, kind="decision", slot="languages")
    assert weigh(claimed("rust", 0.9, kind="decision", slot="languages"), [held], USUAL) == Confirms(held)


@both_modes
def test_e24_much_more_confident_supersedes(mode: ConflictSettings) -> None:
    """Part C: (AutoTest, value, Old, .50) and New .90: superseded."""
    held = fact("AutoTest", "value", "Old", 0.50)
    assert weigh(claimed("New", 0.90), [held], mode) == Supersedes((held,))


@both_modes
def test_e25_ambiguous_contradicts(mode: ConflictSettings) -> None:
    """Part C: (FlagTest, value, A, .70) and B .75: flagged."""
    held = fact("FlagTest", "value", "A", 0.70)
    assert weigh(claimed("B", 0.75), [held], mode) == Contradicts(held)


@given(old=st.integers(0, 1000), step=st.integers(-200, 200))
@settings(derandomize=True, max_examples=300)
def test_xe5_the_delta_is_strict_whatever_floats_do(old: int, step: int) -> None:
    """Exactly 0.15 above is ambiguous, 0.151 is not, at every place of the scale."""
    assert exceeds((old + step) / 1000, old / 1000, 0.15) is (step > 150)
    assert not exceeds(0.85, 0.70, 0.15)
    assert not exceeds(0.95, 0.80, 0.15)


@both_modes
def test_xe16_after_a_flag_compatible_comes_first_and_superseding_takes_all(mode: ConflictSettings) -> None:
    """Two facts stand under a key: the one that agrees is confirmed; what outweighs both retires both."""
    weak, strong = fact("t", "value", "A", 0.50), fact("t", "value", "B", 0.60)
    assert weigh(claimed("A", 0.5), [strong, weak], mode) == Confirms(weak)
    verdict = weigh(claimed("C", 0.95), [weak, strong], mode)
    assert isinstance(verdict, Supersedes)
    assert set(verdict.held) == {weak, strong}
    assert weigh(claimed("C", 0.70), [weak, strong], mode) == Contradicts(strong)


def test_xe20_the_confidence_compared_is_the_stored_one() -> None:
    """However long a fact was not asked for, nothing outweighs it for that alone."""
    held = fact("t", "value", "A", 0.80, days=-4000)
    assert weigh(claimed("B", 0.85), [held], USUAL) == Contradicts(held)


def test_xe25_multi_valued_claims_stand_beside_one_another() -> None:
    """Michael loves Rust and loves coffee; in literal mode they would be asked about."""
    held = fact("Michael", "like", "coffee", 0.8, kind="preference", cardinality="multi")
    assert weigh(claimed("Rust", 0.8, kind="preference", cardinality="multi"), [held], USUAL) == Fresh()
    assert weigh(claimed("Rust", 0.8, kind="preference"), [held], LITERAL) == Contradicts(held)


def test_love_and_hate_of_one_thing_collide() -> None:
    """They are one predicate with two signs, so the person is asked; love of something else is not touched."""
    love = _place(replace(_claim("Michael", "loves", "cilantro", kind="preference"), cardinality="multi"))
    hate = _place(replace(_claim("Michael", "hates", "cilantro", kind="preference"), cardinality="multi"))
    assert love.key == hate.key
    held = fact("Michael", "like", "cilantro", 0.8, kind="preference", cardinality="multi")
    assert weigh(hate, [held], USUAL) == Contradicts(held)


def test_a_replacement_cue_retires_what_it_names() -> None:
    """ "We switched from Jenkins to Actions" needs no slot and no confidence."""
    held = fact("team", "uses", "Jenkins", 0.9, kind="decision")
    assert weigh(claimed("GitHub Actions", 0.85, kind="fact", replaces="jenkins"), [held], USUAL) == Supersedes((held,))


def test_preferences_for_different_choices_do_not_meet() -> None:
    """Tea over coffee and tabs over spaces both stand; coffee over tea is asked."""
    held = fact("Michael", "prefers", "tea", 0.8, kind="preference", over="coffee")
    assert weigh(claimed("tabs", 0.8, kind="preference", over="spaces"), [held], USUAL) == Fresh()
    assert weigh(claimed("coffee", 0.8, kind="preference", over="tea"), [held], USUAL) == Contradicts(held)


def test_lower_trust_never_supersedes_higher() -> None:
    """TRUST, promise 5: it can only ask."""
    held = fact("team", "uses", "Postgres", 0.5, kind="decision", slot="databases")
    claim = claimed("SQLite", 0.99, kind="decision", slot="databases", origin=Origin.TOOL)
    assert weigh(claim, [held], USUAL) == Contradicts(held)


def test_a_denial_concerns_only_what_it_denies() -> None:
    """ "We don't use MySQL" says nothing about Postgres; "we no longer use Postgres" retires it."""
    held = fact("team", "uses", "Postgres", 0.9, kind="decision", slot="databases")
    assert weigh(claimed("MySQL", 0.9, kind="decision", slot="databases", polarity="-"), [held], USUAL) == Fresh()
    gone = claimed("Postgres", 0.9, kind="negation", slot="databases", polarity="-")
    assert weigh(gone, [held], USUAL) == Supersedes((held,))


def test_a_late_arriving_older_decision_goes_in_already_superseded() -> None:
    """Resolution goes by when it was said."""
    held = fact("team", "uses", "Rust", 0.9, kind="decision", slot="languages", days=10)
    older = claimed("Python", 0.9, kind="decision", slot="languages", days=3)
    assert weigh(older, [held], USUAL) == Supersedes((held,), late=True)


OBJECTS = st.sampled_from(["Rust", "Python", "Rust language", "Go", "MongoDB"])
CONFIDENCES = st.integers(0, 20).map(lambda n: n / 20)


@st.composite
def facts(draw: st.DrawFn) -> Fact:
    """A held fact or the like."""
    return fact(
        "team",
        "use",
        draw(OBJECTS),
        draw(CONFIDENCES),
        kind=draw(st.sampled_from(["decision", "preference", "fact"])),
        slot="x",
        days=draw(st.integers(0, 9)),
        polarity=draw(st.sampled_from(["+", "-"])),
        cardinality=draw(st.sampled_from(["single", "multi"])),
    )


@given(one=facts(), other=facts(), mode=st.sampled_from([USUAL, LITERAL]))
@settings(derandomize=True, max_examples=400)
def test_the_verdict_does_not_depend_on_the_order_of_arrival(one: Fact, other: Fact, mode: ConflictSettings) -> None:
    """Whichever arrives first, the same pair is told apart the same way, and the same side wins."""
    if one.valid_from == other.valid_from:
        other = replace(other, valid_from=other.valid_from + (other.valid_from - NOON) + (NOON - NOON.replace(hour=11)))
    first, second = weigh(statement_of(one), [other], mode), weigh(statement_of(other), [one], mode)
    agree = (Confirms, Refines)
    if isinstance(first, agree) or isinstance(second, agree):
        assert isinstance(first, agree)
        assert isinstance(second, agree)
    elif isinstance(first, Supersedes):
        assert isinstance(second, Supersedes)
        assert first.late is not second.late
    else:
        assert type(first) is type(second)


@given(held=st.lists(facts(), max_size=5), claim=facts(), mode=st.sampled_from([USUAL, LITERAL]))
@settings(derandomize=True, max_examples=300)
def test_weighing_is_total_and_does_not_depend_on_the_order_of_facts(held: list[Fact], claim: Fact, mode: ConflictSettings) -> None:
    """Any claim against any facts gives one verdict, the same for the facts reversed."""
    held = list({f.id: f for f in held}.values())
    forward, backward = weigh(statement_of(claim), held, mode), weigh(statement_of(claim), held[::-1], mode)
    assert type(forward) is type(backward)
    if isinstance(forward, Supersedes) and isinstance(backward, Supersedes):
        assert set(forward.held) == set(backward.held)
    else:
        assert forward == backward


_WORDS = "I i'm my our me myself ours you your this am was were the a of redis tests Making don't in Loki's node.js upload_limit"
said = st.lists(st.sampled_from(_WORDS.split()), min_size=1, max_size=6).map(" ".join)


@given(
    st.sampled_from(["Maren", "Maren's cat", "team", "agent", "context", "limit"]), st.sampled_from(["uses", "likes", "am", "was"]), said
)
def test_the_sentence_of_a_fact_has_the_sure_words_of_its_subject_and_object(subject: str, predicate: str, obj: str) -> None:
    """So an index of sentences finds every fact that names a thing; only pronouns and the like may differ."""
    sentence = set(sure_words(phrase(subject, predicate, obj, "+", "Maren").casefold()))
    assert set(sure_words(folding.key(obj))) | set(sure_words(folding.key(subject))) <= sentence
    assert sure_words("upload_limit of my cat's node.js") == ["upload", "limit", "of", "cat", "s", "node", "js"]


def test_e41_a_fact_reads_as_a_sentence() -> None:
    """As the runbook's inbox example has it: "Michael prefers Python"."""
    assert phrase("Michael", "prefers", "Python", "+") == "Michael prefers Python"
    assert phrase("team", "uses", "Redis", "-") == "team does not use Redis"
    assert phrase("build", "is", "broken", "-") == "build is not broken"
    assert phrase("Maren", "favorite editor", "Vim", "+") == "Maren's favorite editor is Vim"
    assert phrase("Maren", "love", "tea", "+") == "Maren loves tea"
    assert phrase("context", "is", "the build is broken", "+") == "the build is broken"


@pytest.mark.parametrize("verb", ["breed", "brew", "journal", "redo", "spoil", "sling", "skate", "cheer"])
def test_e41_a_verb_of_the_lists_is_told_as_one_in_any_form(verb: str) -> None:
    """A pack may emit it with its -s; denied, it stands in its base form."""
    told = third_person_form(verb)
    for predicate in (verb, third_person_form(verb)):
        assert phrase("Ada", predicate, "quails", "+") == f"Ada {told} quails"
        assert phrase("Ada", predicate, "quails", "+", "Ada") == f"Ada {told} quails"


def test_e41_every_verb_of_the_lists_is_known_to_the_tagger() -> None:
    """What is told in the third person, and what is irregular, may be a verb with its -s."""
    verbs = {line.split()[0] for line in lines_of("irregular")} | word_class("plain")
    assert [verb for verb in sorted(verbs - {"have", "do", "fast"}) if "z" not in possible_tags(third_person_form(verb))] == []


def test_e41_a_word_that_no_list_has_is_no_noun_for_sure() -> None:
    """A verb of another language is told as it is said; a noun that is known is what one has."""
    assert phrase("Ada", "liebt", "Kaffee", "+") == "Ada liebt Kaffee"
    assert phrase("Ada", "wohnt in", "Bremen", "+") == "Ada wohnt in Bremen"
    assert phrase("Ada", "client", "Acme", "+") == "Ada's client is Acme"


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (("Maren", "is allergic to", "walnuts", "+"), "Maren is allergic to walnuts"),
        (("Maren", "is a fan of", "olives", "-"), "Maren is not a fan of olives"),
        (("Maren", "can eat", "shellfish", "-"), "Maren cannot eat shellfish"),
        (("Maren", "can", "whistle", "-"), "Maren cannot whistle"),
        (("Maren", "has been to", "Japan", "-"), "Maren has not been to Japan"),
        (("Maren", "has", "children", "-"), "Maren does not have children"),
        (("Maren", "have", "asthma", "+"), "Maren has asthma"),
        (("Maren", "usually watch", "films", "+"), "Maren usually watches films"),
        (("Maren", "work in", "a lab", "+"), "Maren works in a lab"),
        (("Maren", "study", "law", "+"), "Maren studies law"),
        (("Maren's kids", "enjoy", "chess", "+"), "Maren's kids enjoy chess"),
        (("Maren", "birthday", "9 March", "+"), "Maren's birthday is 9 March"),
        (("Maren", "hobbies", "rowing and chess", "+"), "Maren's hobbies are rowing and chess"),
        (("agent", "should push to", "main", "-"), "agent should not push to main"),
        (("the logger", "should writes to", "stdout", "-"), "the logger should not write to stdout"),
        (("team", "plan", "launch in May", "+"), "team plans to launch in May"),
        (("session cd", "is called", "dir", "+"), "session cd is called dir"),
        (("Maren", "loving", "the night shift", "+"), "Maren loves the night shift"),
        (("Maren", "ADORE", "trams", "+"), "Maren adores trams"),
        (("Maren", "were camping in", "Wales", "+"), "Maren was camping in Wales"),
        (("Maren's parents", "is", "road workers", "+"), "Maren's parents are road workers"),
        (("Maren's cat Doris", "have", "six toes", "+"), "Maren's cat Doris has six toes"),
        (("logs", "are", "written in JSON", "+"), "logs are written in JSON"),
        (("Maren", "Signed up for", "a pottery class", "+"), "Maren signed up for a pottery class"),
        (("Maren", "mostly sleep", "till noon", "+"), "Maren mostly sleeps till noon"),
        (("Maren", "does", "smoke", "-"), "Maren does not smoke"),
        (("The deploys", "happen on", "Mondays", "-"), "The deploys do not happen on Mondays"),
        (("Maren", "decided to", "buy a boat", "-"), "Maren decided not to buy a boat"),
        (("agent", "may use", "emojis", "+"), "agent may use emojis"),
        (("agent", "need to write", "a summary", "-"), "agent does not need to write a summary"),
        (("Maren", "does", "smoking", "-"), "Maren does not smoke"),
        (("Maren", "is married to", "Piet", "-"), "Maren is not married to Piet"),
    ],
)
def test_e41_every_predicate_of_the_packs_makes_a_sentence(told: tuple[str, str, str, Polarity], sentence: str) -> None:
    """Told of somebody, denied or not, a fact is grammatical English."""
    assert phrase(*told) == sentence


def test_truncate_and_tokens() -> None:
    """61 characters cut at 20 give at most 23, and say that they were cut."""
    cut = folding.truncate("x" * 61, 20)
    assert len(cut) <= 23
    assert cut.endswith("...")
    assert folding.tokens("C++ and node.js") == ("c++", "and", "node.js")
