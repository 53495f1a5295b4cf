"""Forms of English statements, whatever they speak of: interruptions, coordination, contrast, reasons, and orders for an occasion."""

from __future__ import annotations

import pytest

from ethos.core.model.records import Claim, Origin
from ethos.core.text.language.phrasing import phrase
from tests.support.proven import rules_by_default


def _read(text: str) -> list[Claim]:
    return list(rules_by_default().claims(text, role="user", speaker="Wim", origin=Origin.USER))


@pytest.mark.parametrize(("text", "subject", "verb", "thing"), [
    ("My boss, Mr Okafor, has 3 ferries.", "Wim's boss", "has", "3 ferries"),
    ("The dog, a beagle called Max, is eight.", "The dog", "is", "eight"),
    ("My car, a Fiat Panda, needs 5 litres of oil.", "Wim's car", "needs", "5 litres of oil"),
    ("The grain feed, which used to land at 02:00, comes in at 04:30.", "The grain feed", "comes in at", "04:30"),
    ("Our shop (a bakery in Graz) opens at six.", "shop", "opens at", "six"),
    ("Our shop - a bakery in Graz - opens at six.", "shop", "opens at", "six"),
    ("Home is Bruges, near the station.", "Home", "is", "Bruges"),
    ("recycling goes out on Tuesdays", "recycling", "goes out on", "Tuesdays"),
    ("My thesis supervisor is Prof. Imanov.", "Wim's thesis supervisor", "is", "Prof. Imanov"),
    ("cache ttl for product pages = 300s", "cache ttl for product pages", "is", "300s"),
    ("What we use is Zulip.", "team", "uses", "Zulip"),
    ("What I drive is a Volvo 240.", "Wim", "drives", "a Volvo 240"),
    ("The one who signs the contracts is Mr Adeyemi.", "The one who signs the contracts", "is", "Mr Adeyemi"),
    ("It's Norwegian I teach, not Danish.", "Wim", "teaches", "Norwegian"),
    ("The interns, Yuki and Samir, finish on 31 August.", "The interns", "finish on", "31 August"),
    ("Figs, nuts and 2 pears are in the blue box.", "Figs, nuts and 2 pears", "are in", "the blue box"),
    ("It was decided that invoices are sent on the 5th.", "invoices", "are sent on", "the 5th"),
])  # fmt: skip
def test_e12_a_subject_is_found_across_what_interrupts_it(text: str, subject: str, verb: str, thing: str) -> None:
    """An apposition or a relative clause between a noun and its verb does not hide whom the verb is about."""
    assert (subject, verb, thing) in [(claim.subject, claim.predicate, claim.object) for claim in _read(text)]


@pytest.mark.parametrize(("text", "subject", "verb", "thing"), [
    ("Third year vet student in Utrecht here.", "Wim", "is", "Third year vet student in Utrecht"),
    ("Fluent in Welsh and Manx.", "Wim", "is", "Fluent in Welsh"),
    ("As a translator I charge 11 cents a word.", "Wim", "is", "a translator"),
    ("My best mate from uni, Kwame, moved to Accra.", "Wim's best mate from uni", "is", "Kwame"),
    ("The interns, Yuki and Samir, finish on 31 August.", "The interns", "are", "Yuki and Samir"),
    ("Ranger, our collie, gets his pills from 28 December on.", "collie", "is", "Ranger"),
])  # fmt: skip
def test_e12_what_one_is_may_be_said_without_a_verb(text: str, subject: str, verb: str, thing: str) -> None:
    """A trade, a trait or a name beside a noun says what somebody is."""
    assert (subject, verb, thing) in [(claim.subject, claim.predicate, claim.object) for claim in _read(text)]


@pytest.mark.parametrize(("text", "subject", "verb", "thing"), [
    ("I own a small bistro, 34 seats, west african food, in Leith.", "a small bistro", "has", "34 seats"),
    ("I own a small bistro, 34 seats, called the Anchor.", "a small bistro", "is called", "the Anchor"),
    ("Practice is tue and thu 18:30, matches Saturday.", "matches", "are", "Saturday"),
    ("60 public PCs on Debian 12, tickets in Redmine.", "60 public PCs", "are on", "Debian 12"),
    ("60 public PCs on Debian 12, tickets in Redmine.", "tickets", "are in", "Redmine"),
    ("we're porting the tax engine to Java 21, ~410k lines", "the tax engine", "has", "410k lines"),
])  # fmt: skip
def test_e12_fragments_tell_of_the_thing_that_the_sentence_is_about(text: str, subject: str, verb: str, thing: str) -> None:
    assert (subject, verb, thing) in [(claim.subject, claim.predicate, claim.object) for claim in _read(text)]


