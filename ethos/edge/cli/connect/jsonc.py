"""Edit JSON as text: set or remove one value and leave every other byte as it is, comments, order, indents and line ends included.

Reads JSON with comments and trailing commas, as agents write their configuration, and JSON5's unquoted names and single quotes.
Libraries for JSON5 give values, not places in the text; a rewrite by them would reformat a file that belongs to the user.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

Path = Sequence[str]

_MOST_NESTED = 100

_BLANK = re.compile(r"(?:[\s\ufeff]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r""""(?:[^"\\\n]++|\\.)*+"|'(?:[^'\\\n]++|\\.)*+'""", re.DOTALL)  # possessive: no way back costs memory
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_WORD = re.compile(r"[^\s,\]}:/]+")
_INDENT = re.compile(r"^([ \t]+)\S", re.MULTILINE)


class Unreadable(ValueError):
    """The text is not JSON; the message says where and why."""


@dataclass(slots=True)
class Node:
    """A value and where it stands: `text[start:end]`.

    members: of an object, by name, each with the place where its name begins. items: of an array.
    """

    start: int
    end: int
    value: Any = None
    members: dict[str, tuple[int, Node]] | None = None
    items: list[Node] | None = field(default=None)

    @property
    def empty(self) -> bool:
        """Return True for an object or array that holds nothing."""
        return not self.members and not self.items


