"""Rule packs for tests: as short as a rule can be, so that a test says only what it is about."""

from __future__ import annotations

from pathlib import Path


def rule(name: str, pattern: str, predicate: str, *more: str) -> str:
    """A rule that reads a fact about the speaker where the pattern matches. more: further lines of it."""
    lines = (
        "[[rule]]",
        f'id = "{name}"',
        'kind = "fact"',
        f'summary = "what {name} is about"',
        f"patterns = ['''{pattern}''']",
        f'emit = {{ subject = "speaker", predicate = "{predicate}", object = "{{object}}" }}',
        "confidence = 0.8",
        *more,
    )
    return "\n".join(lines) + "\n"


def pack(name: str, *rules: str) -> str:
    """A pack of these."""
    return "\n".join((f'schema = 1\npack = "{name}"\n', *rules))


def write(folder: Path, text: str, name: str = "mine.toml") -> Path:
    """A file of rules."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path
