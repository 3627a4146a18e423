"""Summaries at the boundary of a tier: the sentences that say most, in their own words.

Without a model a summary is an extract. Sentences are scored by how like they are to the whole
(tf-idf centroid), by the importance of the memory they come from, by their place in it, and by the
names, numbers and dates they bring in; what repeats is left out; the rest stays in order of time. A
model may write the summary instead, but only one that invents no number and keeps to the length is
taken, so a summary is never less reliable than an extract.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import log, sqrt
from typing import Literal, NamedTuple

from paige.base.tokens import count_tokens_bound

PURPOSE = "memory.summarise"
Method = Literal["extract", "model"]

_FULL = "\u3002\uff01\uff1f"  # full stop, exclamation and question mark of East Asian texts
_SENTENCE = re.compile(rf"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9À-ÖØ-Þ])|(?<=[{_FULL}])|\n+")
_WORD = re.compile("\\w+(?:['\u2019]\\w+)?")
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*%?")
_NAME = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w-]*(?:\s+[A-ZÀ-ÖØ-Þ][\w-]*)*")
_STOP = frozenset(
    {"a", "an", "and", "are", "as", "at", "be", "but", "by", "can", "could", "did", "do",
     "does", "for", "from", "had", "has", "have", "he", "her", "his", "how", "i", "if",
     "in", "into", "is", "it", "its", "just", "me", "my", "no", "not", "of", "on", "or",
     "our", "she", "so", "than", "that", "the", "their", "them", "then", "there", "they",
     "this", "to", "too", "up", "us", "was", "we", "were", "what", "when", "where",
     "which", "who", "why", "will", "with", "would", "you", "your"}
)  # fmt: skip
_LONGEST_SENTENCE = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryThresholds:
    """How long a summary may be, and what makes a sentence worth keeping."""

    most_tokens: int
    most_sentences: int
    least_group: int
    most_group: int
    centroid: float
    importance: float
    position: float
    details: float
    repeated: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A memory that goes into a summary."""

    id: str
    text: str
    at: datetime
    importance: float = 0.5
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class SummaryInputs:
    """What whoever writes a summary is given, a model as well as the local engine."""

    passages: tuple[Passage, ...]
    thresholds: SummaryThresholds


Summariser = Callable[[SummaryInputs], str | None]


class Summary(NamedTuple):
    """The text, who made it, and why not the other."""

    text: str
    method: Method
    reason: str


class _Sentence(NamedTuple):
    text: str
    words: frozenset[str]
    vector: dict[str, float]
    details: frozenset[str]
    score: float
    order: tuple[datetime, str, int]


def summarise(inputs: SummaryInputs, model: Summariser | None = None) -> Summary:
    """A summary by the model when one is given and keeps to the facts, by extract otherwise."""
    extract = extract_summary(inputs)
    if model is None:
        return Summary(extract, "extract", "no model is set")
    answer = model(inputs)
    if answer is None:
        return Summary(extract, "extract", "no model answered")
    written = answer.strip()
    refused = why_not(written, inputs)
    if refused is not None:
        return Summary(extract, "extract", f"the model's summary was not taken: {refused}")
    return Summary(written, "model", "the model's summary keeps to the facts")


def why_not(written: str, inputs: SummaryInputs) -> str | None:
    """Why a written summary cannot be taken, `None` when it can."""
    if not written:
        return "it is empty"
    tokens = count_tokens_bound(written)
    if tokens > inputs.thresholds.most_tokens:
        return f"it has up to {tokens} tokens, {inputs.thresholds.most_tokens} are allowed"
    known = {number for each in inputs.passages for number in _numbers(_said(each))}
    invented = sorted(set(_numbers(written)) - known)
    if invented:
        return f"it has numbers nobody wrote: {', '.join(invented[:5])}"
    return None


def extract_summary(inputs: SummaryInputs) -> str:
    """The local engine: the best sentences, within the length, in order of time."""
    thresholds = inputs.thresholds
    chosen: list[_Sentence] = []
    seen: set[str] = set()
    left = sorted(_scored(inputs), key=lambda each: (-each.score, each.order))
    while left and len(chosen) < thresholds.most_sentences:
        best = max(left, key=lambda each: _worth(each, seen, thresholds))  # first of equals
        left.remove(best)
        if _repeats(best, chosen, thresholds.repeated):
            continue
        if _tokens([*chosen, best]) <= thresholds.most_tokens:
            chosen.append(best)
            seen |= best.details
    return _joined(chosen)


