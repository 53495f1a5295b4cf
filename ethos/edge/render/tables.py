"""Render facts, questions and rules as tables, as wide as the terminal, plain if there is none.

They show the data of the socket's answers; every text in it goes through `report.clean`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from ethos.edge.jsonio.objects import Json
from ethos.edge.render import memories
from ethos.edge.render.report import clean, coloured, day, moment, plural
from ethos.edge.render.scope import untold

_ROOMY = 100  # columns from which a table shows all its columns
TABLE = 80  # columns below which each fact has lines of its own, because a narrow column would break words
_HISTORY = 130  # the same for versions with both their times
WIDE = 160  # columns for a pipe or a file
_STYLES = {"flagged": "yellow", "superseded": "dim", "retired": "dim", "former": "dim"}


def console() -> Console:
    """Return the console for tables. No text is taken for markup, an emoji's name or a link."""
    colours = coloured(sys.stdout)
    width = None if sys.stdout.isatty() else WIDE
    return Console(
        file=sys.stdout,
        width=width,
        no_color=not colours,
        color_system="auto" if colours else None,
        highlight=False,
        markup=False,
        emoji=False,
    )


def line(*parts: tuple[str, str]) -> Text:
    """Join (style, text) pairs in a line, without empty ones."""
    return Text("  ").join([Text(words, style=style) for style, words in parts if words])


def said(fact: Mapping[str, Any]) -> str:
    """Return a fact's statement."""
    return clean(fact["statement"], 300)


def facts(found: Sequence[Json], *, width: int) -> Table:
    """Render facts, one a row; in brackets the slot and the project, if it has any and the statement does not name it.

    width: columns; if they are few, the kind is left out.
    """
    roomy = width >= _ROOMY
    table = _table("id", *(["kind"] if roomy else []), "what is held", "sure", "said", "state")
    for fact in found:
        state = Text(_state(fact), style=_STYLES.get(fact["status"], ""))
        table.add_row(
            clean(fact["id"]),
            *([fact["kind"]] if roomy else []),
            Text(_with_scope(fact)),
            f"{fact['confidence']:.2f}",
            _last_said(fact),
            state,
        )
    return table


def _state(fact: Json) -> str:
    """Return a fact's status in words."""
    return "in question" if fact["status"] == "flagged" else str(fact["status"])


def _with_scope(fact: Json) -> str:
    """Return a fact's statement, with its slot and project in brackets."""
    slot = untold(fact["statement"], fact["slot"], fact["predicate_key"])
    project = fact["project"] if fact["project"] not in {"default", fact["predicate_key"]} else ""
    place = ", ".join(clean(each, 40) for each in (slot, project) if each)
    return said(fact) + (f"  [{place}]" if place else "")


def _last_said(fact: Json) -> str:
    return day(fact["affirmed_at"] or fact["valid_from"])


def _stacked(fact: Json, told: Sequence[str], width: int) -> Iterator[Text]:
    """Render a fact as lines of its own: its statement, then its id and the rest. No word and no id is broken."""
    whole = wrap(_with_scope(fact), max(width - 2, 20), break_long_words=False, break_on_hyphens=False)
    below = wrap("  ".join([clean(fact["id"]), *told, _state(fact)]), max(width - 4, 20), break_long_words=False, break_on_hyphens=False)
    yield from (Text(each, style="bold", no_wrap=True, overflow="ignore") for each in whole)
    yield from (Text(f"  {each}", style=_STYLES.get(fact["status"], "dim"), no_wrap=True, overflow="ignore") for each in below)


def history(found: Sequence[Json]) -> Table:
    """Render every version of facts, one a row, with both times: when it was true, and when it was recorded."""
    table = _table("id", "what was held", "sure", "true", "held", "state")
    for fact in sorted(found, key=_version):
        state = Text(_state(fact), style=_STYLES.get(fact["status"], ""))
        true, held = _times(fact)
        table.add_row(clean(fact["id"]), Text(_with_scope(fact)), f"{fact['confidence']:.2f}", true, held, state)
    return table


