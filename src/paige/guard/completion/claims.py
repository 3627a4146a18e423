"""Whether an agent says that its work is done.

A marker on a line of its own is the clear way to say it. Without one the last sentences are read:
a sentence has to say it plainly, without a condition, a denial or a question, and nothing after it
may say that something is left. Missing a claim costs little; taking "almost done" for one costs a
person's patience, so in doubt there is none. Code and quotations are not read at all.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from paige.base.errors import BadInput
from paige.language.patterns import LinearPattern
from paige.language.words import sentences

MOST_SIGNS = 6000
_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*$|\Z)", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"`[^`\n]*`")
_QUOTED = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_SAID = re.compile(r"\"[^\"\n]*\"|\u201c[^\u201d\n]*\u201d|「[^」\n]*」|『[^』\n]*』")
_ORNAMENT = re.compile(r"^[\s#*_\-•>✅☑✔🎉️]+|[\s*_]+$")
_LISTED = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])\s")
_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


class Claim(NamedTuple):
    """That something is said to be done: how, and in which words."""

    by: Literal["marker", "keyword"]
    words: str


@dataclass(frozen=True, slots=True)
class Words:
    """What says that work is done, and what takes it back, in the languages that are known."""

    markers: tuple[str, ...]
    sentences: int
    english: LinearPattern
    english_not: LinearPattern
    english_left: LinearPattern
    japanese: LinearPattern
    japanese_not: LinearPattern
    japanese_left: LinearPattern


def read_words(table: Mapping[str, Any]) -> Words:
    """The words of a table. Raises: BadInput for an expression that cannot be read."""
    names = [each for each in Words.__slots__ if each not in ("markers", "sentences")]
    found = {name: _joined(tuple(table[name]), name) for name in names}
    return Words(tuple(table["markers"]), int(table["sentences"]), **found)


def find_claim(text: str, words: Words) -> Claim | None:
    """The claim at the end of an answer, if there is one."""
    plain = _QUOTED.sub("", _FENCE.sub("", text[-MOST_SIGNS:]))
    marker = _marker(plain, words.markers)
    if marker is not None:
        return Claim("marker", marker)
    said = _SAID.sub(" … ", _CODE.sub("x", plain))
    ending = _ending(said, words.sentences)
    for place in range(len(ending) - 1, -1, -1):
        if _claims(ending[place], words):
            after = ending[place:]
            if any(_left(each, words) for each in after):
                return None
            return Claim("keyword", ending[place][:200])
    return None


def _ending(text: str, most: int) -> list[str]:
    """The last sentences; entries of a list come along and do not count."""
    found: list[str] = []
    for line in reversed(text.splitlines()):
        listed = _LISTED.match(line) is not None
        for sentence in reversed(sentences(line)):
            bare = _bare(sentence)
            if bare and not listed:
                most -= 1
            if most < 0:
                return found[::-1]
            found += [bare] if bare else []
    return found[::-1]


def _marker(text: str, markers: Sequence[str]) -> str | None:
    for line in reversed(text.splitlines()):
        bare = _bare(line)
        for marker in markers:
            rest = bare[len(marker) :]
            if bare.startswith(marker) and not (rest[:1].isalnum() or "?" in rest):
                return bare[:200]
    return None


def _claims(sentence: str, words: Words) -> bool:
    if sentence.endswith(("?", "\uff1f")):
        return False
    if _JAPANESE.search(sentence):
        plain, denied = words.japanese, words.japanese_not
    else:
        plain, denied = words.english, words.english_not
    bare = sentence.rstrip(".!。\uff01").casefold()
    return plain.matches(bare) and not denied.matches(bare)


def _left(sentence: str, words: Words) -> bool:
    bare = sentence.casefold()
    return words.english_left.matches(bare) or words.japanese_left.matches(bare)


def _bare(line: str) -> str:
    return _ORNAMENT.sub("", line).strip()


@lru_cache(maxsize=16)
def _joined(expressions: tuple[str, ...], name: str) -> LinearPattern:
    # An empty list matches nothing: no sign can be none of those there are.
    joined = "|".join(f"(?:{each})" for each in expressions) or r"[^\x00-\x{10FFFF}]"
    try:
        return LinearPattern(joined)
    except BadInput as error:
        raise BadInput(f"`claims.{name}`: {error.message}", hint=error.hint) from None
