"""What is said of a command before it is parsed: what is refused, what is nothing but words.

Plain words are what every shell reads alike: words of plain signs, `'…'` and `"…"` without anything
that is expanded. Everything else (variables, globs, pipes, redirections, comments, escapes, a word
that a shell reads as more than a word) needs the parser. Built-in modules only.
"""

MOST_SIGNS = 10_000  # more is never allowed without a question
MOST_READ = 30_000  # more is not read
LONGEST = 1_000_000  # more is refused
MOST_DEPTH = 32
# The parser takes time and memory by the square of these.
MOST_PIPES = 1000
MOST_HEREDOCS = 150
MOST_REDIRECTS = 4000
# Signs that change what a person sees without being seen.
_HIDDEN = frozenset(
    "\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064"
    "\u2066\u2067\u2068\u2069\ufeff\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e"
)
# Joiners belong to some scripts and to emoji: there they stand between signs beyond ASCII.
_JOINERS = "\u200c\u200d"
_CONTROLS = (*(chr(code) for code in range(32) if chr(code) not in "\t\n"), "\x7f")
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_^")
_IN_DOUBLE = frozenset('"$`\\!\n\r\0')
_IN_SINGLE = frozenset("'\n\r\0")
_MOST_PLAIN = 2000
# A shell reads these as more than a word when they come first.
_RESERVED = frozenset(
    ("if", "then", "else", "elif", "fi", "do", "done", "case", "esac", "while", "until", "for",
     "in", "function", "select", "time", "coproc", "{", "}", "!", "[[", "]]")
)  # fmt: skip


def refusal(command: str) -> tuple[str, str, str] | None:
    """Decision, rule and reason where a command is refused unread; nothing otherwise."""
    if not command or command.isspace():
        return "deny", "shell.no-command", "There is no command to judge."
    if len(command) > LONGEST:
        reason = f"It is longer than {LONGEST} signs; put it into a file."
        return "deny", "shell.too-long", reason
    if _hides(command):
        return "deny", "shell.hidden-signs", "It holds signs that nobody can see."
    if _too_deep(command):
        return "deny", "shell.too-deep", "It is nested too deeply to be judged."
    if _too_much(command):
        return "deny", "shell.too-much", "It holds more pipes or texts than can be read in time."
    return None


def _too_much(command: str) -> bool:
    """Whether something is there so often that reading it would take too long."""
    if len(command) < MOST_HEREDOCS:
        return False
    return (
        command.count("|") > MOST_PIPES
        or command.count("<<") > MOST_HEREDOCS
        or command.count(">") > MOST_REDIRECTS
        or command.count(")") - command.count("(") > MOST_PIPES
    )


def shortened(command: str) -> str:
    """As much of a command as is read."""
    return command if len(command) <= MOST_READ else command[:MOST_READ]


def _too_deep(command: str) -> bool:
    """Whether brackets are nested deeper than any command a person can read."""
    if command.count("(") + command.count("{") + command.count("[[") <= MOST_DEPTH:
        return False
    depth = 0
    for sign in command[:MOST_READ]:
        if sign in "({":
            depth += 1
            if depth > MOST_DEPTH:
                return True
        elif sign in ")}" and depth:
            depth -= 1
    return False


def _hides(command: str) -> bool:
    if not command.isprintable() and any(sign in command for sign in _CONTROLS if sign != "\x00"):
        return True
    if command.isascii():
        return "\x00" in command
    if not _HIDDEN.isdisjoint(command) or any(each >= "\U000e0000" for each in command):
        return True
    return any(joiner in command and _joins_ascii(command, joiner) for joiner in _JOINERS)


def _joins_ascii(command: str, joiner: str) -> bool:
    at = command.find(joiner)
    while at >= 0:
        before, after = command[max(0, at - 1) : at], command[at + 1 : at + 2]
        if not before or not after or before.isascii() or after.isascii():
            return True
        at = command.find(joiner, at + 1)
    return False


def plain_words(command: str) -> list[str] | None:
    """The words of a plain command; `None` when it needs a real parser."""
    if len(command) > _MOST_PLAIN or not command.isascii():
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
    first = words[0] if words else ""
    # An assignment or a word of the grammar is no name of a command.
    if not first or first in _RESERVED or "=" in first or command.lstrip(" \t")[0] in "'\"":
        return None
    return words


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
