"""G-09: e-mail addresses and telephone numbers are held where they are valid, in one way to write them; what looks like one is not."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ethos.core.model.errors import Refused
from ethos.core.model.records import Claim, Origin
from ethos.core.model.settings import RulesSettings, Settings
from ethos.core.rules.explain import explain
from ethos.core.rules.matcher import Rules
from ethos.edge import wiring
from ethos.edge.config import loading
from ethos.edge.rulebook import Rulebook, load, shipped_rules
from ethos.edge.rulebook.contacts import Contacts
from tests.support import proven


def read(rules: Rules, text: str) -> tuple[Claim, ...]:
    return rules.claims(text, role="user", speaker="speaker", origin=Origin.USER)


def objects(rules: Rules, text: str) -> list[str]:
    return [claim.object for claim in read(rules, text)]


@pytest.fixture(scope="module")
def american() -> Rulebook:
    """The shipped rules where numbers without a + are of the United States."""
    return load([shipped_rules()], cache=proven.PROOFS, region="US")


@pytest.mark.parametrize(
    ("said", "held"),
    [
        ("user@EXAMPLE.COM", "user@example.com"),
        ("ines.k+lists@mail.example.org", "ines.k+lists@mail.example.org"),
        ("böb@exämple.de", "böb@exämple.de"),
        ("Ada.L@xn--exmple-cua.de", "Ada.L@exämple.de"),
    ],
)
def test_g09_a_valid_address_is_written_in_one_way(said: str, held: str) -> None:
    """The domain is folded, as it is the same in any case; the part in front of it is its owner's, and stays."""
    assert Contacts().normal("email", said) == held
    assert Contacts().normal("email", held) == held


@pytest.mark.parametrize(
    "said",
    [
        "a..b@example.org",
        ".a@example.org",
        "a@localhost",
        "a@-b.com",
        "pkg@1.2.3",
        "user@10.0.0.1",
        "a@b.c1",
        "me@printer.local",
        "a@b@c.de",
        "@",
        "",
    ],
)
def test_g09_what_only_looks_like_an_address_is_none(said: str) -> None:
    """A pinned package, a host without a domain, an address on the internet, a name that is only known in this house."""
    assert Contacts().normal("email", said) == ""


@pytest.mark.parametrize(
    ("said", "region", "held"),
    [
        ("(202) 456-1414", "US", "+12024561414"),
        ("202.456.1414", "US", "+12024561414"),
        ("+44 20 7946 0958", "US", "+442079460958"),
        ("+44 20 7946 0958", "", "+442079460958"),
        ("+44 (0)20 7946 0958", "", "+442079460958"),
        ("(+49) 30 901820", "", "+4930901820"),
        ("+1 415 555 0134", "", "+14155550134"),
        ("020 7946 0018", "GB", "+442079460018"),
        ("030/901820", "DE", "+4930901820"),
    ],
)
def test_g09_a_valid_number_is_written_in_one_way(said: str, region: str, held: str) -> None:
    """All ways to write a number come out as its E.164; without a + it is of the region."""
    assert Contacts(region).normal("phone", said) == held
    assert Contacts().normal("phone", held) == held


@pytest.mark.parametrize(
    ("said", "region"),
    [
        ("2026-02-05/06", "US"),
        ("20250115", "US"),
        ("20250115", "DE"),
        ("2025-01-15", "DE"),
        ("2024/12/31", "DE"),
        ("192.168.10.12", "US"),
        ("30.90.18.20", "DE"),
        ("1.2.3.4.5.6.7", "US"),
        ("4711-0815-42", "US"),
        ("1234567890", "US"),
        ("+1 555 0134", ""),
        ("+999 123 456 78", ""),
        ("+", "US"),
        ("1-800-FLOWERS", "US"),
        ("call +49 30 901820", "US"),
        ("020 7946 0018", ""),
        ("", "US"),
    ],
)
def test_g09_what_only_looks_like_a_number_is_none(said: str, region: str) -> None:
    """Dates, addresses on the internet, versions, orders; numbers nobody can have; and those whose country nobody knows."""
    assert Contacts(region).normal("phone", said) == ""


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("You can reach me at Ines.K@EXAMPLE.org.", "Ines.K@example.org"),
        ("My phone number is +1 (202) 456-1414.", "+12024561414"),
        ("Call me on +44 (0)20 7946 0018 after six.", "+442079460018"),
    ],
)
def test_g09_the_shipped_rules_hold_what_is_valid(text: str, held: str, rules: Rules) -> None:
    """The claim has the one way to write it, and its span is that of the words as they were said."""
    (claim,) = read(rules, text)
    assert claim.object == held
    assert claim.rule in {"people-en/fact.email", "people-en/fact.phone"}


@pytest.mark.parametrize(
    "text",
    [
        "You can reach me at ines..k@example.org.",
        "My e-mail is root@10.0.0.1.",
        "My e-mail is ada@printer.local.",
        "My phone number is +1 555 0134.",
        "My phone number is 415-555-0134.",
        "Call me at 192.168.10.12.",
        "My number is 20250115.",
        "Call me on 2026-02-05.",
        "My order number is +12024561414.",
        "My ticket number is 202-456-1414.",
    ],
)
def test_g09_nothing_is_held_of_what_is_not_valid(text: str, rules: Rules) -> None:
    """No other rule takes up what these turn down."""
    assert objects(rules, text) == []


