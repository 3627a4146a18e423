"""Where a command and a person meet: data on stdout, words and questions on stderr."""

import contextlib
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO

from paige.base.errors import BadInput

# Everything that moves the cursor or changes the terminal: a model may write it, or copy it.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Console:
    """The streams of a process; `read` shows a prompt and returns a line, or raises EOFError."""

    read: Callable[[str], str]
    out: TextIO
    err: TextIO
    interactive: bool = False  # someone can read a question and answer it

    def say(self, text: str = "", *, end: str = "\n") -> None:
        """Words for whoever watches."""
        self.err.write(visible(text) + end)
        self.err.flush()

    def give(self, text: str) -> None:
        """Data for whoever asked."""
        shown = visible(text) if self.out.isatty() else text
        self.out.write(shown if shown.endswith("\n") else f"{shown}\n")
        self.out.flush()

    @property
    def watched(self) -> bool:
        """Whether words are seen while they come."""
        return self.err.isatty()


def process_console() -> Console:
    """The console of this process."""
    interactive = sys.stdin.isatty() and sys.stderr.isatty()
    if interactive and sys.stdout.isatty():
        return Console(_typed, sys.stdout, sys.stderr, interactive=True)
    return Console(_read_line, sys.stdout, sys.stderr, interactive=interactive)


def visible(text: str) -> str:
    """The text without what would steer the terminal instead of being read."""
    return _CONTROL.sub("�", text)


def plain_text(text: str) -> str:
    """A text someone gave, checked to be one. Raises: BadInput."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise BadInput("The input is not UTF-8 text") from error
    return text


def _typed(prompt: str) -> str:
    # Line editing and history, where the system has them.
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401, PLC0415
    return plain_text(input(prompt))


def _read_line(prompt: str) -> str:
    if sys.stdin.isatty():
        sys.stderr.write(prompt)
        sys.stderr.flush()
    try:
        line = sys.stdin.readline()
    except UnicodeDecodeError as error:
        raise BadInput("The input is not UTF-8 text") from error
    if not line:
        raise EOFError
    return plain_text(line.rstrip("\r\n"))