class _Parser:
    """Recursive descent over one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def whole(self) -> Node:
        self.skip()
        if self.at == len(self.text):
            raise self.wrong("the file is empty")
        node = self.value(0)
        self.skip()
        if self.at != len(self.text):
            raise self.wrong("more text after the end of the value")
        return node

    def skip(self) -> str:
        """Pass spaces and comments; return the next character, or ""."""
        found = _BLANK.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.text[self.at : self.at + 1]

    def wrong(self, what: str) -> Unreadable:
        line = self.text.count("\n", 0, self.at) + 1
        column = self.at - self.text.rfind("\n", 0, self.at)
        return Unreadable(f"line {line}, column {column}: {what}")

    def value(self, depth: int) -> Node:
        if depth > _MOST_NESTED:
            raise self.wrong("nested too deeply")
        start, sign = self.at, self.text[self.at : self.at + 1]
        if sign == "{":
            return self.object(start, depth)
        if sign == "[":
            return self.array(start, depth)
        value = self.string() if sign in {'"', "'"} else self.word()
        return Node(start, self.at, value)

    def object(self, start: int, depth: int) -> Node:
        self.at += 1
        members: dict[str, tuple[int, Node]] = {}
        while self.skip() != "}":
            begins, name = self.at, self.name()
            if self.skip() != ":":
                raise self.wrong("a colon is missing")
            self.at += 1
            self.skip()
            members[name] = (begins, self.value(depth + 1))
            self.comma("}")
        self.at += 1
        return Node(start, self.at, {name: node.value for name, (_, node) in members.items()}, members=members)

    def array(self, start: int, depth: int) -> Node:
        self.at += 1
        items: list[Node] = []
        while self.skip() != "]":
            items.append(self.value(depth + 1))
            self.comma("]")
        self.at += 1
        return Node(start, self.at, [node.value for node in items], items=items)

    def comma(self, closing: str) -> None:
        if (sign := self.skip()) == ",":
            self.at += 1
        elif sign != closing:
            raise self.wrong(f"a comma or {closing} is missing")

    def name(self) -> str:
        if self.text[self.at : self.at + 1] in {'"', "'"}:
            return self.string()
        found = _NAME.match(self.text, self.at)
        if found is None:
            raise self.wrong("a name is missing")
        self.at = found.end()
        return found[0]

    def string(self) -> str:
        found = _STRING.match(self.text, self.at)
        if found is None:
            raise self.wrong("a string is not closed")
        raw = found[0]
        if raw[0] == "'":
            raw = '"' + raw[1:-1].replace("\\'", "'").replace('"', '\\"') + '"'
        try:
            value = str(json.loads(raw, strict=False))
        except ValueError:
            raise self.wrong("a string has an unknown escape") from None
        self.at = found.end()
        return value

    def word(self) -> Any:
        found = _WORD.match(self.text, self.at)
        if found is None:
            raise self.wrong("a value is missing")
        try:
            value = json.loads(found[0])
        except ValueError:
            try:
                value = float(found[0])  # JSON5: .5, +1, Infinity
            except ValueError:
                raise self.wrong(f"not a value: {found[0][:40]}") from None
        self.at = found.end()
        return value


def parse(text: str) -> Node:
    """Return the value of the whole text. Raises Unreadable."""
    return _Parser(text).whole()


def find(node: Node, path: Path) -> Node | None:
    """Return the value under these names, or None."""
    for name in path:
        if not node.members or name not in node.members:
            return None
        node = node.members[name][1]
    return node


def set_member(text: str, path: Path, value: Any) -> str:
    """Return the text with this value under `path`; missing objects on the way are made. Raises Unreadable.

    A member that is there is replaced. One that is new comes last, in the form of the file: its indent and its line ends.
    """
    if not text.strip("\ufeff \t\r\n"):
        text += "{}" + _newline(text)
    root = parse(text)
    if (there := find(root, path)) is not None:
        return text[: there.start] + _written(text, value, _depth(text, there.start)) + text[there.end :]
    node, at = root, 0
    while at < len(path) - 1 and (inner := find(node, path[at : at + 1])) is not None:
        node, at = inner, at + 1
    if node.members is None:
        raise Unreadable(f"{'.'.join(path[:at]) or 'the whole'} is not an object")
    for name in reversed(path[at + 1 :]):
        value = {name: value}
    depth = _depth(text, node.start) + 1
    return _added(text, node, [last for _, last in node.members.values()], f"{json.dumps(path[at])}: {_written(text, value, depth)}", depth)


def append_item(text: str, path: Path, value: Any) -> str:
    """Return the text with this value as the last item of the array under `path`, which is made where it is missing. Raises Unreadable."""
    node = find(parse(text), path) if text.strip("\ufeff \t\r\n") else None
    if node is None:
        return set_member(text, path, [value])
    if node.items is None:
        raise Unreadable(f"{'.'.join(path)} is not a list")
    depth = _depth(text, node.start) + 1
    return _added(text, node, node.items, _written(text, value, depth), depth)


def remove_member(text: str, path: Path) -> str:
    """Return the text without the member under `path`. Raises Unreadable. Nothing changes where there is none."""
    parent = find(parse(text), path[:-1])
    if parent is None or not parent.members or path[-1] not in parent.members:
        return text
    spans = [(begins, node.end) for begins, node in parent.members.values()]
    return _cut(text, parent, spans, list(parent.members).index(path[-1]))


def remove_items(text: str, path: Path, ours: Callable[[Any], bool]) -> str:
    """Return the text without the items of the array under `path` that are ours. Raises Unreadable."""
    while (node := find(parse(text), path)) is not None and node.items is not None:
        found = next((at for at, item in enumerate(node.items) if ours(item.value)), None)
        if found is None:
            break
        text = _cut(text, node, [(item.start, item.end) for item in node.items], found)
    return text


def _added(text: str, node: Node, there: Sequence[Node], written: str, depth: int) -> str:
    """Put an element last in an object or array, on a line of its own unless the whole stands on one line."""
    newline, step = _newline(text), _step(text)
    if there:
        last = there[-1].end
        spread = "\n" in text[node.start : there[0].start]
        lead = newline + step * depth if spread else " "
        after = _Parser(text)
        after.at = last
        if after.skip() == ",":
            return f"{text[: after.at + 1]}{lead}{written}{text[after.at + 1 :]}"
        return f"{text[:last]},{lead}{written}{text[last:]}"
    inside = text[node.start + 1 : node.end - 1]
    kept = inside.rstrip() if inside.strip() else ""
    return f"{text[: node.start + 1]}{kept}{newline}{step * depth}{written}{newline}{step * (depth - 1)}{text[node.end - 1 :]}"


def _cut(text: str, parent: Node, spans: Sequence[tuple[int, int]], which: int) -> str:
    """Take one element out with the comma that goes with it and the spaces before it."""
    start, end = spans[which]
    after = _Parser(text)
    after.at = end
    if which == len(spans) - 1:
        begin = spans[which - 1][1] if which else parent.start + 1
        stop = after.at + 1 if after.skip() == "," and not which else end
        between = text[begin:start]
        kept = between.rsplit(",", 1)[0] if which and not between.strip(", \t\r\n") else between.rstrip()
        if which == 0 and not text[stop : parent.end - 1].strip() and not kept.strip():
            return text[: parent.start + 1] + text[parent.end - 1 :]
        return text[:begin] + kept + text[stop:]
    after.skip()
    return (
        text[:start] + text[spans[which + 1][0] :]
        if not text[after.at + 1 : spans[which + 1][0]].strip()
        else text[:start] + text[after.at + 1 :].lstrip(" ")
    )


def _written(text: str, value: Any, depth: int) -> str:
    """Write a value in the form of the file, as it stands at this depth: on one line in a file of one line."""
    if "\n" not in text.strip() and not parse(text).empty:
        return json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, indent=_step(text), ensure_ascii=False).split("\n")
    return (_newline(text) + _step(text) * depth).join(lines)


def _depth(text: str, at: int) -> int:
    """Return how many steps the line that holds this place is indented."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    return len(indent) // len(_step(text))


def _step(text: str) -> str:
    """Return one step of the file's indentation; two spaces where it has none."""
    found = _INDENT.search(text)
    return found[1] if found else "  "


def _newline(text: str) -> str:
    """Return the file's line end."""
    return "\r\n" if "\r\n" in text else "\n"
