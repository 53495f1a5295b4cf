"""The masking key: made once, ours alone, and the same from then on."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from ethos.core.model.errors import Refused
from ethos.edge.capture.masking import FILE, Masker


def test_the_key_is_made_once_and_only_we_can_read_it(tmp_path: Path) -> None:
    """Two processes that mask the same secret leave the same mark; another memory leaves another."""
    state = tmp_path / "state"
    first = Masker(state)("password is hunter2")
    assert first.startswith("password is [secret:password:")
    assert Masker(state)("password is hunter2") == first
    assert Masker(tmp_path / "other")("password is hunter2") != first
    assert stat.S_IMODE((state / FILE).stat().st_mode) == 0o600
    assert [path.name for path in state.iterdir()] == [FILE]


def test_a_damaged_key_is_refused(tmp_path: Path) -> None:
    """A short key would be guessed: it is named, with what to do."""
    (tmp_path / FILE).write_bytes(b"short")
    with pytest.raises(Refused) as refused:
        Masker(tmp_path)
    assert "delete the file" in refused.value.problem.hint


def test_a_state_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    """Where no key can be kept nothing is captured unmasked."""
    (tmp_path / "state").write_text("a file")
    with pytest.raises(Refused):
        Masker(tmp_path / "state")
