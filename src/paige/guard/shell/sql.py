"""Whether SQL given to a client only reads.

What can write, run or change is looked for in the words of every statement; what is not understood
does not count as reading. It decides only what may be allowed, so that a miss costs a question.
Built-in modules only.
"""

from paige.guard.fast.jsonic import lists_of
from paige.guard.shell.script import UNKNOWN

_LISTS = lists_of("sql")
_READING = frozenset(_LISTS["reading"])
# What a `pragma` may ask for.
_PRAGMAS = frozenset(_LISTS["pragmas"])
# Functions that write, read files, wait or reach another server.
_REACHING = tuple(_LISTS["reaching"])
_BAD = frozenset(_LISTS["bad"])


def sql_is_plain(text: str) -> bool:
    """SQL whose every statement only reads."""
    if UNKNOWN in text or "/*!" in text:  # MySQL runs what stands in such a comment
        return False
    statements = [each.strip() for each in _without_strings(text).split(";")]
    kept = [each for each in statements if each]
    return bool(kept) and all(_reads(each) for each in kept)


def _reads(statement: str) -> bool:
    """Whether one statement only reads."""
    first, _, rest = statement.partition(" ")
    first = first.strip("()\n")
    words = _words(statement)
    if not words or not _BAD.isdisjoint(words):
        return False
    if first not in _READING and not (first[:2] == "\\d" and first != "\\do"):
        return False
    if "\\" in rest or any(each.startswith(_REACHING) for each in words):
        return False
    if first == "pragma":
        asked = rest.strip().partition("(")[0].split(".")[-1].strip()
        return asked in _PRAGMAS and "=" not in rest
    return True


def _without_strings(text: str) -> str:
    """SQL in lower case without texts and comments."""
    made: list[str] = []
    at, low = 0, text.lower()
    while at < len(low):
        if low[at] in "'\"":
            close = low.find(low[at], at + 1)
            made.append(" text ")
            at = len(low) if close < 0 else close + 1
        elif low.startswith("--", at):
            found = low.find("\n", at)
            at = len(low) if found < 0 else found
        elif low.startswith("/*", at):
            close = low.find("*/", at)
            at = len(low) if close < 0 else close + 2
        else:
            made.append(low[at])
            at += 1
    return "".join(made)


def _words(text: str) -> set[str]:
    made = "".join(sign if sign.isalnum() or sign == "_" else " " for sign in text)
    return set(made.split())