@pytest.mark.parametrize("text", [
    "Draft a checklist, 3 pages, in Spanish.",  # an order
    "I stopped smoking, eleven weeks now.",  # how long
    "I'm a bit late, five mins.",
    "See the manual, page 90, chapter 4.",
])  # fmt: skip
def test_e12_fragments_of_orders_and_times_tell_nothing(text: str) -> None:
    assert not [claim for claim in _read(text) if claim.predicate in ("has", "are", "is") and claim.polarity == "+"]


@pytest.mark.parametrize(("text", "verb", "thing"), [
    ("Running Home Assistant on a NUC in the closet.", "is running", "Home Assistant on a NUC in the closet"),
    ("Fasting from the 1st of March.", "is fasting from", "the 1st of March"),
    ("Flying out on the 18th, first to Doha.", "is flying out on", "the 18th"),
])  # fmt: skip
def test_e12_what_the_speaker_is_at_needs_no_subject(text: str, verb: str, thing: str) -> None:
    assert ("Wim", verb, thing) in [(claim.subject, claim.predicate, claim.object) for claim in _read(text)]


@pytest.mark.parametrize("text", [
    "Running 3 servers in the closet is loud.",  # a deed, of which something is said
    "Painting helps me unwind after work.",
    "Biking with 3 kids sounds like fun.",
    "Lending out 9 tents to scouts - you're a star.",  # of somebody else
    "Not fun hauling 2 crates.",
])  # fmt: skip
def test_e12_a_deed_that_is_spoken_of_is_nobodys_yet(text: str) -> None:
    assert not [claim for claim in _read(text) if claim.predicate.startswith("is ") and claim.predicate != "is helped by"]


@pytest.mark.parametrize(("text", "told"), [
    ("We had to cancel our trip to Bergen.", "Wim had to cancel their trip to Bergen"),
    ("We have to cancel our trip to Bergen.", "Wim must cancel their trip to Bergen"),
    ("Rico cannot swim.", "Rico cannot swim"),
    ("The colleague who's leaving is Lydia.", "The colleague who's leaving is Lydia"),
    ("Always leave tables out.", "agent should leave tables out"),
    ("Never turn the heating off.", "agent should not turn the heating off"),
    ("My work permit for Canada runs until 2027.", "Wim's work permit for Canada runs until 2027"),
    ("I'm so lucky to have my patient brother.", "Wim is grateful for their patient brother"),
    ("Moomin is my top pick.", "Wim likes Moomin best"),
    ("We share a love for old trams.", "Wim has a love for old trams"),
])  # fmt: skip
def test_e41_modals_relative_clauses_and_compounds_are_told_as_said(text: str, told: str) -> None:
    assert told in [phrase(claim.subject, claim.predicate, claim.object, claim.polarity, "Wim") for claim in _read(text)]


def test_e12_a_list_without_a_verb_tells_what_is_used_for_what() -> None:
    """Three tools and their uses, without a verb, are three facts."""
    told = _read("AWS for compute, Backblaze for backups, Cloudflare for DNS.")
    assert [claim.object for claim in told] == ["AWS for compute", "Backblaze for backups", "Cloudflare for DNS"]
    assert {(claim.subject, claim.predicate) for claim in told} == {("team", "uses")}


def test_e12_what_everything_of_a_sort_does_is_told_of_all_of_it() -> None:
    """A pronoun keeps the adjective behind it."""
    assert "Anything public" in [claim.subject for claim in _read("Anything public goes through the review board on Fridays.")]


def test_e23_an_end_is_claimed_once() -> None:
    """Two rules that read the same end make one claim of it."""
    assert len([claim for claim in _read("The kiln died.") if claim.kind == "negation"]) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Error in line 4 of Main.",
        "Great idea, Nora, thanks!",
        "Rainy here, 3 degrees.",
        "Quick question about Postgres 17",
        "My mug, 2 pens, and a cat",
        "Running a shop takes courage.",
        "I'm doing alright.",
    ],
)
def test_e12_a_phrase_without_a_verb_says_nothing_of_the_speaker(text: str) -> None:
    assert [claim for claim in _read(text) if claim.predicate in ("is", "are")] == []


