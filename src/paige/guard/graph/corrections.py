"""Tells whether a person's prompt corrects what an agent has just done.

It is a pure function of the prompt and of what came before it. The words are data in English,
German and Japanese. A correction that is missed costs little: the person says it again. One that is
imagined teaches something false, so whatever may be an ordinary next request counts as one.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from paige.guard.completion.layered import read_layered
from paige.guard.fast.place import Place
from paige.language.words import sentences

FILE = "corrections.toml"
# What a project says about its people's words would be a way to hide corrections.
PERSONAL = (
    "confidence", "strong", "refused", "pointed", "ordinary", "reference", "interrupted",
    "repeated", "going_on",
)  # fmt: skip
MOST_LOOKED_AT = 400
Sign = Literal["strong", "refused", "pointed", "interrupted", "repeated"]
_WORD = re.compile(r"[^\W_]+(?:[._/-][^\W_]+)*")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "´": "'", "`": "", "“": '"', "”": '"'})  # noqa: RUF001
_CUT = ",.!;:-–—…\n、。！"  # noqa: RUF001 - what may stand behind a refusal
_LEAST_SHARED = 4
_POINTED = 3  # what was done before that is not pointed at any more
_COMMON = frozenset(
    ("with", "from", "this", "that", "test", "tests", "file", "files", "code", "main", "python")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One thing that was done: what it was about, whether it only looked, whether it was cut."""

    about: str
    looked: bool = False
    interrupted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What came before a prompt: what was done since the one before it, that one, and a question.

    `asked` says that the agent's last words were a question.
    """

    did: tuple[Deed, ...] = ()
    prompt: str = ""
    asked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """That a prompt corrects something: how sure that is, by which sign, and which of the deeds."""

    confidence: float
    sign: Sign
    about: int


@dataclass(frozen=True, slots=True)
class Words:
    """The table of words."""

    confidence: Mapping[str, float]
    strong: Mapping[str, Sequence[str]]
    refused: Sequence[str]
    pointed: Sequence[str]
    ordinary: Sequence[str]
    reference: Sequence[str]
    interrupted: Sequence[str]
    repeated: Mapping[str, Any]
    going_on: frozenset[str]


def read_words(place: Place) -> Words:
    """The words as shipped, with what a person changed. Raises: BadInput."""
    return _words(read_layered(FILE, place, personal=PERSONAL))


@cache
def shipped_words() -> Words:
    """The words as they are shipped, with a person's own where there is a home."""
    return read_words(Place("", "", "", "", False))


def is_interruption(error: str, words: Words) -> bool:
    """Whether an error says that a person stopped the call."""
    said = error[:MOST_LOOKED_AT].casefold().translate(_QUOTES)
    return any(each in said for each in words.interrupted)


def correction_in(prompt: str, before: Before, words: Words) -> Correction | None:
    """What a prompt corrects; nothing for an ordinary one, and nothing where nothing was done."""
    said = _plain(prompt)
    if not before.did or not said or said[0] in "/<#!":
        return None
    if said.rstrip(".!。 ") in words.going_on or _begins(said, words.ordinary):
        return None
    sign = _sign(said, before, words)
    if sign is None:
        return None
    about = _about(said, before.did, cut=sign == "interrupted")
    sure = float(words.confidence[sign])
    if all(each.looked for each in before.did) and sign != "strong":
        sure *= float(words.confidence["only_read"])
    if sure < float(words.confidence["least"]):
        return None
    return Correction(confidence=round(sure, 3), sign=sign, about=about)


def _sign(said: str, before: Before, words: Words) -> Sign | None:
    first = " ".join(sentences(said)[:2])
    if _is_strong(said, first, words):
        return "strong"
    if _refuses(said, words) and not before.asked:
        return "refused"
    if _begins(said, words.pointed) and _points(first, before.did, words):
        return "pointed"
    if before.did[-1].interrupted:
        return "interrupted"
    return "repeated" if _repeats(said, before.prompt, words) else None


def _is_strong(said: str, first: str, words: Words) -> bool:
    strong = words.strong
    return (
        said.rstrip(".!。 ") in strong["whole"]
        or _begins(said, strong["begins"])
        or any(_holds(first, each) for each in strong["anywhere"])
    )


def _refuses(said: str, words: Words) -> bool:
    for each in words.refused:
        rest = said[len(each) :].lstrip(" ") if said.startswith(each) else None
        if rest is not None and (not rest or rest[0] in _CUT):
            return True
    return False


def _points(first: str, did: Sequence[Deed], words: Words) -> bool:
    """Whether a sentence names what was done last, or points at it and nothing else."""
    if any(_names(first) & _names(each.about) for each in did[-_POINTED:]):
        return True
    # "Don't do it that way" points; "don't add it to the list before you have asked" tells.
    short = len(_WORD.findall(first)) <= 5
    return short and any(_holds(first, each) for each in words.reference)


def _repeats(said: str, earlier: str, words: Words) -> bool:
    now, then = _WORD.findall(said), _WORD.findall(_plain(earlier))
    if len(now) < int(words.repeated["least_words"]) or not then:
        return False
    if _begins(said, words.repeated["ordinary"]):
        return False
    both, either = set(now) & set(then), set(now) | set(then)
    return len(both) / len(either) >= float(words.repeated["share"])


def _about(said: str, did: Sequence[Deed], *, cut: bool) -> int:
    """Which of the deeds is meant: the one that is named, else the last that changed something."""
    if cut:
        return len(did) - 1
    named = _names(said)
    shared = [len(named & _names(each.about)) for each in did]
    best = max(shared)
    if best:
        return len(shared) - 1 - shared[::-1].index(best)
    changed = [number for number, each in enumerate(did) if not each.looked]
    return changed[-1] if changed else len(did) - 1


def _names(text: str) -> frozenset[str]:
    """The words that name something: files, programs, options; common ones name nothing."""
    found: set[str] = set()
    for word in _WORD.findall(text.casefold()):
        parts = (word, word.rpartition("/")[2], *re.split(r"[._/-]", word))
        found.update(part for part in parts if len(part) >= _LEAST_SHARED and part not in _COMMON)
    return frozenset(found)


def _plain(prompt: str) -> str:
    said = prompt[:MOST_LOOKED_AT].casefold().translate(_QUOTES)
    return re.sub(r"[ \t\r\f\v]+", " ", said).strip()


def _begins(said: str, phrases: Sequence[str]) -> bool:
    return any(said.startswith(each) and _ends(said, len(each)) for each in phrases)


def _holds(said: str, phrase: str) -> bool:
    at = said.find(phrase)
    while at >= 0:
        if (at == 0 or not _letter(said[at - 1]) or not phrase[0].isascii()) and _ends(
            said, at + len(phrase)
        ):
            return True
        at = said.find(phrase, at + 1)
    return False


def _ends(said: str, at: int) -> bool:
    """Whether a word ends here; where words are not parted by spaces, anywhere."""
    if at >= len(said) or not _letter(said[at - 1]):
        return True
    return not said[at - 1].isascii() or not _letter(said[at])


def _letter(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _words(tables: Mapping[str, Any]) -> Words:
    return Words(
        confidence=tables["confidence"],
        strong=tables["strong"],
        refused=tables["refused"]["begins"],
        pointed=tables["pointed"]["begins"],
        ordinary=tables["ordinary"]["begins"],
        reference=tables["reference"]["words"],
        interrupted=tables["interrupted"]["errors"],
        repeated=tables["repeated"],
        going_on=frozenset(tables["going_on"]["whole"]),
    )
