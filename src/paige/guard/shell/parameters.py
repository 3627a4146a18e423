"""What `${name…}` becomes, where the value is known. Built-in modules only."""

from paige.guard.shell.script import UNKNOWN

_TRIMS = ("##", "#", "%%", "%")


def expanded(value: str, rest: str) -> str:
    """A value after the operation behind its name (`${name%.txt}`, `${name:1:2}`)."""
    if UNKNOWN in value:
        return UNKNOWN
    for mark in _TRIMS:
        if rest.startswith(mark):
            return _trimmed(value, _bare(rest[len(mark) :]), mark)
    if rest.startswith("/"):
        return _replaced(value, rest[1:])
    if rest[:1] in ("^", ","):
        return _cased(value, rest)
    if rest.startswith(":"):
        return _sliced(value, rest[1:])
    return UNKNOWN


def _bare(text: str) -> str:
    return text.replace('"', "").replace("'", "")


def _simple_pattern(pattern: str) -> bool:
    return not any(sign in pattern for sign in "?[\\$`(")


def _trimmed(value: str, pattern: str, mark: str) -> str:
    """A value without what fits a pattern at its start (`#`) or its end (`%`)."""
    if not _simple_pattern(pattern):
        return UNKNOWN
    if "*" not in pattern:
        if mark[0] == "#":
            return value.removeprefix(pattern)
        return value.removesuffix(pattern)
    if pattern.count("*") > 1:
        return UNKNOWN
    before, _, after = pattern.partition("*")
    if mark[0] == "#" and not before and after:
        _, found, kept = value.rpartition(after) if mark == "##" else value.partition(after)
        return kept if found else value
    if mark[0] == "%" and not after and before:
        kept, found, _ = value.partition(before) if mark == "%%" else value.rpartition(before)
        return kept if found else value
    return UNKNOWN


def _replaced(value: str, rest: str) -> str:
    every = rest.startswith("/")
    old, _, new = rest[every:].partition("/")
    old, new = _bare(old), _bare(new)
    if not old or "*" in old or not _simple_pattern(old) or "$" in new or "`" in new:
        return UNKNOWN
    if old[0] in "#%" and not every:
        return UNKNOWN
    return value.replace(old, new) if every else value.replace(old, new, 1)


def _cased(value: str, rest: str) -> str:
    change = str.upper if rest[0] == "^" else str.lower
    if rest in ("^^", ",,"):
        return change(value)
    return change(value[:1]) + value[1:] if rest in ("^", ",") else UNKNOWN


def _sliced(value: str, rest: str) -> str:
    start, _, length = rest.partition(":")
    begin = _number(start)
    if begin is None:
        return UNKNOWN
    kept = value[begin:] if begin >= 0 else value[max(0, len(value) + begin) :]
    if not length:
        return kept
    count = _number(length)
    return UNKNOWN if count is None else kept[:count]


def _number(text: str) -> int | None:
    text = text.strip().strip("()").strip()
    digits = text.removeprefix("-")
    return int(text) if digits.isdecimal() and len(digits) < 6 else None
