"""The review file as text: what it looks like, what counts as an answer, and what stays."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from ethos.core import review
from ethos.core.model.records import Action
from ethos.core.ports.review_file import Decision, Entry
from ethos.core.review import grammar
from tests.support.asking import ACTIONS, answered, box, entry, ticked

ACTIONS_LINE = grammar.actions_line(review.CONFLICT)
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def decisions(file: str) -> tuple[Decision, ...]:
    return review.read(review.parse(file)).decisions


def hints(file: str) -> dict[str, str]:
    return dict(review.read(review.parse(file)).hints)


def again(entries: list[Entry], file: str) -> str:
    """What the file becomes when it is written once more."""
    return review.render(entries, review.parse(file))


def test_e31_an_entry_holds_the_lines_of_the_runbook_and_the_anchored_boxes() -> None:
    """The whole file, once, to the letter."""
    asked = entry()
    assert asked.existing is not None
    one = asked.question.id
    assert review.render([asked]) == (
        "# Memory review\n"
        "<!-- ethos-inbox v1 -->\n"
        "Each entry below holds two claims that do not go together. Put an x in the box of what should stand, and save the file.\n"
        "Until then both stand. What you write after `note:`, or anywhere else in this file, is kept.\n"
        "\n"
        f"### [2026-06-02T12:00:00Z] Memory Conflict · {one}\n"
        "**Subject:** Michael / **Predicate:** prefers\n"
        f"**Existing ID:** {asked.existing.id}\n"
        '**Existing:** "Michael prefers Rust" (confidence: 0.80) · said 2026-06-01\n'
        f"**New ID:** {asked.new.id}\n"
        '**New:** "Michael prefers Python" (confidence: 0.75) · said 2026-06-02\n'
        "**Source episode:** e-def456\n"
        "> Honestly, I prefer Python these days.\n"
        "\n"
        "Actions: `keep-old` | `keep-new` | `keep-both`\n"
        f"- [ ] keep-old ^{one}\n"
        f"- [ ] keep-new ^{one}\n"
        f"- [ ] keep-both ^{one}\n"
        "\n"
        "note:\n"
        f"<!-- /ethos {one} -->\n"
        "\n"
        "<!-- ethos: what stands below this line is yours and stays as it is -->\n"
    )


def test_e41_the_runbooks_example_reads_as_it_was_printed() -> None:
    """The statement in quotes, the confidence with two decimals."""
    assert '**New:** "Michael prefers Python" (confidence: 0.75)' in review.render([entry()])


def test_an_empty_file_says_that_there_is_nothing_to_review() -> None:
    """A person who looks is told."""
    assert "\nNothing to review.\n" in review.render([])


def test_entries_stand_oldest_first_and_a_new_one_moves_no_line_above_it() -> None:
    """The file grows at the end of its list, so a cursor above stays where it is."""
    before = review.render([entry(2), entry(1)])
    after = again([entry(3), entry(1), entry(2)], before)
    until = before.index(review.TAIL)
    assert after.startswith(before[:until])
    assert before.index(entry(1).question.id) < before.index(entry(2).question.id)


def test_xe17_a_contradiction_heard_again_is_counted_in_its_entry() -> None:
    """One entry, and how often it came up again."""
    asked = entry()
    file = review.render([replace(asked, question=replace(asked.question, repeats=2))])
    assert "**Heard again:** 2 times\n" in file
    assert file.count("Memory Conflict") == 1


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("mark", ["x", "X", "✓"])
@pytest.mark.parametrize("bullet", ["-", "*", "+"])
def test_xe11_a_tick_is_a_decision(action: Action, mark: str, bullet: str) -> None:
    """Every spelling that editors and people produce."""
    first, second = entry(1), entry(2)
    file = review.render([first, second]).replace(box(action, second), f"{bullet} [{mark}] {action.upper()} ^{second.question.id} ")
    assert decisions(file) == (Decision(second.question.id, action, ""),)
    assert hints(file) == {}


def test_xe11_the_note_comes_with_the_decision_and_stays_in_the_file() -> None:
    """What a person writes after `note:`, on as many lines as they like, is theirs."""
    asked = entry()
    theirs = "note: since the move to data work\n\nask \x1b[31mAnna\x1b[0m again in May"
    file = ticked(review.render([asked]), "keep-new", asked).replace("\nnote:", "\n" + theirs)
    assert decisions(file) == (Decision(asked.question.id, "keep-new", "since the move to data work\nask Anna again in May"),)
    assert theirs in again([asked], file)
    assert theirs in again([answered(asked, "keep-new", "since the move")], file)


def test_xe11_an_answered_entry_moves_under_resolved_with_its_time_and_what_was_done() -> None:
    """And its boxes are gone; newest answers stand on top."""
    first, second, third = entry(1), entry(2), entry(3)
    file = ticked(review.render([first, second, third]), "keep-new", first)
    after = again([answered(first, "keep-new"), answered(second, "keep-both", by="cli"), third], file)
    done = after[after.index("## Resolved") :]
    assert "**Resolved:** 2026-06-02T13:00:00Z · keep-new by inbox: the new one replaces the existing one\n" in done
    assert "**Resolved:** 2026-06-03T13:00:00Z · keep-both by cli: both stand\n" in done
    assert done.index(second.question.id) < done.index(first.question.id)
    assert third.question.id not in done
    assert after.count("- [") == len(ACTIONS)
    assert decisions(after) == ()


def test_a_note_given_elsewhere_is_shown_with_the_answer() -> None:
    """The command line takes notes too; they are shown once, however often the file is written."""
    done = entry(answered="keep-old", note="by phone\n- [x] keep-new ^c-1")
    file = review.render([done])
    assert "note: by phone\nnote: \\- \\[x\\] keep-new \\^c-1\n" in file
    assert again([done], file) == file


def test_a_question_that_was_closed_without_an_answer_says_so() -> None:
    """Other answers can settle a question."""
    done = answered(entry(), "keep-old")
    closed = replace(done, question=replace(done.question, action=None, by="superseded by f-1"))
    assert "· closed: superseded by f-1\n" in review.render([closed])


def test_the_last_fifty_answers_are_kept_and_none_with_a_persons_words_is_lost() -> None:
    """What falls out of the file is in the store; where a person wrote into it, the block goes to the orphans."""
    done = [entry(number, answered="keep-old") for number in range(1, review.RESOLVED_SHOWN + 3)]
    file = review.render(done[:-2])
    assert file.count("Memory Conflict") == review.RESOLVED_SHOWN
    end = f"<!-- /ethos {done[0].question.id} -->"
    file = file.replace(end, "my own words\n" + end)
    left = review.orphans(done, review.parse(file))
    after = again(done, file)
    assert after.count("Memory Conflict") == review.RESOLVED_SHOWN
    assert [done[0].question.id in block and "my own words" in block for block in left] == [True]


def test_no_more_than_two_hundred_open_entries_stand_in_the_file() -> None:
    """The rest wait, and the file says how many; one that a person has written into is never taken out."""
    many = [entry(number) for number in range(1, review.SHOWN + 11)]
    file = review.render(many)
    assert file.count("Memory Conflict") == review.SHOWN
    assert "_10 more wait; they are shown as these are answered._" in file
    assert again(many, file) == file
    assert many[10].question.id in file
    assert many[9].question.id not in file
    last = many[0]
    grown = again(many, file + ticked(review.render([last]), "keep-new", last))
    assert box("keep-new", last, "x") in grown
    assert "_9 more wait" in grown


# -- what is no decision


def test_two_choices_decide_nothing_and_both_ticks_stay() -> None:
    """The hint stands under the entry as long as both ticks do."""
    asked = entry()
    file = ticked(ticked(review.render([asked]), "keep-old", asked), "keep-both", asked)
    assert decisions(file) == ()
    after = again([asked], file)
    assert "> ⚠ two choices (keep-old, keep-both): leave one tick\n" in after
    assert box("keep-old", asked, "x") in after
    assert box("keep-both", asked, "x") in after
    assert again([asked], after) == after
    fixed = after.replace(box("keep-old", asked, "x"), box("keep-old", asked))
    assert decisions(fixed) == (Decision(asked.question.id, "keep-both", ""),)
    assert "⚠" not in again([asked], fixed)


@pytest.mark.parametrize("word", ["delete-all", "keep_new", "keepnew", "both"])
def test_an_unknown_action_is_never_guessed(word: str) -> None:
    """The line stays, a hint lists the valid words, and nothing is decided even beside a valid tick."""
    asked = entry()
    theirs = box(word, asked, "x")
    file = ticked(review.render([asked]), "keep-old", asked).replace(box("keep-new", asked), theirs)
    assert decisions(file) == ()
    after = again([asked], file)
    assert theirs in after
    assert f"no such action: {word.replace('_', '_')}; tick keep-old, keep-new or keep-both" in hints(after)[asked.question.id]


@pytest.mark.parametrize(
    "line", ["- [x] keep-new", "- [x] keep-new ^", "[x] keep-new ^{}", "- [x]keep-new ^{}", "- [-] keep-new ^{}", "- [x] keep-new ^{} !"]
)
def test_a_tick_that_cannot_be_read_gets_a_hint(line: str) -> None:
    """An anchor that was deleted, a missing space: the file says what the line must look like."""
    asked = entry()
    theirs = line.format(asked.question.id)
    file = review.render([asked]).replace(box("keep-new", asked), theirs)
    assert decisions(file) == ()
    assert "this tick cannot be read" in hints(file)[asked.question.id]
    after = again([asked], file)
    assert theirs in after.splitlines()
    assert box("keep-new", asked) in after


def test_a_line_that_was_cut_off_is_no_decision() -> None:
    """Whatever the file is cut down to, what is left decides what was ticked or nothing, and never raises."""
    asked = entry()
    whole = ticked(review.render([asked]), "keep-new", asked)
    taken = [decisions(whole[:length]) for length in range(len(whole))]
    end = whole.index(f"<!-- /ethos {asked.question.id} -->") + len(f"<!-- /ethos {asked.question.id} -->")
    assert [bool(each) for each in taken] == [length >= end for length in range(len(whole))]


def test_an_entry_without_its_end_is_put_right_before_its_tick_counts() -> None:
    """A tick in a damaged entry waits for one more look, and is not lost."""
    asked, other = entry(1), entry(2)
    file = ticked(review.render([asked, other]), "keep-new", asked).replace(f"<!-- /ethos {asked.question.id} -->\n", "")
    assert decisions(file) == ()
    assert "last line of this entry was missing" in hints(file)[asked.question.id]
    assert decisions(again([asked, other], file)) == (Decision(asked.question.id, "keep-new", ""),)


def test_a_tick_in_an_entry_that_lacks_a_box_is_not_taken() -> None:
    """Text deleted from the middle of one box to the middle of the next leaves a tick that nobody made; it is kept, as a quote."""
    asked = entry()
    one = asked.question.id
    file = ticked(review.render([asked]), "keep-old", asked).replace(f"old ^{one}\n- [ ] keep-", "")
    assert box("keep-new", asked, "x") in file
    assert decisions(file) == ()
    after = again([asked], file)
    assert "> ⚠ a box of this entry was missing, so the tick on keep-new was not taken: tick it again\n" in after
    assert "> " + box("keep-new", asked, "x") in after
    assert decisions(after) == ()
    assert decisions(ticked(after, "keep-old", asked)) == (Decision(one, "keep-old", ""),)


def test_a_tick_in_the_wrong_entry_is_misplaced() -> None:
    """Line numbers lie and people paste: the anchor must be that of the entry."""
    here, there = entry(1), entry(2)
    file = review.render([here, there]).replace(box("keep-old", here), box("keep-old", there, "x"))
    assert decisions(file) == ()
    after = again([here, there], file)
    assert f"> ⚠ a tick for {there.question.id} stands here and was not taken" in after
    assert box("keep-old", there, "x") in after


def test_a_tick_outside_of_every_entry_is_misplaced() -> None:
    """The entry it was meant for says so."""
    asked = entry()
    file = review.render([asked]) + box("keep-old", asked, "x") + "\n"
    assert decisions(file) == ()
    after = again([asked], file)
    assert "> ⚠ a tick for this entry stands outside of it" in after
    assert after.endswith(box("keep-old", asked, "x") + "\n")


def test_an_edited_actions_line_gets_a_hint() -> None:
    """The runbook's line is there to be read; the answer is a tick."""
    asked = entry()
    file = review.render([asked]).replace(ACTIONS_LINE, "Actions: `keep-new`")
    assert decisions(file) == ()
    after = again([asked], file)
    assert "> ⚠ the Actions line is not read: tick a box instead\n" in after
    assert "Actions: `keep-new`\n" in after
    assert ACTIONS_LINE + "\n" in after
    assert decisions(ticked(after, "keep-new", asked)) == (Decision(asked.question.id, "keep-new", ""),)