@pytest.mark.parametrize(("text", "verb", "thing", "polarity"), [
    ("Rico can't swim.", "can", "swim", "-"),
    ("Biscuit can't be left alone.", "can be", "left", "-"),
    ("The Leith job was ruled out because of the stairs.", "was", "ruled out", "+"),
    ("My brother's loan has been paid off.", "has been", "paid off", "+"),
])  # fmt: skip
def test_e12_a_verb_without_an_object_is_told_with_its_helper(text: str, verb: str, thing: str, polarity: str) -> None:
    """ "Cannot swim" and "was ruled out" say enough."""
    assert (verb, thing, polarity) in [(claim.predicate, claim.object, claim.polarity) for claim in _read(text)]


@pytest.mark.parametrize(("text", "thing"), [
    ("Nuts are bad for Theo until he turns 3.", "bad for Theo until he turns 3"),
    ("Our Ghent shop stays closed unless it's a Friday.", "closed unless it's a Friday"),
    ("I work at Aldi until my 3 exams are over.", "Aldi until my 3 exams are over"),
])  # fmt: skip
def test_e12_a_claim_keeps_the_limit_within_which_it_holds(text: str, thing: str) -> None:
    """ "Until" and "unless" belong to what is said: without them it would claim too much."""
    assert thing in [claim.object for claim in _read(text)]


@pytest.mark.parametrize(("text", "things"), [
    ("My daughter plays the oboe and takes singing lessons.", ["the oboe"]),
    ("I live in Faro and run a small hotel.", ["Faro", "a small hotel"]),
    ("My parents live in Faro and run a small hotel.", ["Faro"]),
    ("pelican is written in Go and runs on Fly.", ["Go", "Fly"]),
    ("I like bread and butter.", ["bread and butter"]),
])  # fmt: skip
def test_e12_an_object_ends_where_another_clause_begins(text: str, things: list[str]) -> None:
    """An "and" with a verb behind it ends an object; one that joins two nouns does not."""
    held = [claim.object for claim in _read(text) if claim.grade == "held"]
    assert set(things) <= set(held)
    assert not any(" and " in thing for thing in held if thing not in things)


@pytest.mark.parametrize(("text", "thing", "old"), [
    ("We use Zulip instead of Slack.", "Zulip", "Slack"),
    ("The API runs on port 9000 rather than 8000.", "port 9000", "8000"),
    ("My dentist is Dr Lee rather than Dr Moreno.", "Dr Lee", "Dr Moreno"),
    ("I take the train instead of the bus.", "the train", "the bus"),
    ("The team uses pnpm and not npm.", "pnpm", "npm"),
])  # fmt: skip
def test_e23_a_claim_replaces_what_it_is_contrasted_with(text: str, thing: str, old: str) -> None:
    """ "X instead of Y" claims X, and says that it replaces Y."""
    assert (thing, old) in [(claim.object, claim.supersedes) for claim in _read(text)]


@pytest.mark.parametrize(("text", "now"), [
    ("Since we have two small children, we go to bed at nine.", False),
    ("Since my knee operation I cycle to work.", True),
])  # fmt: skip
def test_e23_since_is_a_cue_of_now_and_no_reason(text: str, now: bool) -> None:
    """ "Since" with a time says that it is so from then on; with a present state it says why."""
    claims = _read(text)
    assert claims
    assert any(claim.supersedes for claim in claims) == now


@pytest.mark.parametrize(("text", "predicate", "thing"), [
    ("Skip the greeting, just give me the code.", "should skip", "the greeting"),
    ("Give prices in euros.", "should give", "prices in euros"),
])  # fmt: skip
def test_e29_an_order_about_the_manner_of_answers_lasts(text: str, predicate: str, thing: str) -> None:
    """It needs no word such as "always": a greeting is no work at hand."""
    assert [(claim.predicate, claim.object) for claim in _read(text)] == [(predicate, thing)]


@pytest.mark.parametrize(("text", "predicate", "thing"), [
    ("Answer in Dutch when I write Dutch.", "should, when I write Dutch, answer in", "Dutch"),
    ("Speak German to me unless I write English.", "should, unless I write English, speak", "German to me"),
])  # fmt: skip
def test_e29_an_order_keeps_an_occasion_that_comes_last(text: str, predicate: str, thing: str) -> None:
    """The same where it is told behind the order."""
    assert (predicate, thing) in [(claim.predicate, claim.object) for claim in _read(text) if claim.subject == "agent"]


def test_e29_an_order_for_an_occasion_keeps_the_occasion() -> None:
    """ "When I write in Dutch, answer in Dutch" is no order to answer in Dutch always."""
    orders = [claim for claim in _read("When I write in Dutch, answer in Dutch.") if claim.subject == "agent"]
    assert [(claim.predicate, claim.object, claim.supersedes) for claim in orders] == [
        ("should, when I write in Dutch, answer in", "Dutch", None)
    ]