def listing(found: Sequence[Json], *, width: int, versions: bool) -> Table | Group:
    """Render facts, or all their versions, as a table; on a narrow terminal, each with its own lines."""
    if width >= (_HISTORY if versions else TABLE):
        return history(found) if versions else facts(found, width=width)
    lines: list[Text] = []
    for fact in sorted(found, key=_version) if versions else found:
        true, held = _times(fact)
        when = [f"true {true},", f"held {held},"] if versions else [fact["kind"], _last_said(fact)]
        lines += _stacked(fact, [f"{fact['confidence']:.2f}", *when], width)
    return Group(*lines)


def _version(fact: Json) -> tuple[str, int]:
    return fact["id"], fact["version"]


def _times(fact: Json) -> tuple[str, str]:
    """Return when a version was true, and when it was recorded."""
    true = f"{day(fact['valid_from'])} to {day(fact['valid_to'])}" if fact["valid_to"] else f"since {day(fact['valid_from'])}"
    began = moment(fact["recorded_at"])
    return true, f"{began} to {moment(fact['closed_at'])}" if fact["closed_at"] else f"since {began}"


def rules(packs: Sequence[Json]) -> Table:
    """Render the packs in use."""
    table = _table("pack", "version", "rules", "file")
    for pack in packs:
        table.add_row(clean(pack["name"]), clean(pack["version"]), str(pack["rules"]), Text(clean(pack["path"])))
    return table


def questions(found: Sequence[Json], review_inbox: str, *, written: bool, every: bool = True) -> list[Text | Tree]:
    """Render questions with both claims, and how to answer them. written: the review file exists and can be written. every: those that
    stand folded, too.
    """
    shown: list[Text | Tree] = [_question(each) for each in found if every or not each.get("folded")]
    if more := len(found) - len(shown):
        shown.append(Text(f"{plural(more, 'more question')} -> ethos inbox --all", style="dim"))
    waiting = {" | ".join(each["actions"]): clean(each["id"]) for each in reversed(found) if each["status"] == "open"}
    if waiting:
        shown += [Text(f"To answer:  ethos answer {one} {actions}") for actions, one in reversed(waiting.items())]
        where = clean(review_inbox)
        tick = f"Or tick a box in {where} (ethos inbox --edit opens it)"
        shown.append(Text(tick if written else f"No box can be ticked: {where} is not there, or cannot be written -> ethos doctor"))
    return shown


def answered(question: Mapping[str, Any]) -> Text:
    """Render a person's decision."""
    note = f': "{clean(question["note"], 300)}"' if question["note"] else ""
    words = f"answered {question['action']} through the {clean(question['by'])}, {moment(question['resolved_at'])}{note}"
    return Text(words, style="green")


def _question(question: Json) -> Tree:
    again = f", heard again {plural(question['repeats'], 'time')}" if question["repeats"] else ""
    tree = Tree(line(("bold", clean(question["id"])), ("dim", f"opened {day(question['opened_at'])}{again}")))
    for side, name in (("existing", "held"), ("new", "new ")):
        if question[side] is None:
            continue
        fact, when = question[side], day(question[f"{side}_said_at"])
        tree.add(line(("", name), ("bold", said(fact)), ("dim", f"({fact['confidence']:.2f}, said {when}) {clean(fact['id'])}")))
    if memory := question["memory"]:
        asks = "use this memory?" if question["proposal"] == "accept" else "retire this memory?"
        tree.add(line(("", asks), ("bold", clean(memory["title"], 80)), ("dim", f"({memories.proved(memory)}) {clean(memory['id'])}")))
    if question.get("likely"):
        tree.add(line(("", f"likely {clean(question['likely'])}: {clean(question['because'])}")))
    if question["quote"]:
        tree.add(line(("dim", f'"{clean(question["quote"], 200)}"'), ("dim", clean(question["episode"]))))
    if question["action"]:
        tree.add(answered(question))
    return tree


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in columns:
        table.add_column(column, no_wrap=column in {"id", "kind", "sure", "said", "true", "held", "state"}, overflow="fold")
    return table
