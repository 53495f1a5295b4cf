"""`ethos models`: which models recall and the nights may use, and whether they can be loaded."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from ethos.core.model.errors import Refused
from ethos.core.model.settings import Settings
from ethos.edge import wiring
from ethos.edge.cli.commands.options import Usual, command
from ethos.edge.render import report

_EXTRA = ("numpy", "safetensors", "tokenizers", "wordllama")  # packages of the extra `semantic`
INSTALL = "pip install 'ethos-memory[semantic]'"


class Model(NamedTuple):
    """One model. used: by these settings; id: of the encoder that is loaded, else ""; problem: why it cannot be used, else ""."""

    name: str
    used: bool
    id: str
    problem: str

    @property
    def state(self) -> str:
        """Return the state of a model in a few words."""
        if not self.used:
            return f"not in use ({self.problem})" if self.problem else "not in use"
        return f"cannot be used: {self.problem}" if self.problem else f"in use{f' ({self.id})' if self.id else ''}"


@command
def models(usual: Usual) -> int:
    """List the models that recall and the nights may use, and load the one that ranks by meaning. By default there is none.

    Example: ethos models
    """
    with usual.connect() as connection:
        found = _found(connection.settings)
    rows = [{**each._asdict(), "state": each.state} for each in found]
    lines = [f"{each.name}: {report.clean(each.state)}" for each in found]
    return usual.show({"models": rows}, lines, wanted=True)


def _found(settings: Settings) -> tuple[Model, ...]:
    recall, folder = settings.recall, settings.recall.encoder
    words = Model("word vectors", recall.semantic and not folder, "", "" if all(map(find_spec, _EXTRA)) else INSTALL)
    endpoint = settings.llm.endpoint
    named = Model(f"encoder in {folder}" if folder else "encoder in a folder", recall.semantic and bool(folder), "", "")
    if folder and not recall.semantic:
        named = named._replace(problem="[recall] semantic is false")
    return (
        _loaded(words, settings) if words.used else words,
        _loaded(named, settings) if named.used else named,
        Model(f"language model at {endpoint}" if endpoint else "language model", bool(endpoint), "", ""),
    )


def _loaded(model: Model, settings: Settings) -> Model:
    """Return the model with its id, or with what is wrong with it."""
    try:
        return model._replace(id=wiring.encoder(settings.recall).id)
    except Refused as refused:
        problem = refused.problem
        where = f"{problem.where}: " if problem.where and problem.where != str(Path(settings.recall.encoder)) else ""
        return model._replace(problem=f"{where}{problem.what} -> {problem.hint}")
