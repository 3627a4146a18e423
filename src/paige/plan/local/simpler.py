"""Plainer words and shorter sentences in what pupils read; code and keywords stay as they are."""

import re
import tomllib
from collections.abc import Collection, Mapping
from functools import lru_cache

from paige.base.paths import shipped
from paige.plan.lesson_text import fenced

LONG_SENTENCE = 16
_WORDS = re.compile(r"\w+(?:['\u2019]\w+)?")
_KEPT = re.compile(r"(`[^`\n]*`|\"[^\"\n]*\"|\[[^\[\]\n]*+\]\([^()\n]{0,300}\))")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_JOINT = re.compile(
    r"(?:(?<!\s)\s++)?;\s++|,\s++(?:and|but|so)\s++(?=(?:the|it|they|you|we|this|that|a|an)\b)"
)


@lru_cache(maxsize=1)
def plainer_words() -> Mapping[str, str]:
    """The words Paige knows plainer ones for."""
    return tomllib.loads(shipped("plan/simpler.toml").read_text("utf-8"))["words"]


def simplify(text: str, keep: Collection[str] = ()) -> str:
    """The text in plainer words; what stands in `keep`, in code or in quotes is left alone."""
    lines = text.split("\n")
    inside = fenced(lines)
    table = {at for at, line in enumerate(lines) if line.lstrip().startswith("|")}
    return "\n".join(
        line if not line or inside[at] or at in table else _line(line, keep)
        for at, line in enumerate(lines)
    )


def _line(line: str, keep: Collection[str]) -> str:
    pieces = _KEPT.split(_shorter(line))
    pattern = _pattern(frozenset(word.casefold() for word in keep))
    return "".join(
        piece if at % 2 else pattern.sub(_replacement, piece) for at, piece in enumerate(pieces)
    )


@lru_cache(maxsize=32)
def _pattern(keep: frozenset[str]) -> re.Pattern[str]:
    kept = {part for word in keep for part in _WORDS.findall(word)}
    words = [word for word in plainer_words() if not kept & set(_WORDS.findall(word))]
    either = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{either})(?![\w-])", re.I)


def _replacement(found: re.Match[str]) -> str:
    plain = plainer_words()[found[0].casefold()]
    return plain[:1].upper() + plain[1:] if found[0][:1].isupper() else plain


def _shorter(line: str) -> str:
    """Long sentences cut where two halves can stand alone; marked text and lists stay whole."""
    if "*(" in line or '"' in line or "`" in line:
        return line
    return " ".join(_cut(sentence) for sentence in _SENTENCE.split(line))


def _cut(sentence: str) -> str:
    if len(_WORDS.findall(sentence)) <= LONG_SENTENCE:
        return sentence
    joint = _JOINT.search(sentence)
    if joint is None:
        return sentence
    first, rest = sentence[: joint.start()], sentence[joint.end() :]
    if min(len(_WORDS.findall(first)), len(_WORDS.findall(rest))) < 4:
        return sentence
    return f"{first}. {rest[:1].upper()}{rest[1:]}"