@pytest.mark.parametrize(("text", "subject", "verb"), [
    ("We were going to go with Nomad in 2024.", "team", "will go with"),
    ("A slot never takes 14 people.", "agent", "should takes"),
    ("The screenplay I sent in to the film festival has been on page 3.", "the film festival", "has been on"),
    ("Art's allowed me to explore my 3 selves.", "Art", "is allowed"),
])  # fmt: skip
def test_e12_what_is_not_said_is_not_claimed(text: str, subject: str, verb: str) -> None:
    """A plan that was given up, an order that is none, a subject that is another's, and "has" read as "is" give no such claim."""
    assert (subject, verb) not in [(claim.subject, claim.predicate) for claim in _read(text)]


@pytest.mark.parametrize(("text", "verb"), [
    ("We set up 3 looms in the attic.", "set up"),
    ("I met back up with my cousin on the 15th.", "met back up with"),
    ("I'll stick up for our valley.", "will stick up for"),
    ("My sister takes over from Ines in May.", "takes over from"),
])  # fmt: skip
def test_e12_a_verb_keeps_its_particle(text: str, verb: str) -> None:
    """ "Set up" is not "set"."""
    assert verb in [claim.predicate for claim in _read(text)]


@pytest.mark.parametrize("text", [
    "Here's a pic I took during a walk in Ghent.",
    "I owe my brother 800, which I pay back at 40 a week.",
    "The script I sent in to the festival of Ghent is late.",
    "Chess gives me joy, but so does having 3 cats.",
    "I usually hold it for 30 seconds.",
    "We load 40 rows a night, orchestrated by Airflow 2.9.",
])  # fmt: skip
def test_e12_a_clause_whose_object_stands_elsewhere_claims_nothing_held(text: str) -> None:
    """The object of "took" is the noun before it, of "hold" a pronoun, and "orchestrated by" has no doer here."""
    verbs = ("took", "pay", "pays", "sent", "does", "hold", "holds", "orchestrated")
    assert not [claim for claim in _read(text) if claim.grade == "held" and claim.predicate.split()[0] in verbs]


@pytest.mark.parametrize(("text", "thing"), [
    ("I'm passionate about creating a safe, inviting place.", "creating a safe, inviting place"),
    ("I'm always on the hunt for unique, rugged boots.", "unique, rugged boots"),
])  # fmt: skip
def test_e12_an_adjective_keeps_its_noun(text: str, thing: str) -> None:
    """A comma between adjectives ends nothing."""
    assert thing in [claim.object for claim in _read(text)]


@pytest.mark.parametrize(("text", "held"), [
    ("This picture is from the harbour of Porto.", False),
    ("This boat is from the harbour of Porto.", True),
    ("Don't give up on your dreams!", False),
    ("Don't shorten your answers to 3 lines.", True),
    ("Don't write tables of 9 columns.", True),
    ("Don't write tables of 9 columns!", False),
])  # fmt: skip
def test_e12_what_is_shown_and_what_cheers_is_not_held(text: str, held: bool) -> None:
    """A picture is gone tomorrow, and "don't give up!" is no order for an agent."""
    assert any(claim.grade == "held" for claim in _read(text)) is held


def test_e12_a_claim_that_is_cut_off_is_weak() -> None:
    """Whatever rule cut it: here its subject is no noun phrase."""
    assert all(claim.grade == "weak" for claim in _read("Update the guide page to specify to use minsky."))


@pytest.mark.parametrize(("text", "told"), [
    ("When working with JSON, never use sed, but rather dasel.", "agent should not use sed when working with JSON"),
    ("Whenever you touch the API, always run the contract tests.", "agent should run the contract tests whenever they touch the API"),
])  # fmt: skip
def test_e12_an_order_keeps_its_occasion(text: str, told: str) -> None:
    """An order for an occasion is no order for all of them, whatever rule reads it."""
    assert told in [phrase(claim.subject, claim.predicate, claim.object, claim.polarity, "Wim") for claim in _read(text)]


@pytest.mark.parametrize(("text", "subject", "thing"), [
    ("So Haruka is my mentor from this week.", "Wim's mentor", "Haruka"),
    ("our son is six", "Wim's son", "six"),
    ("I work in Julia, and my figures are 174 mm wide.", "Wim's figures", "174 mm"),
])  # fmt: skip
def test_e12_a_claim_tells_whose_it_is(text: str, subject: str, thing: str) -> None:
    """ "Mentor is Haruka" does not say whose."""
    assert (subject, thing) in [(claim.subject, claim.object) for claim in _read(text)]


