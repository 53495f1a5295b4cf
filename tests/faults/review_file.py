"""A review file as a person has it: ticked, saved as editors save, and looked over for what is half in it."""

from __future__ import annotations

import os
import re
from pathlib import Path


def save(file: Path, text: str) -> None:
    """As editors do that are careful: written beside, on the disk, renamed, and that on the disk too."""
    fresh = file.with_name("saving")
    with fresh.open("w", encoding="utf-8") as saving:
        saving.write(text)
        saving.flush()
        os.fsync(saving.fileno())
    fresh.replace(file)
    folder = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def torn(text: str) -> str:
    """What is half in a review file; empty where it is whole."""
    begun = re.findall(r"^### \[.*· (\S+)$", text, re.MULTILINE)
    ended = re.findall(r"^<!-- /ethos (\S+) -->$", text, re.MULTILINE)
    if begun == ended and text.endswith("\n") and text.startswith("#"):
        return ""
    return f"the review file is torn: {begun} begun, {ended} ended, {text[:20]!r} to {text[-20:]!r}"


def boxes(text: str) -> dict[str, list[str]]:
    """The actions that can be ticked, by question; those of which one is ticked are left out."""
    found: dict[str, list[str]] = {}
    for ticked, action, question in re.findall(r"^- \[(.)\] ([a-z-]+) \^(\S+)$", text, re.MULTILINE):
        found.setdefault(question, []).append("" if ticked == "x" else action)
    return {question: actions for question, actions in found.items() if all(actions)}


def ticked(text: str, question: str, action: str) -> str:
    """The text with this box ticked."""
    return text.replace(f"- [ ] {action} ^{question}\n", f"- [x] {action} ^{question}\n")