def test_quoted_lines_never_count() -> None:
    """A whole entry behind `>`, ticked, decides nothing and stays."""
    asked = entry()
    quoted = "".join(f"> {line}\n" for line in ticked(review.render([asked]), "keep-new", asked).splitlines())
    assert decisions(quoted) == ()
    assert quoted in again([asked], quoted)
    inside = review.render([asked]).replace("\nnote:", "\n> " + box("keep-new", asked, "x") + "\n\nnote:")
    assert decisions(inside) == ()
    assert "> " + box("keep-new", asked, "x") + "\n" in again([asked], inside)


def test_an_entry_that_stands_twice_counts_once() -> None:
    """A merge doubles entries: the same tick is one decision, different ticks are two choices."""
    asked = entry()
    plain = review.render([asked])
    one, other = ticked(plain, "keep-new", asked), ticked(plain, "keep-old", asked)
    assert decisions(plain + one) == decisions(one + one) == (Decision(asked.question.id, "keep-new", ""),)
    assert decisions(one + other) == ()
    assert "two choices" in hints(one + other)[asked.question.id]
    assert again([asked], one + one).count("Memory Conflict") == 1


def test_a_deleted_entry_is_shown_again() -> None:
    """Absence is never a decision."""
    asked = entry()
    assert decisions(review.render([])) == ()
    assert again([asked], review.render([])) == review.render([asked])


