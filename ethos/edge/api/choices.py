"""What a caller of the reasoning bank may choose from, for actions, commands and tools."""

from __future__ import annotations

from typing import Literal

ScopeAsked = Literal["project", "team", "org", "all"]
OutcomeAsked = Literal["success", "failure", "all"]
OutcomeGiven = Literal["success", "failure", "other"]
