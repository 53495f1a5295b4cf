"""Encode texts by a BERT-type model in a folder of the user's: config.json, model.safetensors, tokenizer.json, as models are published.

The forward pass is that of Devlin et al. (2019, "BERT: Pre-training of deep bidirectional transformers"), in numpy; the vector of a text
is the mean of its tokens' last states, or the first one's, as the folder's 1_Pooling says (Reimers and Gurevych, 2019, "Sentence-BERT").
Time and memory are bounded: by the size of the file, the tokens of a text, the texts of a batch, and the vectors that are kept.
"""

from __future__ import annotations

import json
import os
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any

from ethos.core.model.errors import Refused, refuse
from ethos.core.ports.encoder import Passage, Words

Array = Any  # of numpy, float32; the checks of types run without this extra

FILES = ("config.json", "model.safetensors", "tokenizer.json")
MOST_BYTES = 700_000_000  # of the weights
_MOST_TOKENS = 64  # of a text; what a longer one says besides is left out
BATCH = 16  # texts
KEPT = 4_096  # vectors
OF_BEFORE = 0.7  # how much the turn before counts
_HINT = 'name a folder with config.json, model.safetensors and tokenizer.json of a BERT-type encoder, or set recall.encoder to ""'


class BertEncoder:
    """The encoder in a folder. Raises Refused where the folder holds none. Safe to call from several threads, one at a time works."""

    weight = 8.0  # 6 to 13 do as well on recorded conversations (LoCoMo): 3/4 of a point of recall among ten, a session in a hundred
    looked_at = 50

    def __init__(self, folder: Path) -> None:
        shape = checked(folder)
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a daemon in the background must not spin
        try:
            import numpy as np  # noqa: PLC0415 (only this extra needs it)
            from safetensors.numpy import load_file  # noqa: PLC0415 (as above)
            from tokenizers import Tokenizer  # noqa: PLC0415 (as above)
        except ImportError as error:
            hint = "pip install 'ethos-memory[semantic]', or set it to an empty text"
            raise refuse("bad-config", "[recall] encoder is set, but the extra `semantic` is not installed", hint=hint) from error
        self._np = np
        self._layers, self._heads = int(shape["num_hidden_layers"]), int(shape["num_attention_heads"])
        self._epsilon = float(shape.get("layer_norm_eps", 1e-12))
        self._first = _pools_first(folder)
        try:
            weights = load_file(folder / "model.safetensors")
            self._tokens = Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception as error:  # whatever two libraries raise for a damaged file
            raise _wrong(folder, f"cannot be read: {error}") from error
        self._weights = {name.removeprefix("bert."): each.astype(np.float32) for name, each in weights.items() if each.dtype.kind == "f"}
        self._tokens.no_padding()
        self._tokens.enable_truncation(min(_MOST_TOKENS, int(shape["max_position_embeddings"])))
        self._kept: OrderedDict[bytes, Array] = OrderedDict()
        self._one = Lock()
        self.id = identity(folder)
        try:
            self._encoded(["a trial"])
        except (KeyError, ValueError, IndexError) as error:
            raise _wrong(folder, f"has other weights than its config.json says: {error}") from error

    def likeness(self, question: Words, passages: Sequence[Passage], share: Mapping[str, float]) -> Sequence[float]:  # noqa: ARG002 (the port's)
        """See the port."""
        asked = " ".join(question)
        told = [(" ".join(passage.text), " ".join(passage.before)) for passage in passages]
        with self._one:
            vectors = self._vectors([asked, *(text for pair in told for text in pair)])
        about = vectors[asked]
        return [float(about @ self._passage(vectors[text], vectors[before])) if text else 0.0 for text, before in told]

    def _passage(self, text: Array, before: Array) -> Array:
        return self._unit(text + OF_BEFORE * before)

    def _vectors(self, texts: Sequence[str]) -> Mapping[str, Array]:
        """Return the vector of each text, of length one; of an empty one zeros. Those of before are kept."""
        keys = {text: blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest() for text in texts}
        missing = sorted((text for text, key in keys.items() if key not in self._kept and text), key=len)
        found: dict[str, Array] = {text: self._kept[key] for text, key in keys.items() if key in self._kept}
        for start in range(0, len(missing), BATCH):
            lot = missing[start : start + BATCH]
            found.update(zip(lot, self._encoded(lot), strict=True))
        found[""] = self._weights["embeddings.LayerNorm.bias"] * 0
        for text, key in keys.items():
            self._kept[key] = found[text]
            self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found

    def _encoded(self, texts: Sequence[str]) -> Sequence[Array]:
        np = self._np
        read = [each.ids for each in self._tokens.encode_batch([text.encode("utf-8", "replace").decode() for text in texts])]
        longest = max(map(len, read))
        ids = np.array([each + [0] * (longest - len(each)) for each in read])
        there = np.array([[1.0] * len(each) + [0.0] * (longest - len(each)) for each in read], np.float32)
        states = self._states(ids, there)
        if self._first:
            return [self._unit(each) for each in states[:, 0]]
        return [self._unit(each) for each in (states * there[:, :, None]).sum(1) / there.sum(1, keepdims=True)]

    def _states(self, ids: Array, there: Array) -> Array:
        """Return the last state of each token. ids: texts by tokens; there: 1 where a token is, 0 where none is."""
        table = self._weights
        states = table["embeddings.word_embeddings.weight"][ids] + table["embeddings.token_type_embeddings.weight"][0]
        states = self._normal(states + table["embeddings.position_embeddings.weight"][: ids.shape[1]], "embeddings")
        absent = ((1.0 - there) * -1e9)[:, None, None, :]
        for number in range(self._layers):
            layer = f"encoder.layer.{number}"
            states = self._normal(states + self._attended(states, absent, f"{layer}.attention"), f"{layer}.attention.output")
            inner = _gelu(self._np, self._dense(states, f"{layer}.intermediate"))
            states = self._normal(states + self._dense(inner, f"{layer}.output"), f"{layer}.output")
        return states

    def _attended(self, states: Array, absent: Array, name: str) -> Array:
        texts, tokens, size = states.shape
        query, key, value = (
            self._linear(states, f"{name}.self.{part}").reshape(texts, tokens, self._heads, -1).transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) / (size // self._heads) ** 0.5 + absent
        share = self._np.exp(scores - scores.max(-1, keepdims=True))
        share /= share.sum(-1, keepdims=True)
        return self._dense((share @ value).transpose(0, 2, 1, 3).reshape(texts, tokens, size), f"{name}.output")

    def _dense(self, states: Array, name: str) -> Array:
        return self._linear(states, f"{name}.dense")

    def _linear(self, states: Array, name: str) -> Array:
        return states @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _normal(self, states: Array, name: str) -> Array:
        away = states - states.mean(-1, keepdims=True)
        spread = (away * away).mean(-1, keepdims=True)
        scaled = away / self._np.sqrt(spread + self._epsilon)
        return scaled * self._weights[f"{name}.LayerNorm.weight"] + self._weights[f"{name}.LayerNorm.bias"]

    def _unit(self, vector: Array) -> Array:
        length = float(vector @ vector) ** 0.5
        return vector / length if length else vector


def checked(folder: Path) -> Mapping[str, Any]:
    """Return the config.json of an encoder's folder, after a look at what is there. Raises Refused. Needs no library."""
    if not folder.is_dir():
        raise _wrong(folder, "is no folder")
    if missing := [name for name in FILES if not (folder / name).is_file()]:
        raise _wrong(folder, f"has no {missing[0]}")
    if (size := (folder / "model.safetensors").stat().st_size) > MOST_BYTES:
        raise _wrong(folder, f"has weights of {size:,} bytes, more than {MOST_BYTES:,}")
    try:
        shape: Any = json.loads((folder / "config.json").read_bytes())
    except (OSError, ValueError) as error:
        raise _wrong(folder, f"has a config.json that cannot be read: {error}") from error
    kind = shape.get("model_type") if isinstance(shape, dict) else None
    if kind != "bert" or shape.get("hidden_act", "gelu") != "gelu" or shape.get("position_embedding_type", "absolute") != "absolute":
        raise _wrong(folder, f"holds a model of type {str(kind)[:40]}, not a plain BERT")
    wanted = ("num_hidden_layers", "num_attention_heads", "max_position_embeddings", "hidden_size")
    if wrong := [name for name in wanted if not isinstance(shape.get(name), int) or shape[name] < 1]:
        raise _wrong(folder, f"has a config.json without {wrong[0]}")
    return dict(shape)


def identity(folder: Path) -> str:
    """Return the id of the encoder in a folder: the same for the same files. Vectors of two encoders are never compared."""
    digest = blake2b(digest_size=8)
    for name in FILES:
        with (folder / name).open("rb") as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
    return f"bert-{digest.hexdigest()}"


def _pools_first(folder: Path) -> bool:
    path = folder / "1_Pooling" / "config.json"
    try:
        pooling = json.loads(path.read_bytes()) if path.is_file() else {}
    except (OSError, ValueError) as error:
        raise _wrong(folder, f"has a 1_Pooling/config.json that cannot be read: {error}") from error
    return isinstance(pooling, dict) and bool(pooling.get("pooling_mode_cls_token"))


def _gelu(np: Any, inner: Array) -> Array:
    """Return x times the normal distribution's share below x; the error function is that of Abramowitz and Stegun, 7.1.26 (to 1.5e-7)."""
    scaled = np.abs(inner) * np.float32(0.5**0.5)
    step = 1.0 / (1.0 + 0.3275911 * scaled)
    powers = step * (0.254829592 + step * (-0.284496736 + step * (1.421413741 + step * (-1.453152027 + step * 1.061405429))))
    below = 1.0 - powers * np.exp(-scaled * scaled)
    return inner * 0.5 * (1.0 + np.sign(inner) * below)


def _wrong(folder: Path, what: str) -> Refused:
    return refuse("bad-config", f"the encoder's folder {what}", where=str(folder), hint=_HINT)
