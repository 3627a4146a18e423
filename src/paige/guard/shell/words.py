"""Commands that are nothing but words: the strict tokenizer of the fast path.

It takes what every shell reads alike: words of plain signs, `'…'` and `"…"` without anything that
is expanded. Everything else (variables, globs, pipes, redirections, comments, escapes, a word that
a shell reads as more than a word) is not for it, and `None` says so. Built-in modules only.
"""

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_^")
_IN_DOUBLE = frozenset('"$`\\!\n\r\0')
_IN_SINGLE = frozenset("'\n\r\0")
_MOST_SIGNS = 2000
# A shell reads these as more than a word when they come first.
_RESERVED = frozenset(
    ("if", "then", "else", "elif", "fi", "do", "done", "case", "esac", "while", "until", "for",
     "in", "function", "select", "time", "coproc", "{", "}", "!", "[[", "]]")
)  # fmt: skip


def plain_words(command: str) -> list[str] | None:
    """The words of a plain command; `None` when it needs a real parser."""
    if len(command) > _MOST_SIGNS or not command.isascii():
        return None
    words: list[str] = []
    at, end = 0, len(command)
    while at < end:
        if command[at] in " \t":
            at += 1
            continue
        read = _word(command, at, end)
        if read is None:
            return None
        word, at = read
        words.append(word)
    return words if words and _is_command(words[0], command.lstrip(" \t")) else None


def _is_command(first: str, command: str) -> bool:
    """Whether the first word is the name of a command: no assignment, no word of the grammar."""
    return bool(first) and first not in _RESERVED and "=" not in first and command[0] not in "'\""


def _word(command: str, at: int, end: int) -> tuple[str, int] | None:
    parts: list[str] = []
    while at < end:
        sign = command[at]
        if sign in " \t":
            break
        if sign in _PLAIN:
            start = at
            while at < end and command[at] in _PLAIN:
                at += 1
            parts.append(command[start:at])
        elif sign in "'\"":
            close = command.find(sign, at + 1)
            inside = command[at + 1 : close]
            forbidden = _IN_SINGLE if sign == "'" else _IN_DOUBLE
            if close < 0 or not forbidden.isdisjoint(inside):
                return None
            parts.append(inside)
            at = close + 1
        else:
            return None
    return "".join(parts), at