def test_an_entry_of_no_known_question_is_handed_over_word_for_word() -> None:
    """From an old backup or another machine: it leaves the file, but not the world."""
    here, strange = entry(1), entry(2)
    file = ticked(review.render([here, strange]), "keep-old", strange)
    (block,) = review.orphans([here], review.parse(file))
    assert block in file
    assert box("keep-old", strange, "x") in block
    assert strange.question.id not in again([here], file)


def test_an_answer_given_again_is_nothing_and_another_one_gets_a_hint() -> None:
    """A file from a backup brings back an old tick."""
    asked = entry()
    same = again([answered(asked, "keep-new")], ticked(review.render([asked]), "keep-new", asked))
    assert "⚠" not in same
    other = again([answered(asked, "keep-new")], ticked(review.render([asked]), "keep-old", asked))
    assert "> ⚠ already applied: keep-new; the tick on keep-old was not taken\n" in other
    assert box("keep-old", asked, "x") in other
    assert decisions(other) == ()
    assert again([answered(asked, "keep-new")], other) == other


def test_a_question_that_is_open_again_has_no_tick() -> None:
    """Its answer was undone: what had not been taken when it was answered is not taken now either."""
    asked = entry()
    other = again([answered(asked, "keep-new")], ticked(review.render([asked]), "keep-old", asked))
    assert box("keep-old", asked, "x") in other
    reopened = again([asked], other)
    assert box("keep-old", asked) in reopened
    assert decisions(reopened) == ()


