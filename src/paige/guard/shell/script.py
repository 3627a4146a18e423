"""The values between the parser and the judge. Built-in modules only."""

from paige.base.record import Record

UNKNOWN = "\x00"
"""Stands in a word for text that nobody knows before it runs; it may be empty."""


class Simple(Record):
    """One command as it would run.

    `assigns` are variables set for it, `redirects` pairs of operator and target, `stdin` is the
    text that goes in: empty for nothing, `UNKNOWN` for something nobody knows; `feeds` are the
    commands before it in a pipe.
    """

    __slots__ = ("words", "assigns", "redirects", "stdin", "feeds")
    words: tuple[str, ...]
    assigns: tuple[tuple[str, str], ...]
    redirects: tuple[tuple[str, str], ...]
    stdin: str
    feeds: tuple[tuple[str, ...], ...]
    _defaults = {"assigns": (), "redirects": (), "stdin": "", "feeds": ()}


class Script(Record):
    """What was found in a command line.

    `clean` says that nothing but well-known grammar was met, so that `simples` is all there is;
    `why` names the first thing that was not. `set` are variables the line sets for itself.
    """

    __slots__ = ("simples", "clean", "why", "set")
    simples: tuple[Simple, ...]
    clean: bool
    why: str
    set: tuple[tuple[str, str], ...]
    _defaults = {"why": "", "set": ()}
