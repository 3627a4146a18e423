"""Tells a slip of the pen from another word.

How many letters may be wrong depends on the length of the word. A slip that makes another word,
such as `form` for `from`, is no slip: the learner may well mean that word.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from paige.exercise.marking.stems import stem
from paige.exercise.marking.wording import folded

_COMMON = 15_000  # a word of this rank or before is one that people know
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_PREFIXES = ("memper", "meng", "meny", "mem", "men", "ber", "ter", "per", "me", "di", "ke", "pe")
_SUFFIXES = ("kan", "nya", "an", "i")

Rank = Callable[[str], int | None]


@dataclass(frozen=True, slots=True)
class Slip:
    """One word written another way: what was meant, and how it differs."""

    said: str
    meant: str
    kind: str  # accent, typo, form, affix


def spelled_alike(said: Sequence[str], meant: Sequence[str]) -> bool:
    """Whether only spaces, or umlauts written as two letters, are different."""
    ours, theirs = "".join(said), "".join(meant)
    return ours == theirs or ours == theirs.translate(_UMLAUTS)


def slips(
    said: Sequence[str], meant: Sequence[str], others: Collection[str], rank: Rank
) -> list[Slip] | None:
    """What is misspelled when these are the same words; nothing if they are not.

    `others` are words that are no slip in any case: they belong to something else.
    """
    if len(said) != len(meant):
        ours, theirs = "".join(said), "".join(meant)
        near = _near(ours, theirs) and abs(len(said) - len(meant)) == 1
        return [Slip(" ".join(said), " ".join(meant), "typo")] if near and len(ours) > 5 else None
    found = []
    for ours, theirs in zip(said, meant, strict=True):
        if ours == theirs:
            continue
        kind = _kind(ours, theirs, others, rank)
        if kind is None:
            return None
        found.append(Slip(ours, theirs, kind))
    return found if len(found) <= max(1, len(meant) // 2) or _only(found, "accent") else None


def _only(found: Sequence[Slip], kind: str) -> bool:
    return all(slip.kind == kind for slip in found)


def _kind(said: str, meant: str, others: Collection[str], rank: Rank) -> str | None:
    if folded(said) == folded(meant):
        return "accent"
    if said in others or any(sign.isdigit() for sign in said + meant):
        return None
    if min(len(said), len(meant)) > 2 and stem(said) == stem(meant):
        return "form"
    if _is_word(said, rank):
        return None
    if _root(said) == _root(meant) and not _is_word(meant, rank):
        return "affix"
    return "typo" if _near(folded(said), folded(meant)) else None


def _is_word(word: str, rank: Rank) -> bool:
    place = rank(folded(word))
    return place is not None and place < _COMMON


def _near(said: str, meant: str) -> bool:
    shorter = min(len(said), len(meant))
    allowed = 0 if shorter < 4 else 1 if shorter < 8 else 2 if shorter < 13 else 3
    return OSA.distance(said, meant, score_cutoff=allowed) <= allowed


def _root(word: str) -> str:
    """A Malay word without its first prefix and last suffix, if enough is left."""
    for prefix in _PREFIXES:
        if word.startswith(prefix) and len(word) - len(prefix) >= 4:
            word = word[len(prefix) :]
            break
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 4:
            return word[: -len(suffix)]
    return word