def test_hints_of_the_caller_are_shown_and_not_repeated() -> None:
    """What reading found and what the caller says may be the same sentence."""
    asked = entry()
    file = review.render([asked]).replace(ACTIONS_LINE, "Actions: none")
    both = {asked.question.id: hints(file)[asked.question.id]}
    assert review.render([asked], review.parse(file), both).count("⚠") == 1
    assert "> ⚠ no `html\\`".replace("`html\\`", "\\<b\\>") in review.render([asked], None, {asked.question.id: "no <b>"})


# -- what stays


def test_text_outside_of_entries_stays_byte_for_byte() -> None:
    """Front matter above the title stays above; what stood between entries stands at the end; the end stays the end."""
    first, second = entry(1), entry(2)
    end = f"<!-- /ethos {first.question.id} -->\n"
    tail = "\n\n  ## my list  \n- [ ] milk\t\n\x0b\x0c\u2028## Resolved\nNothing to review.\nno newline at the end"
    file = "---\ntags: memory\n---\n" + review.render([first, second]).replace(end, end + "\n  between \n\n  the two\n\n") + tail
    after = again([first, second], file)
    assert after.startswith("---\ntags: memory\n---\n# Memory review\n")
    assert after.endswith(review.TAIL + "\n" + tail + "\n\n  between \n\n  the two\n")
    assert again([first, second], after) == after


