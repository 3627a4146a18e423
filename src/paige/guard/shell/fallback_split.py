"""A rough second reading of a text that the parser could not make sense of.

It cuts the text at everything that ends a command, outside quotes, and gives the pieces back, so
that each can be read by itself. What is found this way may only add to what is forbidden: a text
with an error in it is never allowed. Built-in modules only.
"""

_MOST_PIECES = 60
_LONGEST_PIECE = 2000
_ENDS = frozenset(";&|()\n`")
# Words of the grammar that may stand before a command.
_BEFORE = ("if", "then", "else", "elif", "do", "while", "until", "{", "}", "!", "time")


def pieces(command: str) -> list[str]:
    """The pieces of a broken text that may be commands."""
    found: list[str] = []
    for piece in cut(_without_bodies(command)):
        words = piece.strip()
        first, _, rest = words.partition(" ")
        while first in _BEFORE and rest:
            words = rest.strip()
            first, _, rest = words.partition(" ")
        if words and words != command and len(words) <= _LONGEST_PIECE:
            found.append(words)
    return found[:_MOST_PIECES]


def is_closed(command: str) -> bool:
    """Whether every quote closes: of a text where one does not, nobody knows what it says."""
    text = _without_bodies(command)
    at = 0
    while at < len(text):
        sign = text[at]
        if sign == "\\":
            at += 2
            continue
        if sign in "'\"":
            at = _close(text, at)
            if at < 0:
                return False
        at += 1
    return True


def cut(text: str) -> list[str]:
    """A text cut at what ends a command; a quote that is never closed is a sign like others."""
    made: list[str] = []
    start = at = 0
    while at < len(text):
        sign = text[at]
        if sign == "\\":
            at += 2
            continue
        if sign in "'\"":
            close = _close(text, at)
            at = close + 1 if close > 0 else at + 1
            continue
        if sign in _ENDS:
            made.append(text[start:at])
            start = at + 1
        at += 1
    made.append(text[start:])
    return made


def _close(text: str, at: int) -> int:
    """Where a quote closes; below 0 when it never does."""
    quote = text[at]
    end = text.find(quote, at + 1)
    while quote == '"' and end > 0 and text[end - 1] == "\\":
        end = text.find(quote, end + 1)
    return end


def _without_bodies(command: str) -> str:
    """A text without the lines of its heredocs, which are data."""
    if "<<" not in command:
        return command
    kept: list[str] = []
    ends: list[str] = []
    for line in command.split("\n"):
        if ends:
            if line.strip() == ends[0]:
                ends.pop(0)
            continue
        kept.append(line)
        for part in line.split("<<")[1:]:
            name = part.lstrip("-").strip().split(" ")[0].strip("'\"\\;|&)")
            if name and part[:1] != "<":
                ends.append(name)
    return "\n".join(kept)
