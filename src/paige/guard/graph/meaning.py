"""Compares texts by meaning: the vectors of memory, kept as bytes beside each trace.

NumPy is loaded when something is first compared, not before: most processes never do.
"""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from paige.guard.graph.values import NewTrace, Trace

if TYPE_CHECKING:
    from paige.memory.embedding import StaticEmbedder

MOST_TEXT = 2000


def text_of(trace: Trace | NewTrace) -> str:
    """What a trace is about, as one text."""
    parts = (
        trace.what_happened,
        trace.what_was_correct,
        trace.why,
        trace.task,
        trace.action.replace(":", " ").replace("-", " "),
        trace.feature,
    )
    return " ".join(part for part in parts if part)[:MOST_TEXT]


def vectors_of(texts: Sequence[str]) -> list[bytes | None]:
    """The vector of each text; nothing for one without a word that is known."""
    if not texts:
        return []
    import numpy as np  # noqa: PLC0415 - see above

    found = _embedder().embed(texts).astype(np.float16)
    return [row.tobytes() if row.any() else None for row in found]


def likeness(text: str, vectors: Sequence[bytes | None]) -> list[float]:
    """How like a text each of the vectors is, from -1 to 1; 0 where there is none."""
    import numpy as np  # noqa: PLC0415 - see above

    asked = _embedder().embed([text])[0]
    size = asked.shape[0] * 2
    known = [number for number, each in enumerate(vectors) if each and len(each) == size]
    result = [0.0] * len(vectors)
    if known:
        raw = b"".join(vectors[number] or b"" for number in known)
        table = np.frombuffer(raw, np.float16).reshape(len(known), -1).astype(np.float32)
        for number, score in zip(known, (table @ asked).tolist(), strict=True):
            result[number] = float(score)
    return result


@cache
def _embedder() -> "StaticEmbedder":
    from paige.memory.embedding import StaticEmbedder  # noqa: PLC0415 - imports NumPy

    return StaticEmbedder()
