"""A cautious table for PowerShell and cmd: what destroys is refused, little is allowed.

There is no parser for these languages here. A line is cut at what ends a command in them. It is
allowed where every piece is a word that only tells what lies here, with nothing behind it but
switches; where it runs what nobody can read it is asked; of the rest Paige has no opinion.
"""

from typing import Any

from paige.guard.fast.paths import meant_paths
from paige.guard.fast.place import Place
from paige.guard.shell.judge import ALLOW, ASK, DENY, PASS, Judgement
from paige.guard.shell.matcher import says
from paige.guard.shell.prefilter import refusal
from paige.guard.shell.targets import places_of

_HIDING = ("$(", "@(", "`", "{", "&", ">", "[", "::", "\\\\")
_RUNNING = ("iex", "invoke-expression", "-encoded", "-enc ", "& $", "&$", "&(", "& (")
_ENDS = ("&&", "||", ";", "\n", "|")


# What tells the names of files only, and what only reads.
_LISTING = frozenset((
    "test-path", "get-childitem", "gci", "ls", "dir", "get-item", "gi", "resolve-path",
    "split-path", "join-path", "tree",
))  # fmt: skip
_READING = (
    "get-", "select-", "measure-", "compare-", "format-", "cat", "type", "gc", "sls", "findstr",
    "more", "git",
)  # fmt: skip
_MARKS = dict.fromkeys(map(ord, "\"'(),;{}[]=<@"), " ")


def judge_powershell(command: str, book: dict[str, Any], place: Place) -> Judgement:
    """The judgement on a command of PowerShell or cmd."""
    refused = refusal(command)
    if refused is not None:
        return Judgement(*refused)
    tables = book.get("powershell", {})
    # A backtick escapes in PowerShell, a caret in cmd: both can split a word that is looked for.
    said = command.lower().replace("`", "").replace("^", "").replace('"', " ").replace("'", " ")
    pieces = _pieces(command)
    added = book.get("added", {}).get("powershell", {})
    for wanted in (*tables.get("destroying", ()), *added.get("destroying", ())):
        if says(said, wanted):
            reason = f"`{wanted}` would destroy, stop or hide something. Ask the person."
            return Judgement(DENY, "powershell.destroying", reason, pieces)
    touched = _touched(pieces, place, book["protected"])
    if touched:
        reason = f"`{touched}` holds keys or passwords, or is what shells, hosts or Paige rest on."
        return Judgement(DENY, "powershell.place", reason, pieces)
    if any(each in said for each in _RUNNING):
        return Judgement(ASK, "powershell.hidden", "It runs what nobody has read.", pieces)
    if any(each in said for each in _HIDING) or "`" in command or "^" in command:
        reason = "Paige cannot prove what it does: it may hold more than it shows."
        return Judgement(PASS, "powershell.unclear", reason, pieces)
    reading = tables.get("reading", ())
    for piece in pieces:
        named = piece[0].lower() in reading
        if not named or not all(word[0] == "-" and word[1:].isalpha() for word in piece[1:]):
            reason = f"This call of `{piece[0]}` is not known in all its words."
            return Judgement(PASS, "powershell.unknown", reason, pieces)
    return Judgement(ALLOW, "powershell.reading", "It only tells what lies here.", pieces)


def _touched(pieces: tuple[tuple[str, ...], ...], place: Place, protected: tuple[str, ...]) -> str:
    """A path that nobody may read, or may change; by the places the shell of Unix goes by."""
    for piece in pieces:
        words = " ".join(piece).translate(_MARKS).replace("`", "").replace("^", "")
        read, arrow, written = words.partition(">")
        verb = read.split()[0].lower() if read.split() else ""
        tokens = [(each, verb.startswith(_READING)) for each in read.split()]
        tokens += [(each, False) for each in written.replace(">", " ").split()]
        for token, reads in tokens:
            never = {"secret", "secrets", "dotenv"}
            never |= set() if reads else {"protected", "profile"}
            if verb in _LISTING and not arrow:
                never = set()
            if token.lower() == "$profile" and "profile" in never:
                return token
            for path in meant_paths(token, place.home):
                if never.intersection(places_of(path, place, protected)):
                    return token
    return ""


def _pieces(command: str) -> tuple[tuple[str, ...], ...]:
    text = command
    for each in _ENDS:
        text = text.replace(each, "\0")
    return tuple(tuple(piece.split()) for piece in text.split("\0") if piece.split())
