"""The values between the parser and the judge. Built-in modules only."""

from paige.base.record import Record

UNKNOWN = "\x00"
"""Stands in a word for text that nobody knows before it runs; it may be empty."""


class Simple(Record):
    """One command as it would run.

    `assigns` are variables set for it, `redirects` pairs of operator and target, `stdin` is the
    text that goes in: empty for nothing, `UNKNOWN` for something nobody knows; `feeds` are the
    commands before it in a pipe; `cwds` are the folders it may run in, none for where it began.
    """

    words: tuple[str, ...]
    assigns: tuple[tuple[str, str], ...] = ()
    redirects: tuple[tuple[str, str], ...] = ()
    stdin: str = ""
    feeds: tuple[tuple[str, ...], ...] = ()
    cwds: tuple[str, ...] = ()

    def saying(self, words: tuple[str, ...] | list[str]) -> "Simple":
        """The same command with other words."""
        return Simple(tuple(words), self.assigns, self.redirects, self.stdin, self.feeds, self.cwds)

    def bare(self, words: tuple[str, ...] | list[str]) -> "Simple":
        """Other words in the same place and pipe, without its redirections and its input."""
        return Simple(tuple(words), self.assigns, (), "", self.feeds, self.cwds)


class Script(Record):
    """What was found in a command line.

    `clean` says that nothing but well-known grammar was met, so that `simples` is all there is;
    `why` names the first thing that was not. `set` are variables the line sets for itself.
    `refused` says why nobody should run it, whatever is in it; `broken` that it is no grammar.
    """

    simples: tuple[Simple, ...]
    clean: bool
    why: str = ""
    set: tuple[tuple[str, str], ...] = ()
    refused: str = ""
    broken: bool = False
