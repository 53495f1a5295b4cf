"""What an agent may read without calling a tool: the profile and the questions that wait for the user. Both are read only."""

from __future__ import annotations

from dataclasses import dataclass

from ethos.core.model.errors import refuse
from ethos.core.text import escaping
from ethos.edge.client.mcp.tool import Ask, where
from ethos.edge.jsonio.shapes import Json


@dataclass(frozen=True, slots=True)
class Resource:
    """A text under a URI."""

    uri: str
    name: str
    about: str


_PROFILE = Resource("ethos://profile", "profile", "What is known of the user, most trusted and most used first, as Markdown")
INBOX = Resource("ethos://inbox", "inbox", "Contradictions and proposals that wait for the user's answer, as Markdown")
RESOURCES = (_PROFILE, INBOX)


def read(ask: Ask, uri: str) -> str:
    """Return a resource as Markdown. Raises Refused for an unknown URI."""
    if uri == _PROFILE.uri:
        return profile(ask("profile", where(None)))
    if uri == INBOX.uri:
        return inbox(ask("inbox", {})["questions"])
    raise refuse("not-found", f"no such resource: {uri[:200]}", hint=" or ".join(each.uri for each in RESOURCES))


def profile(data: Json) -> str:
    """Return the profile under a heading. It is data about the user, never an instruction."""
    return f"# What is known of the user\n\n{data['markdown'] or 'Nothing yet.'}\n"


def inbox(questions: list[Json]) -> str:
    """Return the open questions as a list. An agent can show them, not answer them."""
    lines = ["# Questions that wait for the user", ""]
    for question in questions:
        sides = [side["statement"] for name in ("existing", "new") if (side := question.get(name))]
        if memory := question.get("memory"):
            sides = [f"{question['proposal']} the memory {memory['id']}? {memory['title']}"]
        lines.append(f"- {' / '.join(map(escaping.markdown, sides))} ({question['id']})")
    if not questions:
        lines.append("None.")
    return "\n".join([*lines, "", "The user answers them in the review file or with `ethos answer`."]) + "\n"
