"""Brings forms of one English word together: irregular forms by list, the others by their endings.

The rules are Porter's (1980), without his last two steps for very long words: answers of learners
are compared with one another, so it matters that two forms meet, not what the stem looks like.
"""

import re

_VOWEL = re.compile(r"[aeiou]|(?<=[^aeiou])y")
_MEASURE = re.compile(r"(?:[aeiouy]+[^aeiouy]+)")
_SUFFIXES = (  # the longest first
    ("ational", "ate"),
    ("ization", "ize"),
    ("isation", "ize"),
    ("fulness", "ful"),
    ("iveness", "ive"),
    ("ousness", "ous"),
    ("tional", "tion"),
    ("biliti", "ble"),
    ("ically", "ic"),
    ("ation", "ate"),
    ("ment", ""),
    ("ness", ""),
    ("alli", "al"),
    ("able", ""),
    ("ible", ""),
    ("ance", ""),
    ("ence", ""),
    ("ical", "ic"),
    ("icit", "ic"),
    ("ful", ""),
    ("ive", ""),
    ("ize", ""),
    ("ise", ""),
    ("ate", ""),
    ("ant", ""),
    ("ent", ""),
    ("ion", ""),
    ("ous", ""),
    ("est", ""),
    ("ity", ""),
    ("iti", ""),
    ("al", ""),
    ("er", ""),
    ("or", ""),
    ("ic", ""),
    ("li", ""),
)


def stem(word: str) -> str:
    """What is left of a word without its endings; short words stay as they are."""
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    word = _without_y(_without_past(_without_plural(word)))
    for _ in range(2):
        word = _without_suffix(word)
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def _measure(word: str) -> int:
    return len(_MEASURE.findall(word))


def _without_plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return f"{word[:-3]}i" if len(word) > 4 else word[:-1]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        start = word.removesuffix(ending)
        if start != word and len(start) > 1 and _VOWEL.search(start):
            return _repaired(start)
    return word


def _repaired(start: str) -> str:
    """The plain form behind `hopp(ing)`, `creat(ed)`, `us(ed)`."""
    if start.endswith(("at", "bl", "iz")):
        return f"{start}e"
    if len(start) > 2 and start[-1] == start[-2] and start[-1] not in "lsz":
        return start[:-1]
    return start


def _without_y(word: str) -> str:
    return f"{word[:-1]}i" if word.endswith("y") and _VOWEL.search(word[:-1]) else word


def _without_suffix(word: str) -> str:
    for suffix, instead in _SUFFIXES:
        if word.endswith(suffix):
            start = word[: -len(suffix)]
            enough = 0 if instead else 1
            return start + instead if len(start) > 2 and _measure(start) > enough else word
    return word