def test_a_file_of_another_kind_becomes_the_tail() -> None:
    """Somebody points the setting at notes they have: the notes stay, below."""
    notes = "# Shopping\n\n* [x] bread\n\n> keep-new\n"
    after = again([entry()], notes)
    assert after.startswith("# Memory review\n")
    assert after.endswith(review.TAIL + "\n" + notes)
    assert again([entry()], after) == after


def test_lines_end_as_they_did() -> None:
    """A file of an editor that writes CRLF is written with CRLF, all of it."""
    asked = entry()
    file = ticked(review.render([asked]), "keep-new", asked).replace("\nnote:", "\nnote: yes\nand more").replace("\n", "\r\n") + "mine\r\n"
    assert decisions(file) == (Decision(asked.question.id, "keep-new", "yes\nand more"),)
    after = again([asked, entry(2)], file)
    assert after.count("\n") == after.count("\r\n")
    assert "\r\r" not in after
    assert after.endswith("\r\nmine\r\n")


def test_a_merge_that_is_not_finished_is_seen() -> None:
    """The marks of a conflict, at the start of a line and nowhere else."""
    file = review.render([entry()])
    assert review.parse("<<<<<<< HEAD\n" + file).conflicted
    assert not review.parse(file + "a <<<<<<< b\n> <<<<<<< HEAD\n").conflicted


# -- properties


LINES = st.sampled_from(
    [
        *review.render([entry(1)]).split("\n"),
        *review.render([entry(2, answered="keep-old")]).split("\n"),
        box("keep-new", entry(1), "x"),
        box("keep-old", entry(2), "X"),
        box("delete-all", entry(1), "x"),
        "- [x] keep-new",
        "note: words",
        "my own words",
        "  indented",
        "Actions: `keep-old`",
        "> ⚠ a hint",
        "> quoted",
        "",
        "\r",
        review.TITLE,
        review.TAIL,
        "<<<<<<< HEAD",
        "\u2028- [x] keep-new",
    ]
)
FILES = st.lists(LINES | st.text(max_size=20), max_size=40).map("\n".join)


@settings(derandomize=True, max_examples=300, deadline=None)
@given(FILES)
def test_writing_twice_changes_nothing_and_loses_no_word(file: str) -> None:
    """Any file at all: the second writing gives the first, and every line of the person's is still there or with the orphans."""
    known = [entry(1), entry(2, answered="keep-old")]
    previous = review.parse(file)
    after = review.render(known, previous)
    assert review.render(known, review.parse(after)) == after
    kept = after + "".join(review.orphans(known, previous))
    for words in ("my own words", "note: words", "  indented", "- [x] keep-new", box("delete-all", entry(1), "x"), "> quoted"):
        assert (words in file) <= (words in kept), words


@settings(derandomize=True, max_examples=300, deadline=None)
@given(FILES)
def test_only_a_whole_entry_with_one_tick_decides(file: str) -> None:
    """Whatever the file: a decision has its line, its header and its end marker in it."""
    for made in decisions(file):
        lines = [line.rstrip() for line in file.replace("\r", "").split("\n")]
        assert any(line.startswith("### ") and line.endswith(made.question) for line in lines)
        assert f"<!-- /ethos {made.question} -->" in lines
        assert any(box(made.action, one, mark) in lines for one in (entry(1), entry(2)) for mark in "xX")


# -- as it is rendered


def test_an_entry_renders_as_heading_facts_quote_and_list() -> None:
    """An independent Markdown parser sees the parts we mean: nothing runs into the quote or the list."""
    asked = entry()
    file = ticked(ticked(review.render([asked]), "keep-old", asked), "keep-new", asked).replace("\nnote:", "\nnote: mine")
    tokens = MARKDOWN.parse(again([asked], file))
    blocks = [token.type for token in tokens if token.level == 0 and not token.type.endswith("_close")]
    facts = ["heading_open", "paragraph_open", "blockquote_open", "paragraph_open", "bullet_list_open"]
    assert blocks == [
        "heading_open",
        "html_block",
        "paragraph_open",
        *facts,
        "blockquote_open",
        "paragraph_open",
        "html_block",
        "html_block",
    ]
    assert sum(token.type == "list_item_open" for token in tokens) == len(ACTIONS)
    resolved = MARKDOWN.parse(review.render([answered(asked, "keep-new")]))
    kinds = [token.type for token in resolved if token.level == 0 and not token.type.endswith("_close")]
    assert kinds[3:] == ["paragraph_open", "heading_open", *facts[:4], "html_block", "html_block"]
