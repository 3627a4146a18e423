"""Whether a call could change what Paige or a host rests on, whatever program does it.

A path that lies at such a place, given to a program that is not known to read only, is enough: as
an operand, behind an option, or as a text in code for an interpreter. Built-in modules only.
"""

from paige.guard.fast.place import Place
from paige.guard.shell.proof import KnownCall, written
from paige.guard.shell.resolver import base_name, plain_name
from paige.guard.shell.script import UNKNOWN, Simple
from paige.guard.shell.targets import full_path, holds, places_of

# Programs whose words and input are code.
_CODED = frozenset((
    "python", "python2", "python3", "pypy", "pypy3", "perl", "ruby", "node", "nodejs", "bun",
    "deno", "php", "lua", "luajit", "Rscript", "julia", "tclsh", "expect", "ts-node", "tsx",
    "groovy", "scala", "elixir", "erl", "ghci", "guile", "jshell", "irb", "ipython", "osascript",
    "emacs", "awk", "gawk", "mawk", "nawk", "vim", "nvim", "vi", "ex", "ed", "sqlite3",
))  # fmt: skip
_ENDING = frozenset((
    "kill", "pkill", "killall", "skill", "systemctl", "launchctl", "service", "supervisorctl",
    "rc-service", "xkill", "fuser",
))  # fmt: skip
_QUOTES = dict.fromkeys(map(ord, "\"'`()[]{},;|&<>+=!\n\t"), " ")
_MOST_TOKENS = 400
_LONGEST = 4096
_marks: dict[tuple[str, ...], tuple[str, ...]] = {}


def tampered(
    simple: Simple, call: KnownCall | None, place: Place, protected: tuple[str, ...]
) -> str:
    """The protected path that a call might change; empty when there is none."""
    words = simple.words
    if call is not None:
        return next((path for path in written(call) if is_kept(path, place, protected)), "")
    name = base_name(words[0])
    if name in _ENDING:
        return _ended(simple)
    coded = plain_name(name) in _CODED
    text = "\n".join((*words[1:], simple.stdin) if coded else words[1:])
    if not _may_be_kept(text, place, protected):
        return ""
    if simple.cwds and is_kept(place.cwd, place, protected):
        return place.cwd  # it was gone into
    for word in words[1:]:
        for path in _paths(word):
            if is_kept(path, place, protected):
                return path
    return _named_in(text, place, protected) if coded else ""


def _paths(word: str) -> tuple[str, ...]:
    """What of a word may be a path: itself, what is behind `=`, what is behind a short option."""
    if word[:1] != "-":
        _, equals, value = word.partition("=")
        mounted = word.partition(":")[0] if word[0:1] in ("/", "~", ".") else ""
        return tuple(dict.fromkeys((word, value if equals else "", mounted)))
    if word[:2] == "--":
        value = word.partition("=")[2]
        return (value,) if value else ()
    return (word[2:].lstrip("="),) if len(word) > 3 else ()


def is_kept(path: str, place: Place, protected: tuple[str, ...]) -> bool:
    """Whether a path is protected, or a folder of nothing but what is."""
    if not path or len(path) > _LONGEST:
        return False
    if "protected" in places_of(path, place, protected):
        return True
    if UNKNOWN in path:
        path = path.partition(UNKNOWN)[0].rstrip("/")
        if not path:
            return False
    if full_path(path, place) == place.data and place.data:
        return True
    general = tuple(each for each in protected if each[0] == "*")
    return holds(path, place, general)


def _may_be_kept(text: str, place: Place, protected: tuple[str, ...]) -> bool:
    """Whether a closer look is worth it: most texts hold no part of a protected path."""
    marks = _marks.get(protected)
    if marks is None:
        marks = _marks[protected] = tuple(dict.fromkeys(map(_mark, protected)))
    if UNKNOWN in text or UNKNOWN in place.cwd or (place.data and place.data in text):
        return True
    if any(mark in text for mark in marks) or any(mark in place.cwd for mark in marks):
        return True
    # A pattern of the shell that may stand for a hidden name.
    return ("*" in text or "?" in text or "[" in text) and (
        text[:1] == "." or "/." in text or "\n." in text
    )


def _mark(pattern: str) -> str:
    """What every path has in it that fits a pattern or lies above what does."""
    if pattern[0] != "*":
        return pattern.rstrip("*").rstrip("/").rpartition("/")[2]
    literal = pattern.lstrip("*/").partition("*")[0].rstrip("/")
    return literal.partition("/")[0] if literal[:1] == "." else literal


def _ended(simple: Simple) -> str:
    """A process of Paige's that would be ended."""
    said = (*simple.words[1:], *(word for words in simple.feeds for word in words))
    return next((word for word in said if "paige" in word.lower()), "")


def _named_in(code: str, place: Place, protected: tuple[str, ...]) -> str:
    """A protected path among the texts of code, in one piece or in two."""
    tokens = [each for each in code.translate(_QUOTES).split() if each.strip("./~$")]
    tokens = list(dict.fromkeys(tokens))[:_MOST_TOKENS]
    folders = []
    for token in tokens:
        if "protected" in places_of(token, place, protected):
            return token
        if is_kept(token, place, protected):
            if "/" in token.rstrip("/"):
                return token
            folders.append(token.rstrip("/"))
    for folder in folders[:4]:
        for token in tokens:
            joined = f"{folder}/{token.lstrip('/')}"
            if "protected" in places_of(joined, place, protected):
                return joined
    return ""
