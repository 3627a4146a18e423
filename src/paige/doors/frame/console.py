"""Where a command and a person meet: data on stdout, words and questions on stderr.

Some steps are for people, whoever's shell starts them.
"""

import contextlib
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO

from paige.base.errors import BadInput, Refused

# Everything that moves the cursor or changes the terminal: a model may write it, or copy it.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

# What coding agents set for the commands they run.
_AGENTS = (
    "AGENT_ROLE", "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_CHILD_SESSION", "GEMINI_CLI",
    "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "COPILOT_CLI",
    "CURSOR_AGENT", "OPENCODE", "OPENCODE_CLIENT", "AI_AGENT",
)  # fmt: skip


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


def person() -> str:
    """The name of the person who asks. Raises: Refused for an agent."""
    agent = next((name for name in _AGENTS if os.environ.get(name)), "")
    if agent:
        raise Refused(
            f"An agent may not do this (`{agent}` is set)",
            hint="Run it yourself, in a terminal of your own.",
        )
    import getpass  # noqa: PLC0415 - few commands ask

    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "person"


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
