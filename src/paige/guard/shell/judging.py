"""What a command is allowed to do: one judgement with the rule and the reason behind it.

This page is on the hook's fast path: built-in modules only.
"""

from paige.base.record import Record
from paige.guard.fast.place import Place
from paige.guard.shell.words import plain_words

ALLOW, ASK, DENY = "allow", "ask", "deny"


class Judgement(Record):
    """A judgement. `commands` are the words of every command that was found."""

    __slots__ = ("decision", "rule", "reason", "commands")
    decision: str
    rule: str
    reason: str
    commands: tuple[tuple[str, ...], ...]
    _defaults = {"commands": ()}


def judge(command: str, place: Place, book: dict[str, object]) -> Judgement:
    """The judgement on a command by the rules of a book."""
    if not command.strip():
        return Judgement(DENY, "shell.no-command", "There is no command to judge.")
    words = plain_words(command)
    if words is None:
        return Judgement(ASK, "shell.not-plain", "It is more than plain words.")
    name = words[0].rpartition("/")[2]
    known = book.get("read_only")
    if isinstance(known, tuple) and name in known:
        return Judgement(ALLOW, "shell.read-only", "It only reads.", (tuple(words),))
    return Judgement(ASK, "shell.unknown", f"Nothing is known of `{name}`.", (tuple(words),))