def test_g09_a_region_reads_numbers_without_a_plus_and_only_these(american: Rulebook, rules: Rules) -> None:
    """`[rules] region` is another rule set, with a hash of its own, so that what was read before is read again."""
    assert objects(american.rules, "My phone number is (202) 456-1414.") == ["+12024561414"]
    assert objects(american.rules, "Call me at 192.168.10.12.") == []
    assert objects(american.rules, "My order number is 202-456-1414.") == []
    assert american.rules.hash != rules.hash
    assert american.problems == ()


def test_g09_the_region_comes_from_the_configuration(tmp_path: Path) -> None:
    """What `wiring` loads for a memory has the memory's region."""
    settings = Settings(rules=RulesSettings(region="GB"))
    settings = replace(settings, ethos=replace(settings.ethos, database=str(tmp_path / "e.db"), state=str(tmp_path / "state")))
    proven.seed(tmp_path / "state")
    assert objects(wiring.rules(settings).rules, "Call me on 020 7946 0018.") == ["+442079460018"]


@pytest.mark.parametrize("region", ["us", "USA", "United States", " "])
def test_a_region_is_two_capital_letters(region: str, tmp_path: Path) -> None:
    """What cannot be one is refused where the configuration is read."""
    with pytest.raises(Refused) as caught:
        loading.load(env={"HOME": "/home/ada", "ETHOS_RULES__REGION": region}, cwd=tmp_path)
    assert "two letters" in str(caught.value.problem)


def test_a_region_nobody_knows_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    """ "UK" is no code of a country: numbers without a + are not read, the others are, and the log says why."""
    with caplog.at_level(logging.WARNING, "ethos.rules"):
        assert [Contacts("UK").normal("phone", said) for said in ("020 7946 0018", "020 7946 0018")] == ["", ""]
        assert Contacts("UK").normal("phone", "+44 20 7946 0018") == "+442079460018"
    assert [record.message for record in caplog.records] == [
        "rules.region is 'UK', which is no region with telephones: numbers without a + are not read"
    ]


PACK = """
schema = 1
pack = "mine"
version = "0.1.0"

[[rule]]
id = "pager"
kind = "fact"
summary = "the speaker's pager"
patterns = ['my pager is (?P<object>[^,]{2,30})']
emit = { subject = "speaker", predicate = "pager", object = "{object}" }
valid = { object = "phone" }
confidence = 0.8
example = [{ text = "My pager is EXAMPLE", want = WANT }]
"""


@pytest.mark.parametrize(
    ("example", "want", "codes"),
    [
        ("+1 202 456 1414", '[{ object = "+12024561414" }]', []),
        ("a brick", "[]", []),
        ("+1 202 456 1414", '[{ object = "+1 202 456 1414" }]', ["E-EXAMPLE"]),
        ("202 456 1414", '[{ object = "+12024561414" }]', ["E-EXAMPLE"]),
    ],
)
def test_examples_are_proved_with_it_and_of_no_region(example: str, want: str, codes: list[str], tmp_path: Path) -> None:
    """A pack that is good on one machine is good on all, so the region of this one has no say in its examples."""
    (tmp_path / "mine.toml").write_text(PACK.replace("EXAMPLE", example).replace("WANT", want), "utf-8")
    book = load([shipped_rules(), tmp_path / "mine.toml"], cache=proven.PROOFS, in_use=False, region="US")
    assert [problem.code for problem in book.problems] == codes


def test_an_override_may_take_the_check_away_or_put_one_in(tmp_path: Path) -> None:
    """`valid` is replaced as a whole; a slot that the rule does not fill is a mistake."""
    change = tmp_path / "local.toml"
    head = 'schema = 1\npack = "local"\n[[override]]\nid = "people-en/fact.phone"\n'

    def changed(valid: str) -> Rulebook:
        change.write_text(head + f"valid = {valid}\n", "utf-8")
        return load([shipped_rules(), change], cache=proven.PROOFS, in_use=False)

    assert objects(changed("{}").rules, "My number is 415-555-0134.") == ["415-555-0134"]
    assert objects(changed('{ object = "email" }').rules, "My number is +1 415-555-0134.") == []
    assert [problem.code for problem in changed('{ over = "phone" }').problems] == ["E-GROUP"]


def test_explain_says_that_the_form_kept_it_from_being_read(rules: Rules) -> None:
    """Freed of the check the claim comes back: that is what had dropped it."""
    found = explain(rules, "My mobile number is 415-555-0134.")
    (candidate,) = (each for each in found.candidates if each.rule == "people-en/fact.phone" and each.outcome != "no match")
    assert candidate.outcome == "form"
    assert candidate.because.startswith("object is no valid telephone number")


LOADED = """
import json, sys
from pathlib import Path
from ethos.edge.rulebook import load, shipped_rules
rules = load([shipped_rules()], cache=Path(sys.argv[1])).rules
told = []
for text in sys.argv[2:]:
    rules.claims(text, role="user", speaker="speaker", origin=3)
    told.append([name for name in ("email_validator", "phonenumbers", "dns") if name in sys.modules])
print(json.dumps(told))
"""


def test_the_libraries_are_loaded_when_a_rule_that_asks_has_matched_and_not_before() -> None:
    """Loading rules and reading other turns costs nothing for them, and what could ask the network is not loaded at all."""
    proven.rules()
    texts = ("We decided to use Postgres.", "Email me at the office.", "Email me at ada@example.org.", "Call me on +49 30 901820.")
    done = subprocess.run([sys.executable, "-c", LOADED, str(proven.PROOFS), *texts], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [[], [], ["email_validator"], ["email_validator", "phonenumbers"]]