@pytest.mark.parametrize("text", [
    "There's still beauty and hope.",
    "I want to help make their lives better.",
    "Now I'm even more pumped to chase my dreams.",
])  # fmt: skip
def test_e12_what_nobody_could_use_later_is_not_held(text: str) -> None:
    """It names nothing, speaks of others without a name, or is a feeling."""
    assert not [claim for claim in _read(text) if claim.grade == "held"]


@pytest.mark.parametrize(("text", "told"), [
    ("otter is my log filter, written in Zig.", "otter is written in Zig"),
    ("The client is on Magento 2.4, shared hosting, so no SSH.", "The client does not have SSH"),
    ("No malloc anywhere, I mean it, on the nRF52.", "agent should not use malloc"),
    ("Write commits of 72 characters, no co-author line.", "agent should not use co-author line"),
])  # fmt: skip
def test_e12_a_clause_without_a_verb_is_read(text: str, told: str) -> None:
    """A participle goes on with what was spoken of; "no" denies it a thing, or forbids one."""
    assert told in [phrase(claim.subject, claim.predicate, claim.object, claim.polarity, "Wim") for claim in _read(text)]


@pytest.mark.parametrize("text", ["No idea, ask Ines.", "No worries, Ines.", "It rained in Graz, no signal, wet socks."])
def test_e12_no_in_passing_forbids_nothing(text: str) -> None:
    """ "No idea" is no order."""
    assert not [claim for claim in _read(text) if claim.subject == "agent"]


@pytest.mark.parametrize(("text", "told"), [
    ("the only language I know well is Julia", "the only language Wim knows well is Julia"),
    ("Growing my client base is the main aim of 2026.", "Growing Wim's client base is the main aim of 2026"),
    ("home games are at the old Velodrome", "home games are at the old Velodrome"),
])  # fmt: skip
def test_e12_a_subject_keeps_what_it_says_nothing_without(text: str, told: str) -> None:
    """ "Language is Julia" is not so."""
    assert told in [phrase(claim.subject, claim.predicate, claim.object, claim.polarity, "Wim") for claim in _read(text)]


@pytest.mark.parametrize("text", [
    "mine's on 12 September",
    "I'm livin' my dreams now.",
    "Sounds like your 3 weeks in Ghent have been influential.",
    "They make sure we do the 12 poses.",
    "When I write Finnish, correct me.",
])  # fmt: skip
def test_e12_half_a_statement_is_no_held_fact(text: str) -> None:
    """The rest of the sentence says who, what or when, or that it is nobody's statement."""
    assert not [claim for claim in _read(text) if claim.grade == "held" and claim.kind != "preference"]


def test_e12_what_a_pronoun_only_likely_stands_for_is_weak() -> None:
    """The noun that was spoken of last is a guess: it waits for a second episode."""
    [claim] = [claim for claim in _read("My client is a surf school in Ghent. They're on Magento 2.4.") if "Magento" in claim.object]
    assert (claim.grade, claim.subject.lower(), claim.modifiers) == ("weak", "wim's client", ("pronoun",))


@pytest.mark.parametrize(("text", "told"), [
    ("That's why I love sailing.", "Wim loves sailing"),
    ("Baking lifts my spirits.", "Wim likes Baking"),
    ("Pottery has a special place in my heart.", "Wim likes Pottery"),
    ("I love the sea.", "Wim loves the sea"),
    ("Marek reads no Norwegian.", "Marek does not read Norwegian"),
    ("I repaired two canoes in Graz.", "Wim repaired two canoes in Graz"),
    ("The permit office needs 3 copies of the plan.", "The permit office needs 3 copies of the plan"),
])  # fmt: skip
def test_e12_a_state_is_heard_in_its_plain_words(text: str, told: str) -> None:
    """A reason, a denied noun, a counted noun that may be a verb, what lifts somebody's spirits."""
    assert told in [
        phrase(claim.subject, claim.predicate, claim.object, claim.polarity, "Wim") for claim in _read(text) if claim.grade == "held"
    ]


@pytest.mark.parametrize("text", [
    "I need a letter home by tomorrow.",
    "The board needs new numbers and a small sorry.",
    "Explain why we are mocking in the first place.",
    "Jonas broke his wrist.",
    "There's been a marsh harrier over the reed bed.",
    "Evenings like this are special to me.",
])  # fmt: skip
def test_e12_an_order_or_an_event_of_the_moment_is_no_held_fact(text: str) -> None:
    """What is needed now, asked, or over with the day."""
    assert not [claim for claim in _read(text) if claim.grade == "held"]