def details_of(text: str) -> frozenset[str]:
    """Names, numbers and dates of a text."""
    names = {
        name
        for found in _NAME.finditer(text)
        if (name := _without_stop_words(found.group())) and not _opens_sentence(text, found)
    }
    return frozenset(names | set(_numbers(text)))


def _worth(sentence: _Sentence, seen: set[str], thresholds: SummaryThresholds) -> float:
    new = len(sentence.details - seen)
    return sentence.score + thresholds.details * (1 - 0.5**new)


def _scored(inputs: SummaryInputs) -> list[_Sentence]:
    cut = [(each, _sentences(_said(each))) for each in inputs.passages]
    bags = [[_words(text) for text in texts] for _, texts in cut]
    spread = Counter(word for bag in bags for words in bag for word in set(words))
    count = sum(map(len, bags))
    vectors = [[_tf_idf(words, spread, count) for words in bag] for bag in bags]
    centroid = _sum(vector for bag in vectors for vector in bag)
    thresholds = inputs.thresholds
    return [
        _Sentence(
            text,
            frozenset(vector),
            vector,
            details_of(text),
            thresholds.centroid * _cosine(vector, centroid)
            + thresholds.importance * passage.importance
            + thresholds.position / (1 + place),
            (passage.at, passage.id, place),
        )
        for (passage, texts), bag in zip(cut, vectors, strict=True)
        for place, (text, vector) in enumerate(zip(texts, bag, strict=True))
        if vector
    ]


def _said(passage: Passage) -> str:
    return f"{passage.speaker}: {passage.text}" if passage.speaker else passage.text


def _sentences(text: str) -> list[str]:
    found = (" ".join(part.split()) for part in _SENTENCE.split(text))
    return [_cut(sentence) for sentence in found if sentence]


def _cut(sentence: str) -> str:
    if len(sentence) <= _LONGEST_SENTENCE:
        return sentence
    return sentence[:_LONGEST_SENTENCE].rsplit(" ", 1)[0] + " …"


def _words(text: str) -> list[str]:
    return [word for found in _WORD.findall(text) if (word := found.casefold()) not in _STOP]


def _tf_idf(words: list[str], spread: Counter[str], count: int) -> dict[str, float]:
    return {
        word: times * (1 + log((1 + count) / (1 + spread[word])))
        for word, times in Counter(words).items()
    }


def _sum(vectors: Iterable[dict[str, float]]) -> dict[str, float]:
    total: Counter[str] = Counter()
    for vector in vectors:
        length = _length(vector)
        for word, value in vector.items():
            total[word] += value / length  # type: ignore[assignment]  # a Counter of floats
    return dict(total)


def _cosine(first: dict[str, float], second: dict[str, float]) -> float:
    shared = sum(value * second.get(word, 0.0) for word, value in first.items())
    return shared / (_length(first) * _length(second)) if shared else 0.0


def _length(vector: dict[str, float]) -> float:
    return sqrt(sum(value * value for value in vector.values())) or 1.0


def _repeats(sentence: _Sentence, chosen: Sequence[_Sentence], limit: float) -> bool:
    return any(
        len(sentence.words & each.words) >= limit * len(sentence.words)
        and sentence.details <= each.details
        for each in chosen
    )


def _tokens(sentences: Sequence[_Sentence]) -> int:
    return count_tokens_bound(_joined(sentences))


def _joined(sentences: Sequence[_Sentence]) -> str:
    return "\n".join(each.text for each in sorted(sentences, key=lambda each: each.order))


def _numbers(text: str) -> list[str]:
    return _NUMBER.findall(text)


def _without_stop_words(name: str) -> str:
    return " ".join(word for word in name.split() if word.casefold() not in _STOP)


def _opens_sentence(text: str, found: re.Match[str]) -> bool:
    """A capital at the start of a sentence says nothing, unless more follow it."""
    before = text[: found.start()].rstrip()
    return " " not in found.group() and (not before or before[-1] in ".!?\n:")
