"""What a command prints, where that is known before it runs. Built-in modules only."""

from paige.guard.shell.quotes import ansi_quoted
from paige.guard.shell.script import UNKNOWN, Simple


def output_of(simple: Simple) -> str:
    """The text a command prints; `UNKNOWN` where nobody knows."""
    if not simple.words:
        return ""
    name = simple.words[0].rpartition("/")[2]
    arguments = simple.words[1:]
    if name == "echo":
        return _echo(arguments)
    if name == "printf":
        return _printf(arguments)
    if name in ("cat", "tee") and not any(not each.startswith("-") for each in arguments):
        return simple.stdin or UNKNOWN
    if name == "tee":
        return simple.stdin or UNKNOWN
    if name in ("true", ":", "cd", "exit", "set", "export"):
        return ""
    return UNKNOWN


def _echo(arguments: tuple[str, ...]) -> str:
    words = list(arguments)
    escapes = end = ""
    while words and words[0] and words[0][0] == "-" and set(words[0][1:]) <= set("neE"):
        escapes += words.pop(0)
    text = " ".join(words)
    end = "" if "n" in escapes else "\n"
    return (ansi_quoted(text) if "e" in escapes else text) + end


def _printf(arguments: tuple[str, ...]) -> str:
    words = list(arguments)
    if words and words[0] == "--":
        words.pop(0)
    if not words or words[0].startswith("-"):
        return UNKNOWN if words else ""
    shape, rest = ansi_quoted(words[0]), words[1:]
    if "%" not in shape:
        return shape
    made: list[str] = []
    for _ in range(max(1, min(len(rest), 64))):
        made.append(_formatted(shape, rest))
        if not rest:
            break
    return "".join(made)


def _formatted(shape: str, rest: list[str]) -> str:
    made = []
    at = 0
    while at < len(shape):
        if shape[at] != "%":
            made.append(shape[at])
            at += 1
            continue
        if shape[at + 1 : at + 2] == "%":
            made.append("%")
            at += 2
            continue
        end = at + 1
        while end < len(shape) and not shape[end].isalpha():
            end += 1
        kind = shape[end : end + 1]
        value = rest.pop(0) if rest else ""
        made.append(ansi_quoted(value) if kind == "b" else value)
        at = end + 1
    return "".join(made)
