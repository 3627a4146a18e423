"""How long a starter should be, as a sentence says it: `Starters of five minutes work better`."""

import re

SHORT = 5
_WORDS = {
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "ten": 10,
    "twelve": 12,
    "fifteen": 15,
}
_STARTER = re.compile(r"\bstarters?\b", re.I)
_MINUTES = re.compile(rf"\b(\d{{1,2}}|{'|'.join(_WORDS)})[\s-]*min", re.I)
_SHORTER = re.compile(r"\b(?:short(?:er)?|brief(?:er)?|quick(?:er)?|too long)\b", re.I)
_LONGER = re.compile(r"\b(?:longer|more time|too short)\b", re.I)


def starter_minutes(text: str) -> int | None:
    """The minutes that a sentence about starters names, or nothing."""
    if not _STARTER.search(text):
        return None
    minutes = [_WORDS.get(found.lower()) or int(found) for found in _MINUTES.findall(text)]
    if minutes:
        return max(minutes) if _LONGER.search(text) else min(minutes)
    return SHORT if _SHORTER.search(text) else None
