"""What words become before a command runs: quotes, escapes, braces, splitting.

Built-in modules only.
"""

from paige.guard.shell.script import UNKNOWN

SPLIT = "\x02"  # a space that splits a word
OPEN = "\x03"  # an unquoted brace
CLOSE = "\x04"
_MOST_FIELDS = 64
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
    made = []
    at, end = 0, len(text)
    while at < end:
        sign = text[at]
        if sign == "\\" and at + 1 < end:
            at += 1
            if text[at] != "\n":
                made.append(text[at])
        elif sign == "{":
            made.append(OPEN)
        elif sign == "}":
            made.append(CLOSE)
        elif sign != "\\":
            made.append(sign)
        at += 1
    return "".join(made)


def double_quoted(text: str) -> str:
    """The text between double quotes, where few signs can be escaped."""
    if "\\" not in text:
        return text
    made = []
    at, end = 0, len(text)
    while at < end:
        sign = text[at]
        if sign == "\\" and at + 1 < end and text[at + 1] in '"\\$`\n':
            at += 1
            if text[at] != "\n":
                made.append(text[at])
        else:
            made.append(sign)
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
    """Every word that braces with commas make of one."""
    start = word.find(OPEN)
    while start >= 0:
        parts, end = _alternatives(word, start)
        if len(parts) > 1:
            made = []
            for part in parts:
                for rest in _braces(word[:start] + part + word[end + 1 :]):
                    made.append(rest)
                    if len(made) > _MOST_FIELDS:
                        return [UNKNOWN]
            return made
        start = word.find(OPEN, start + 1)
    return [word]


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


def _run(text: str, start: int, most: int, allowed: str) -> str:
    end = start
    while end < len(text) and end - start < most and text[end] in allowed:
        end += 1
    return text[start:end]
