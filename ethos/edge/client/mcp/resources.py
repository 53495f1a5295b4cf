"""What an agent may read without calling a tool: the profile and the questions that wait for the user. Both are read only."""

from __future__ import annotations

from dataclasses import dataclass

from ethos.core.model.errors import refuse
from ethos.core.text import escaping
from ethos.edge.client.mcp.tools import Ask
from ethos.edge.jsonio.shapes import Json

PROFILE_BYTES = 4_096


@dataclass(frozen=True, slots=True)
class Resource:
    """A text under a URI."""

    uri: str
    name: str
    about: str


PROFILE = Resource("ethos://profile", "profile", "What is held about the user, most trusted first, as Markdown")
INBOX = Resource("ethos://inbox", "inbox", "Contradictions that wait for the user's answer, as Markdown")
RESOURCES = (PROFILE, INBOX)


def read(ask: Ask, uri: str) -> str:
    """Return a resource as Markdown. Raises Refused for an unknown URI."""
    if uri == PROFILE.uri:
        return profile(ask("facts", {})["facts"])
    if uri == INBOX.uri:
        return inbox(ask("inbox", {})["questions"])
    raise refuse("not-found", f"no such resource: {uri[:200]}", hint=" or ".join(each.uri for each in RESOURCES))


def profile(facts: list[Json]) -> str:
    """Return the facts held now as a list, most trusted first, latest first among equals, within `PROFILE_BYTES`."""
    lines = ["# What is held about the user", ""]
    size = sum(len(line.encode()) + 1 for line in lines)
    ranked = sorted(facts, key=lambda fact: (fact["flagged"], -fact["confidence"], _descending(fact["valid_from"])))
    for fact in ranked:
        doubt = ", in question" if fact["flagged"] else ""
        line = f"- {escaping.markdown(fact['statement'])} ({fact['kind']}{doubt}, {fact['id']})"
        size += len(line.encode()) + 1
        if size > PROFILE_BYTES:
            break
        lines.append(line)
    return "\n".join(lines) + "\n"


def _descending(moment: str) -> tuple[int, ...]:
    """Order ISO times latest first."""
    return tuple(-ord(sign) for sign in moment)


def inbox(questions: list[Json]) -> str:
    """Return the open questions as a list. An agent can show them, not answer them."""
    lines = ["# Questions that wait for the user", ""]
    for question in questions:
        sides = [side["statement"] for name in ("existing", "new") if (side := question.get(name))]
        lines.append(f"- {' / '.join(map(escaping.markdown, sides))} ({question['id']})")
    if not questions:
        lines.append("None.")
    return "\n".join([*lines, "", "The user answers them in the review file or with `ethos answer`."]) + "\n"
