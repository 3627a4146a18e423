"""A cautious table for PowerShell and cmd: what destroys is refused, what reads is allowed.

There is no parser for these languages here. A line is cut at what ends a command in them; each
piece must begin with a word that only reads, without anything that could hide more. Whatever else
is met is asked.
"""

from typing import Any

from paige.guard.shell.judging import ALLOW, ASK, DENY, Judgement
from paige.guard.shell.limits import refusal
from paige.guard.shell.matching import says

_HIDING = ("$(", "@(", "`", "{", "&", ">", "[", "::", "\\\\", "iex", "-encoded")
_ENDS = ("&&", "||", ";", "\n", "|")


def judge_powershell(command: str, book: dict[str, Any]) -> Judgement:
    """The judgement on a command of PowerShell or cmd."""
    refused = refusal(command)
    if refused is not None:
        return Judgement(*refused)
    tables = book.get("powershell", {})
    # A backtick escapes in PowerShell, a caret in cmd: both can split a word that is looked for.
    said = command.lower().replace("`", "").replace("^", "").replace('"', " ").replace("'", " ")
    pieces = _pieces(command)
    for wanted in tables.get("destroying", ()):
        if says(said, wanted):
            reason = f"`{wanted}` would destroy, stop or hide something. Ask the person."
            return Judgement(DENY, "powershell.destroying", reason, pieces)
    if any(each in said for each in _HIDING) or "`" in command or "^" in command:
        reason = "Paige cannot prove what it does: it may hold more than it shows."
        return Judgement(ASK, "powershell.unclear", reason, pieces)
    reading = tables.get("reading", ())
    for piece in pieces:
        if not _reads(piece[0].lower(), reading):
            reason = f"Paige has no rule for `{piece[0]}` in PowerShell."
            return Judgement(ASK, "powershell.unknown", reason, pieces)
    return Judgement(ALLOW, "powershell.reading", "It only reads.", pieces)


def _reads(name: str, reading: tuple[str, ...]) -> bool:
    return any(name == each or (each.endswith("-") and name.startswith(each)) for each in reading)


def _pieces(command: str) -> tuple[tuple[str, ...], ...]:
    text = command
    for each in _ENDS:
        text = text.replace(each, "\0")
    return tuple(tuple(piece.split()) for piece in text.split("\0") if piece.split())
