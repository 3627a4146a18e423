"""The word lists behind the anonymisation gate, read once when they are first needed.

All entries are folded: lower case, without accents. `also_words` are the names that are ordinary
words or places too; `figures` are people and characters who are taught about; `terms` are other
things that look like names. Phrases of several words are kept by their first word. `verbs` holds
every form of what people do.

A given name may be something else as well: a place or a month, a substance, something to do, a
quality. That decides how much the words around prove. A thing that can be counted needs `the` or
`a` in front of it, so `Daisy drew` is a person, while `Hope springs` and `India gained` need more
than a verb.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from paige.base.paths import shipped
from paige.language.words import fold

Phrases = dict[str, tuple[tuple[str, ...], ...]]
Kind = Literal["thing", "stuff", "deed", "quality", "place", "unknown"]
"""`unknown` is a word that no list has: a product, a place or a name."""


class Form(NamedTuple):
    """One form of a verb: `plays` is now and a noun as well, `put` is past and base at once."""

    tense: Literal["base", "now", "past"]
    noun: bool  # with an `s` it is a noun in the plural too
    thing: bool  # things do it as well
    state: bool  # countries and clubs do it as well
    base: bool = False

    @property
    def same(self) -> bool:
        """Whether the past looks like the base."""
        return self.base and self.tense == "past"


class Lists(NamedTuple):
    """What the gate knows about words."""

    given: frozenset[str]
    surnames: frozenset[str]
    also_words: frozenset[str]
    words: frozenset[str]
    terms: frozenset[str]
    figures: frozenset[str]  # single words that stand for a person who is taught
    phrases: Phrases
    verbs: Mapping[str, Form]


@cache
def cue(name: str) -> frozenset[str]:
    """The words of a list of `cues.toml`, such as `roles`: what they tell of a name beside them."""
    return _cues()[name]


@cache
def _cues() -> Mapping[str, frozenset[str]]:
    text = (shipped("language/names") / "cues.toml").read_text("utf-8")
    return {name: frozenset(words.split()) for name, words in tomllib.loads(text).items()}


@lru_cache(maxsize=1)
def lists() -> Lists:
    """All lists."""
    folder = shipped("language/names")
    terms = [fold(line) for line in _lines(folder / "terms.txt")]
    people = list(_lines(folder / "figures.txt"))
    alone = {fold(word[1:]) for line in people for word in line.split() if word.startswith("*")} | {
        fold(line) for line in people if " " not in line and "*" not in line
    }
    phrases = [each for each in terms if " " in each]
    phrases += [fold(line.replace("*", "")) for line in people if " " in line]
    return Lists(
        given=frozenset(_lines(folder / "given.txt")),
        surnames=frozenset(_lines(folder / "surnames.txt")),
        also_words=frozenset(_lines(folder / "also_words.txt")),
        words=frozenset(_lines(folder / "words.txt")),
        terms=frozenset(each for each in terms if " " not in each),
        figures=frozenset(alone),
        phrases=_by_first_word(phrases),
        verbs=_forms(_lines(folder / "verbs.txt")),
    )


def _by_first_word(phrases: list[str]) -> Phrases:
    found: dict[str, list[tuple[str, ...]]] = {}
    for phrase in phrases:
        words = tuple(word.strip(".()!,") for word in phrase.split())
        words = tuple(word for word in words if word)
        found.setdefault(words[0], []).append(words)
    # The longest first, so that a part never hides the whole.
    return {first: tuple(sorted(each, key=len, reverse=True)) for first, each in found.items()}


def _forms(rows: Iterable[str]) -> dict[str, Form]:
    """Every form of every verb: `draw drew drawn =` has six words in three tenses."""
    found: dict[str, Form] = {}
    for row in rows:
        parts = row.split()
        marks = parts.pop() if parts[-1][0] in "=~^" else ""
        noun, thing, state = "=" in marks, "~" in marks, "^" in marks
        verb, past = parts[0], parts[1:] or [_past(parts[0])]
        found[verb] = Form("base", noun, thing, state, base=True)
        found[_now(verb)] = Form("now", noun, thing, state)
        for each in past:
            found[each] = Form("past", noun, thing, state, base=each == verb)
    return found


def _now(verb: str) -> str:
    if verb.endswith("y") and verb[-2] not in "aeou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else f"{verb}s"


def _past(verb: str) -> str:
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y") and verb[-2] not in "aeou":
        return f"{verb[:-1]}ied"
    short = len(verb) >= 3 and verb[-1] in "bdgklmnprt" and verb[-2] in "aeiou"
    doubled = short and verb[-3] not in "aeiou" and (len(verb) < 5 or verb in cue("doubling"))
    return f"{verb}{verb[-1]}ed" if doubled else f"{verb}ed"


def _lines(path: Path) -> Iterator[str]:
    for line in path.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.strip()


def kind_of(low: str) -> Kind:
    """What a word is when it is not a name."""
    known = lists()
    if (low in known.terms or low in known.figures) and low not in cue("no_places"):
        return "place"
    if low in cue("deeds"):
        return "deed"
    if low in cue("qualities"):
        return "quality"
    return "stuff" if low in cue("stuff") else "thing"
