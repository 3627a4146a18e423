"""What words become before a command runs: quotes, escapes, braces, splitting.

Built-in modules only.
"""

from paige.guard.shell.script import UNKNOWN

SPLIT = "\x02"  # a space that splits a word
OPEN = "\x03"  # an unquoted brace
CLOSE = "\x04"
_MOST_FIELDS = 64
_MOST_STEPS = 200
_LONGEST = 2000  # a longer word with braces is not taken apart
_ESCAPES = {
    "n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f",
    "v": "\v", "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_DIGITS = {"x": (2, 16), "u": (4, 16), "U": (8, 16)}
_HEX = "0123456789abcdefABCDEF"


def unquoted(text: str) -> str:
    """The text of a word without quotes: escapes taken away, braces marked."""
    if "\\" not in text and "{" not in text and "}" not in text:
        return text
    return _unescaped(text, "", {"{": OPEN, "}": CLOSE})


def double_quoted(text: str) -> str:
    """The text between double quotes, where few signs can be escaped."""
    return _unescaped(text, '"\\$`\n', {}) if "\\" in text else text


def _unescaped(text: str, escapable: str, marks: dict[str, str]) -> str:
    """A text without its escapes; without a list of them, every sign can be escaped."""
    made = []
    at, end = 0, len(text)
    while at < end:
        sign = text[at]
        if sign == "\\" and at + 1 < end and (not escapable or text[at + 1] in escapable):
            at += 1
            if text[at] != "\n":
                made.append(text[at])
        elif sign != "\\" or escapable:
            made.append(marks.get(sign, sign))
        at += 1
    return "".join(made)


def ansi_quoted(text: str) -> str:
    """The text between `$'` and `'`."""
    made = []
    at, end = 0, len(text)
    while at < end:
        if text[at] != "\\" or at + 1 >= end:
            made.append(text[at])
            at += 1
            continue
        sign = text[at + 1]
        if sign in _ESCAPES:
            made.append(_ESCAPES[sign])
            at += 2
        elif sign in _DIGITS:
            most, base = _DIGITS[sign]
            digits = _run(text, at + 2, most, _HEX)
            made.append(chr(int(digits, base) % 0x110000) if digits else "\\" + sign)
            at += 2 + len(digits)
        elif sign in "01234567":
            digits = _run(text, at + 1, 3, "01234567")
            made.append(chr(int(digits, 8) & 0xFF))
            at += 1 + len(digits)
        elif sign == "c" and at + 2 < end:
            made.append(chr(ord(text[at + 2].upper()) & 0x1F))
            at += 3
        else:
            made.append("\\" + sign)
            at += 2
    return "".join(made).replace(UNKNOWN, "")


def fields_of(word: str) -> list[str]:
    """The words that a word with marks becomes."""
    if OPEN in word or CLOSE in word:
        words = [each.replace(OPEN, "{").replace(CLOSE, "}") for each in _braces(word)]
    else:
        words = [word]
    if SPLIT not in word:
        return words
    return [part for each in words for part in each.split(SPLIT) if part]


def splitting(value: str) -> str:
    """A value that is put in without quotes: its spaces split the word."""
    if " " in value or "\t" in value or "\n" in value:
        return value.replace(" ", SPLIT).replace("\t", SPLIT).replace("\n", SPLIT)
    return value


def _braces(word: str) -> list[str]:
    """Every word that braces make of one, in order; something unknown when there are too many."""
    if len(word) > _LONGEST:
        return [UNKNOWN]
    made: list[str] = []
    waiting = [(word, 0)]
    for _ in range(_MOST_STEPS):
        if not waiting:
            return made
        each, start = waiting.pop()
        start = each.find(OPEN, start)
        if start < 0:
            made.append(each)
            if len(made) > _MOST_FIELDS:
                break
            continue
        parts, end = _alternatives(each, start)
        if len(parts) == 1:
            parts = _sequence(parts[0])
        if not parts:
            waiting.append((each, start + 1))
        for part in reversed(parts):
            waiting.append((each[:start] + part + each[end + 1 :], start))
    return [UNKNOWN]


def _alternatives(word: str, start: int) -> tuple[list[str], int]:
    depth, begun = 0, start + 1
    parts: list[str] = []
    for at in range(start, len(word)):
        sign = word[at]
        if sign == OPEN:
            depth += 1
        elif sign == CLOSE:
            depth -= 1
            if depth == 0:
                parts.append(word[begun:at])
                return parts, at
        elif sign == "," and depth == 1:
            parts.append(word[begun:at])
            begun = at + 1
    return [], start


def _sequence(text: str) -> list[str]:
    """The words of `1..3` or `a..c`; none when it is no sequence."""
    ends = text.split("..")
    if len(ends) not in (2, 3):
        return []
    first, last = ends[0], ends[1]
    step = abs(_whole(ends[2]) or 1) if len(ends) == 3 else 1
    if len(first) == len(last) == 1 and first.isalpha() and last.isalpha():
        return [chr(each) for each in _counted(ord(first), ord(last), step)]
    start, end = _whole(first), _whole(last)
    if start is None or end is None:
        return []
    return [str(each) for each in _counted(start, end, step)]


def _counted(start: int, end: int, step: int) -> list[int]:
    way = step if end >= start else -step
    return list(range(start, end + (1 if way > 0 else -1), way)[: _MOST_FIELDS + 2])


def _whole(text: str) -> int | None:
    digits = text.removeprefix("-")
    return int(text) if digits.isdecimal() and digits.isascii() and len(digits) < 7 else None


def _run(text: str, start: int, most: int, allowed: str) -> str:
    end = start
    while end < len(text) and end - start < most and text[end] in allowed:
        end += 1
    return text[start:end]
