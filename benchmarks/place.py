"""A place for a memory of its own: a folder with a config.toml, and the memory wired as it is in earnest."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from benchmarks import corpus
from ethos.app import Ethos
from ethos.edge import wiring
from ethos.edge.config import loading
from ethos.edge.rulebook import Rulebook, load, shipped_rules


def configured(folder: Path) -> Path:
    """Return the configuration of a memory that lives in this folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "config.toml"
    path.write_text('[ethos]\nlog_level = "warning"\n\n[socket]\npath = "ethos.sock"\n', encoding="utf-8")
    return path


@cache
def shipped() -> Rulebook:
    """Return the shipped packs with both readers, as they are by default, loaded once."""
    return load([shipped_rules()], clauses=True)


def memory(folder: Path, rulebook: Rulebook) -> Ethos:
    """Open a memory in this folder."""
    return wiring.build(loading.load(configured(folder)).settings, rulebook)


def filled(folder: Path, rulebook: Rulebook, episodes: int) -> Ethos:
    """Open a memory in this folder and capture so many episodes of the corpus."""
    ethos = memory(folder, rulebook)
    ethos.capture(corpus.episodes(episodes, ethos.clock.now()))
    if ethos.store.file is not None:
        ethos.store.file.compact()
    return ethos
