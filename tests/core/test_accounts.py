"""Turns that tell of accounts that differ are told from those that settle a thing, or speak of something else."""

from __future__ import annotations

import pytest

from ethos.core.text.language.accounts import Accounts, accounts_in
from ethos.core.text.language.lexicon import weights_of


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("the wiki says elif, the roster says gareth", Accounts.SEVERAL),
        ("ana claims it is due on the 16th, my note has the 9th", Accounts.SEVERAL),
        ("according to the sign they open at 9", Accounts.ONE),
        ("the letter says the 20th, no idea whether that is right", Accounts.OPEN),
        ("could be either of them", Accounts.OPEN),
        ("which one is right?", Accounts.OPEN),
        ("it turned out that the wiki says 9:30", Accounts.NONE),
        ("i say so, and we think so, too", Accounts.NONE),
        ("please write to the landlord, show me the list", Accounts.NONE),
        ("no idea which port to take", Accounts.NONE),
    ],
)
def test_e20_accounts_that_differ_are_told_from_others(text: str, wanted: Accounts) -> None:
    assert accounts_in(text) == wanted


def test_e20_no_sign_of_a_link_is_without_a_weight() -> None:
    signs = {"both-capitals", "both-names", "governed", "of-another", "one-valued", "taken-up", "told-apart", "unlinked", "whole-topic"}
    assert weights_of("linkage").keys() == signs | {"base", "least"}
